package serviceapi

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/serviceapi/internal/text"
)

// MergeRefusal is the reason of a [MergeError].
type MergeRefusal string

// Reasons of a refusal. Later versions of the library may add others.
const (
	// MergeRefusalUnauthorized: the caller may not do it (401). The service sends
	// the same response for some invalid credentials.
	MergeRefusalUnauthorized MergeRefusal = "unauthorized"
	// MergeRefusalNotReady: the merge request is a draft or closed, or its
	// pipeline is pending or has failed (405).
	MergeRefusalNotReady MergeRefusal = "not_ready"
	// MergeRefusalImpossible: the branch cannot be merged because of conflicts
	// (406).
	MergeRefusalImpossible MergeRefusal = "cannot_be_merged"
	// MergeRefusalSHAMismatch: the source branch is not at [MergeOptions.SHA]
	// (409).
	MergeRefusalSHAMismatch MergeRefusal = "sha_mismatch"

	// MergeRefusalOver: there is nothing to cancel, because the merge request is
	// merged or closed (405).
	MergeRefusalOver MergeRefusal = "already_merged_or_closed"
	// MergeRefusalNotScheduled: there is nothing to cancel, because no merge was
	// scheduled (406).
	MergeRefusalNotScheduled MergeRefusal = "not_scheduled"
)

var (
	mergeRefusals = map[int]MergeRefusal{
		http.StatusUnauthorized:     MergeRefusalUnauthorized,
		http.StatusMethodNotAllowed: MergeRefusalNotReady,
		http.StatusNotAcceptable:    MergeRefusalImpossible,
		http.StatusConflict:         MergeRefusalSHAMismatch,
	}
	cancelRefusals = map[int]MergeRefusal{
		http.StatusUnauthorized:     MergeRefusalUnauthorized,
		http.StatusMethodNotAllowed: MergeRefusalOver,
		http.StatusNotAcceptable:    MergeRefusalNotScheduled,
	}
)

// MergeError is the service's refusal to merge a merge request, or to cancel a
// scheduled merge. It unwraps to *[Error].
type MergeError struct {
	Err    *Error
	Reason MergeRefusal
}

// Error describes the response and the reason.
func (e *MergeError) Error() string { return fmt.Sprintf("%v (%s)", e.Err, e.Reason) }

// Unwrap returns the *[Error].
func (e *MergeError) Unwrap() error { return e.Err }

// refusal makes a MergeError of a response whose status is one of the given
// ones, and returns every other error unchanged.
func refusal(err error, reasons map[int]MergeRefusal) error {
	e := errorResponse(err)
	if e == nil {
		return err
	}
	reason, ok := reasons[e.StatusCode]
	if !ok || isCredentialError(e) || isLockError(e) {
		return err
	}
	return &MergeError{Err: e, Reason: reason}
}

// isCredentialError reports whether a 401 is about the token: then it names a
// reason.
func isCredentialError(e *Error) bool {
	return e.StatusCode == http.StatusUnauthorized && e.Reason != ""
}

// isLockError reports whether a 409 says that another call held a lock.
func isLockError(e *Error) bool {
	return e.StatusCode == http.StatusConflict && strings.Contains(strings.ToLower(string(e.Body)), "resource lock")
}

// RebaseError means that the service started a rebase but could not finish it.
type RebaseError struct {
	// MergeRequest is the merge request after the failed rebase.
	MergeRequest *MergeRequestDetails
	// Message is what the service said.
	Message string
}

// Error describes the merge request and what the service said.
func (e *RebaseError) Error() string {
	return fmt.Sprintf("serviceapi: rebase of merge request !%d failed: %s",
		orZero(e.MergeRequest).IID, text.Printable(e.Message, maxErrorText))
}
