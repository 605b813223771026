// Package serviceapi is a client of the Service API: the REST API of a
// project-hosting and software-delivery platform.
//
//	client, err := serviceapi.NewClient("https://service.example.com", serviceapi.PrivateToken(token))
//	if err != nil {
//		return err
//	}
//	for job, err := range client.Jobs.All(ctx, serviceapi.ProjectPath("group/app"), nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(job.ID, job.Name, job.Status)
//	}
//
// A [Client] has one field for each area of the service: Jobs, Runners,
// MergeRequests and so on. The last line of each method's comment names the
// endpoint that it calls. A Client is safe for concurrent use, and
// [Client.With] derives cheap variants of it.
//
// # Authentication
//
// A [Credential] is a [PrivateToken], [BearerToken], [JobToken], [OAuth2] token
// source, [SessionCookie], or [Anonymous]. [FromEnv] reads it from the
// environment. [WithCredential] replaces it for one call, and [WithSudo] lets
// an administrator act as another user. A credential is sent in a header, and
// only to the origin of the base URL, whatever redirects and links say. It is
// never printed.
//
// # Projects, groups and users
//
// A project is named by a [ProjectRef], ProjectID(42) or
// ProjectPath("group/app"), a group by a [GroupRef], GroupID(7) or
// GroupPath("group"), and a user by a [UserRef], UserID(3) or Username("ada").
// All other IDs are int64.
//
// What an object belongs to, its owner, is the first argument after the
// context. Where the API has the same objects under several kinds of owners,
// the owner is an interface such as [MemberOwner], whose comment lists its
// kinds; [Instance] stands for the whole instance, and [Own] for the caller. A
// value of another kind does not compile. A field of options that only some
// owners take says so and is an [*ArgumentError] for the others.
//
// # Optional values
//
// Options that become a query are passed as a pointer, which may be nil, to a
// struct of plain fields; zero fields are not sent. Options that become a body
// are passed by value, and their optional fields are pointers (write
// new(true)), slices and maps: nil is not sent, an empty value clears.
// [Nullable] fields can also be sent as null. In responses a field is a pointer
// where null has a meaning of its own.
//
// Enumerations are string types with constants for the documented values.
// Values that the library does not know pass through unchanged in both
// directions.
//
// # Lists
//
// A List… method returns one page; [Response] has the total numbers of pages
// and items. The All… method beside it returns a sequence over all pages, which
// are fetched as they are consumed, one page ahead. [WithConcurrentPages]
// fetches several at once and keeps the order. [Collect] gathers a sequence
// into a slice. Offset and keyset pagination look the same;
// [Response.NextPageToken] continues either one by hand.
//
// # Errors
//
// An error response is an [*Error] with the status, the message and whatever
// else the service said; errors.Is(err, ErrNotFound) and the like tell statuses
// apart. [*RateLimitError], [*InsufficientScopeError] and the error types of
// single areas say more, and unwrap to it. A call that got no response returns
// a [*TransportError], a response that cannot be understood a [*DecodeError], a
// redirect that was not followed a [*RedirectError], and an argument that was
// refused before sending an [*ArgumentError]. A [*RefreshError] behind one of
// these says why there was no OAuth2 token.
//
// Unless a method says otherwise, its result is nil beside an error. The
// [*Response] is nil if there was none, as with an [*ArgumentError] or a failed
// connection; it is there, with status, headers and request ID, beside an
// [*Error].
//
// If single fields of a response have the wrong JSON type, the result is
// returned without them, together with a [*DecodeError] whose field Partial is
// true.
//
// # Retries
//
// Reads are tried up to five times. Writes are repeated only if it is certain
// that the service did not execute the first attempt; see [RetryPolicy] and
// [WithRetry]. The service's Retry-After and RateLimit-Reset are obeyed, but if
// the wait would exceed the policy's maximum or the context's deadline, the
// call returns at once.
//
// # Transfers
//
// A [Download] is a stream. If the connection breaks off, it resumes where it
// was, or ends with an error if that is impossible; it never ends short without
// one. [SaveFile] downloads to a file, and continues where an earlier run of the
// program was interrupted. An [Upload] is streamed too, and is sent again only
// if its source can seek. [WithProgress] reports the progress of both.
// [JobsService.Follow] yields the lines of a job's log as they come.
//
// # Waiting
//
// What the service finishes later has a method that polls until it is done,
// such as [JobsService.Wait]. The context bounds the wait; there is no other
// limit.
//
// # Calls that are not here
//
// [Client.Do] calls any path of the API, [WithQuery] and [WithHeader] add
// parameters that an options struct does not have, and [WithMiddleware] wraps
// the transport; [Operation] tells a middleware which endpoint is being called.
//
// # Testing
//
// Package servicetest is an in-memory implementation of the service, for tests
// of programs that use this library or any other client of the same API.
package serviceapi
