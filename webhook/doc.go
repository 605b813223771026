// Package webhook receives the requests that hooks of the service send.
//
//	verifier, err := webhook.NewVerifier(webhook.Token(os.Getenv("HOOK_TOKEN")))
//	...
//	mux := new(webhook.Mux)
//	webhook.On(mux, func(ctx context.Context, event *webhook.MergeRequestEvent) error {
//		return queue.Add(ctx, event.Ref(), event.ObjectAttributes.Action)
//	})
//	http.Handle("/hook", webhook.Handler(verifier, mux))
//
// [Handler] is an http.Handler for net/http and every router. [Parse] does the same
// for one request and leaves the response to the caller.
//
// # Verification
//
// A hook has a token, which it sends as it is, or a signing token, with which it signs each
// request, or both. [NewVerifier] returns an error if there is neither. A request is
// refused before its body is read if the headers are wrong, and before it is decoded if the
// signature is wrong. Secrets are compared in constant time.
//
// The names of most headers begin with the name of the product, such as X-Service-Event or
// X-Acme-Event. Any prefix is accepted, but all headers of a request must have the same
// one. Use [HeaderPrefix] if a proxy or a custom header of the hook adds another header
// that ends in "-Event".
//
// # Tests
//
// [NewRequest] makes a request for a test. Package servicetest sends real ones, which are
// signed at the time of its own clock. It stands still, so a verifier with the time of the
// machine refuses them as too old. Either the verifier gets the clock of the service:
//
//	func TestHook(t *testing.T) {
//		svc := servicetest.New(t)
//		verifier, err := webhook.NewVerifier(webhook.SigningToken(token), webhook.Clock(svc.Now))
//		if err != nil {
//			t.Fatal(err)
//		}
//		server := httptest.NewServer(webhook.Handler(verifier, mux))
//		defer server.Close()
//		svc.Project("acme/app").Hook(server.URL, servicetest.SigningToken(token))
//	}
//
// Or, if the verifier cannot be changed, the service runs in real time, with the option
// servicetest.WithClock(time.Now) of servicetest.New.
//
// # Events
//
// There is a type for each event; its field ObjectAttributes has the object that the event
// is about. The types differ from those of the API:
//
//   - Objects have other members. Most types have the same fields as the member names
//     in the documentation of the service.
//   - An object that an event always has is a struct, even in lists, so that a missing
//     member does not lead to a panic.
//   - A pointer is nil if the member is null or absent. Times, numbers and booleans are
//     pointers exactly where they may be null or absent. A string that is null is "".
//   - Methods such as [MergeRequestEvent.Ref] and [Project.Ref] return references, which
//     the methods of the client take.
//
// New releases send new events and new members. They are not errors: an event that is
// not known is an *[UnknownEvent], members without a field are in Extra, and
// [Delivery.Body] has the whole body. No signature covers the header that names the kind of
// event: if the body names another kind, the body decides, and [Delivery.Problem] says so. A
// member of the wrong kind is left out, as if it were absent, and [Delivery.Problem] says which.
//
// Anybody may have written what an event contains: titles, branches, file names and
// messages may hold anything. Do not use them in shell commands, paths or HTML as they are.
// Do not send a credential to an address from an event before you have compared its host
// with the instance that you expect.
//
// # Duplicates and order
//
// The same delivery may arrive twice, and deliveries may arrive in a different order from
// the one in which things happened. [Once] ignores duplicates, and [Delivery.ID] identifies
// a delivery. A program that needs the current state reads it with the client.
package webhook
