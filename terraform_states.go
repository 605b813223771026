package serviceapi

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"

	"example.com/serviceapi/internal/source"
	"example.com/serviceapi/internal/text"
)

// TerraformStatesService manages the Terraform states that projects store. Reading a state
// requires the Developer role, and everything else the Maintainer role; other callers get
// [ErrForbidden].
//
//	app := serviceapi.ProjectPath("acme/app")
//	state, _, err := client.TerraformStates.Download(ctx, app, "production")
//
// The name of a state has at most 255 characters. While the service removes a deleted state,
// calls with its name return [ErrUnprocessable].
//
// Its options are [GraphQLListOptions], [LockTerraformStateOptions], [UnlockTerraformStateOptions] and
// [UploadTerraformStateOptions]. See the example of [TerraformStatesService.Upload].
type TerraformStatesService service

const oneTerraformState = "/projects/:id/terraform/state/:name"

// ErrNoTerraformState means that a Terraform state has no version: it was created by a
// lock, or all of its versions were deleted.
var ErrNoTerraformState = errors.New("the Terraform state has no version")

// Download returns the newest version of a state as a stream of JSON, which may hold
// secrets. The call returns [ErrNotFound] if there is no state with this name, and
// [ErrNoTerraformState] with the response, whose status is 204, if it has no version.
//
//	GET /projects/:id/terraform/state/:name
func (s *TerraformStatesService) Download(
	ctx context.Context, project ProjectRef, name string, opts ...RequestOption,
) (*Download, *Response, error) {
	d, resp, err := stream(ctx, using(s), http.MethodGet,
		Route(oneTerraformState, project, name).withoutHTML(), nil, opts)
	if err == nil && resp.StatusCode == http.StatusNoContent {
		d.Close()
		return nil, resp, ErrNoTerraformState
	}
	return d, resp, err
}

// DownloadVersion returns one version of a state as a stream of JSON. The serial is the
// number in the version itself. The call returns [ErrNotFound] if the state has no such
// version.
//
//	GET /projects/:id/terraform/state/:name/versions/:serial
func (s *TerraformStatesService) DownloadVersion(
	ctx context.Context, project ProjectRef, name string, serial int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route(oneTerraformState+"/versions/:serial", project, name, serial).withoutHTML(), nil, opts)
}

// Upload stores a version of a state, as Terraform's backend "http" does, and creates the
// state if there is none with this name. The service keeps the bytes as they are and reads
// only their serial, a number that no other version may have; the version with the highest
// one is the newest. If the content can seek, its MD5 checksum is sent with it, for which it
// is read twice. An empty content is not stored, although the call succeeds; the status is
// then 204.
//
// The call returns [ErrConflict] if the state has another lock than that of the options, also
// if one of them has none; releases up to 18.9 may return [ErrServer] instead. It returns
// [ErrUnprocessable] for content that is not JSON with a serial, and for a serial that
// exists. The status is 413 for more bytes than
// [ApplicationSettings.MaxTerraformStateSizeBytes].
//
//	POST /projects/:id/terraform/state/:name
func (s *TerraformStatesService) Upload(
	ctx context.Context, project ProjectRef, name string, options UploadTerraformStateOptions, opts ...RequestOption,
) (*Response, error) {
	file := options.State
	file.ContentType = cmp.Or(file.ContentType, "application/json")
	return exec(ctx, using(s), http.MethodPost, Route(oneTerraformState, project, name),
		queryAndBody{queryOf(&options), uploadInput{file}}, append([]RequestOption{withMD5(file.Content)}, opts...))
}

// withMD5 sends the checksum of content that can be read once more, from where it is.
func withMD5(content io.Reader) RequestOption {
	return requestOption(func(o *callOptions) error {
		seeker, ok := content.(io.ReadSeeker)
		if !ok {
			return nil
		}
		start, err := seeker.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil // a pipe has a Seek method, which fails
		}
		sum := md5.New()
		_, err = io.Copy(sum, seeker)
		if _, problem := seeker.Seek(start, io.SeekStart); err != nil || problem != nil {
			return &source.Error{Err: cmp.Or(err, problem)}
		}
		o.setHeader("Content-MD5", base64.StdEncoding.EncodeToString(sum.Sum(nil)))
		return nil
	})
}

// Delete deletes a state with all of its versions. A state that is locked is not deleted,
// although the service reports success. The call returns [ErrNotFound] if there is no
// state with this name.
//
//	DELETE /projects/:id/terraform/state/:name
func (s *TerraformStatesService) Delete(
	ctx context.Context, project ProjectRef, name string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(oneTerraformState, project, name), nil, opts)
}

// Lock locks a state, and creates it if there is none with this name. It returns a
// [*TerraformLockError] if the state is already locked, even with the same ID. The result
// is nil for services of 15.2, which send none.
//
//	POST /projects/:id/terraform/state/:name/lock
func (s *TerraformStatesService) Lock(
	ctx context.Context, project ProjectRef, name string, options LockTerraformStateOptions, opts ...RequestOption,
) (*TerraformLock, *Response, error) {
	lock, resp, err := do[TerraformLock](ctx, using(s), http.MethodPost,
		Route(oneTerraformState+"/lock", project, name), jsonOf(options), opts)
	if errors.Is(err, errEmptyBody) {
		return nil, resp, nil
	}
	return lock, resp, terraformLockError(err)
}

// Unlock removes the lock of a state. Without an ID, it does so no matter who holds the
// lock. With an ID, the call returns [ErrConflict] if the lock has another ID, or if the
// state is not locked. It is not repeated after an error if the service may have removed
// the lock.
//
//	DELETE /projects/:id/terraform/state/:name/lock
func (s *TerraformStatesService) Unlock(
	ctx context.Context, project ProjectRef, name string, options *UnlockTerraformStateOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(oneTerraformState+"/lock", project, name).notRepeatable(), queryOf(options), opts)
}

// DeleteVersion deletes one version of a state. The serial is the number in the version
// itself. The call returns [ErrNotFound] if the state has no such version.
//
//	DELETE /projects/:id/terraform/state/:name/versions/:serial
func (s *TerraformStatesService) DeleteVersion(
	ctx context.Context, project ProjectRef, name string, serial int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(oneTerraformState+"/versions/:serial", project, name, serial), nil, opts)
}

// TerraformLock is the lock of a state.
type TerraformLock struct {
	ID string `json:"ID"`
	// Operation is what the lock is for, such as "OperationTypeApply". In a
	// [TerraformLockError], it is the operation of the refused call; Info, Version and Path
	// are also those of that call.
	Operation string `json:"Operation"`
	Info      string `json:"Info"`
	// Who is the username of the user who holds the lock.
	Who string `json:"Who"`
	// Version is the version of Terraform.
	Version string `json:"Version"`
	// Created is when the lock was created, as the holder wrote it.
	Created string `json:"Created"`
	Path    string `json:"Path"`
}

// LockTerraformStateOptions describes a lock, in Terraform's terms. ID is required. The
// other fields may be empty, but are always sent, because the service wants all of them.
type LockTerraformStateOptions struct {
	// ID is chosen by the caller, and is needed again to unlock the state. Terraform uses
	// a UUID.
	ID string `json:"ID" required:"true"`
	// Operation is what the lock is for, such as "OperationTypeApply".
	Operation string `json:"Operation"`
	// Info is text for people to read.
	Info string `json:"Info"`
	// Who is the user and the machine. The service shows the username of the caller
	// instead.
	Who string `json:"Who"`
	// Version is the version of Terraform.
	Version string `json:"Version"`
	// Created is the current time, in the format of RFC 3339.
	Created string `json:"Created"`
	// Path is the path of the state's file, if there is one.
	Path string `json:"Path"`
}

// UploadTerraformStateOptions has a version of a state.
type UploadTerraformStateOptions struct {
	// State is the version, in Terraform's format. It is required. Its Filename is not sent,
	// and its ContentType is "application/json" unless it is set.
	State Upload `json:"-" url:"-" required:"true"`
	// ID is the ID of the lock, with at most 255 characters. It is empty if the state is not
	// locked.
	ID string `url:"ID,omitempty"`
}

// UnlockTerraformStateOptions says which lock to remove.
type UnlockTerraformStateOptions struct {
	// ID is the ID of the lock. Empty removes any lock.
	ID string `url:"ID,omitempty"`
}

// TerraformLockError means that a Terraform state is already locked. It unwraps to
// *[Error], whose status is 409.
type TerraformLockError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// Lock has the ID of the lock, who holds it and since when. Its other fields are those
	// of the refused call. It is never nil in an error that the library returns.
	Lock *TerraformLock
}

// Error describes the response and says who holds the lock.
func (e *TerraformLockError) Error() string {
	if e.Lock == nil {
		return e.Err.Error()
	}
	return e.Err.Error() + " (locked by " + text.Printable(e.Lock.Who, maxErrorText) + ")"
}

// Unwrap returns the *[Error].
func (e *TerraformLockError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *TerraformLockError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// terraformLockError turns a response with a lock into a TerraformLockError, and returns
// every other error unchanged.
func terraformLockError(err error) error {
	e := errorResponse(err)
	if e == nil || e.StatusCode != http.StatusConflict {
		return err
	}
	lock := new(TerraformLock)
	if json.Unmarshal(e.Body, lock) != nil || lock.ID == "" {
		return err
	}
	return &TerraformLockError{Err: e, Lock: lock}
}
