package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/serviceapi/webhook"
)

// body is what a hook sends when ada opens a merge request, in short.
const body = `{
	"object_kind": "merge_request",
	"user": {"id": 7, "username": "ada"},
	"project": {"id": 4, "path_with_namespace": "acme/shop"},
	"object_attributes": {
		"iid": 12, "title": "Add a cart", "action": "open", "target_project_id": 4,
		"created_at": "2026-03-01 10:20:30 UTC"
	}
}`

// deliver sends the body to a handler, as a hook with this token does.
func deliver(handler http.Handler, token string) int {
	request, err := webhook.NewRequest("/hook", webhook.KindMergeRequest, []byte(body), webhook.Token(token))
	if err != nil {
		panic(err)
	}
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response.Code
}

// A server passes events on by their types, and ignores duplicates.
func ExampleHandler() {
	verifier, err := webhook.NewVerifier(webhook.Token("the token of the hook"))
	if err != nil {
		panic(err)
	}
	mux := new(webhook.Mux)
	webhook.On(mux, func(ctx context.Context, event *webhook.MergeRequestEvent) error {
		fmt.Println(event.Ref(), event.ObjectAttributes.Action, "by", event.User.Username)
		return nil
	})
	handler := webhook.Handler(verifier, webhook.Once(10*time.Minute, mux))

	fmt.Println(deliver(handler, "the token of the hook"))
	fmt.Println(deliver(handler, "a guess"))
	// Output:
	// 4!12 open by ada
	// 204
	// 401
}

// Parse leaves the response to the caller.
func ExampleParse() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := webhook.Parse(r, webhook.Token("the token of the hook"))
		if err != nil {
			w.WriteHeader(webhook.StatusCode(err))
			return
		}
		switch event := event.(type) {
		case *webhook.MergeRequestEvent:
			fmt.Println(event.ObjectAttributes.Title)
		case *webhook.PushEvent:
			fmt.Println(event.Branch())
		default:
			fmt.Println("ignored:", event.Info().Kind)
		}
	})
	fmt.Println(deliver(handler, "the token of the hook"))
	// Output:
	// Add a cart
	// 200
}

// While a secret is replaced, both the old and the new one are accepted.
func ExampleSigningToken() {
	const older = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	const newer = "whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA="
	verifier, err := webhook.NewVerifier(webhook.SigningToken(newer, older))
	if err != nil {
		panic(err)
	}
	request, err := webhook.NewRequest("/hook", webhook.KindMergeRequest, []byte(body), webhook.SigningToken(older))
	if err != nil {
		panic(err)
	}
	event, err := verifier.Parse(request)
	fmt.Println(event.Info().Verified, err)
	// Output: signature <nil>
}
