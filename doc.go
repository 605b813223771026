// Package serviceapi is a client of the Service API: the REST API of a
// project-hosting and software-delivery platform.
//
//	client, err := serviceapi.NewClient("https://service.example.com", serviceapi.PrivateToken(token))
//	if err != nil {
//		return err
//	}
//	for job, err := range client.Jobs.All(ctx, serviceapi.Path("group/app"), nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(job.ID, job.Name, job.Status)
//	}
//
// A [Client] has one field for each area of the service: Jobs, Runners,
// MergeRequests and so on. Every method names the endpoint that it calls in the
// last line of its comment. A Client is safe for concurrent use and cheap to
// derive from ([Client.With]).
//
// # Authentication
//
// A [Credential] is a [PrivateToken], [BearerToken], [JobToken], [OAuth2] token
// source, [SessionCookie], or [Anonymous]. [FromEnv] takes it from the
// environment. [WithCredential] replaces it for one call, and [WithSudo] lets
// an administrator call as another user. A credential is sent as a header and
// to the origin of the base URL alone, whatever redirects and links say, and is
// never printed.
//
// # Projects, groups and users
//
// Where the service takes a number or a path, the library takes a [ProjectRef]
// or [GroupRef]: ID(42) or Path("group/app"). Where it takes a user's number or
// name, it takes a [UserRef]: ID(42) or Username("ada"). All other ids are
// int64.
//
// # Optional values
//
// Options of a query are pointers to structs with plain fields; nil and zero
// values are not sent. Options of a body are structs, whose optional fields are
// pointers (write new(true)), slices and maps: nil is not sent, an empty one
// clears. [Nullable] fields can also be sent as null. In responses a field is a
// pointer where null tells something.
//
// Enumerations are string types with constants for the values that are known;
// others pass through.
//
// # Lists
//
// A method List… returns one page, its number of pages and items on [Response].
// The method All… beside it returns a sequence over all pages, fetched as they
// are consumed, one page ahead. [WithConcurrentPages] fetches several at once,
// in order. [Collect] gathers a sequence. Offset and keyset pagination look the
// same; [Response.NextPageToken] continues either one by hand.
//
// # Errors
//
// A response of the service that says no is an [*Error], with status, message
// and whatever else it holds; errors.Is(err, ErrNotFound) and the like tell
// statuses apart. [*RateLimitError], [*InsufficientScopeError] and the errors
// of single areas say more and unwrap to it. A call without a response is a
// [*TransportError], a response that cannot be understood a [*DecodeError], a
// redirect that was not followed a [*RedirectError], and an argument that was
// refused before sending an [*ArgumentError].
//
// A response in which single members have the wrong kind is returned, without
// these members, together with a [*DecodeError] that says so (Partial).
//
// # Retries
//
// Reads are tried up to five times, writes only where it is certain that the
// first was not executed; see [RetryPolicy] and [WithRetry]. The service's
// Retry-After and RateLimit-Reset are obeyed, but a wait that is too long, or
// longer than the context lives, is not slept: the call returns at once.
//
// # Transfers
//
// A [Download] is a stream that resumes where a connection breaks off, and ends
// with an error where that cannot be. An [Upload] is streamed too, and sent
// again only from a source that can seek. [WithProgress] reports on both.
//
// # Waiting
//
// What the service finishes later has a method that polls until it is done,
// such as [JobsService.Wait]. The context bounds the wait.
//
// # Calls that are not here
//
// [Client.Do] calls any path of the API, [WithQuery] and [WithHeader] send what
// an options struct does not have, and [WithMiddleware] wraps the transport,
// with [Operation] to name what passes it.
//
// # Testing
//
// Package servicetest is the service in memory, for tests of programs that use
// this library or any other client of the same API.
package serviceapi
