package serviceapi

import (
	"context"
	"net/http"
)

// SuggestionsService applies the changes to lines of a diff that comments on it suggest:
// [Note.Suggestions]. Applying makes a commit on the source branch of the merge request and
// resolves the thread. It requires the Developer role in the project of that branch.
//
// Its options are [ApplySuggestionOptions] and [ApplySuggestionsOptions]. See the example of
// [SuggestionsService.Apply].
type SuggestionsService service

// Apply applies a suggestion. The call returns [ErrNotFound] if there is none with this ID,
// and [ErrBadRequest] if it was applied already, if its lines have changed since, or if the
// merge request is no longer open.
//
//	PUT /suggestions/:id/apply
func (s *SuggestionsService) Apply(
	ctx context.Context, suggestionID int64, options ApplySuggestionOptions, opts ...RequestOption,
) (*NoteSuggestion, *Response, error) {
	return do[NoteSuggestion](ctx, using(s), http.MethodPut,
		Route("/suggestions/:id/apply", suggestionID), jsonOf(options), opts)
}

// ApplyTogether applies several suggestions in one commit, all or none of them. The call
// returns the same errors as [SuggestionsService.Apply], and [ErrBadRequest] if the
// suggestions are for different branches, or for the same lines.
//
//	PUT /suggestions/batch_apply
func (s *SuggestionsService) ApplyTogether(
	ctx context.Context, options ApplySuggestionsOptions, opts ...RequestOption,
) ([]*NoteSuggestion, *Response, error) {
	return doArray[*NoteSuggestion](ctx, using(s), http.MethodPut,
		Route("/suggestions/batch_apply"), jsonOf(options), opts)
}

// ApplySuggestionOptions describes the commit that applies a suggestion.
type ApplySuggestionOptions struct {
	// CommitMessage is the message of the commit. Nil means the one that the project has
	// for suggestions: see [CreateProjectOptions.SuggestionCommitMessage].
	CommitMessage *string `json:"commit_message,omitzero"`
}

// ApplySuggestionsOptions says which suggestions to apply together. IDs is required.
type ApplySuggestionsOptions struct {
	// IDs are those of the suggestions, [NoteSuggestion.ID].
	IDs []int64 `json:"ids" required:"true"`
	// CommitMessage is as in [ApplySuggestionOptions].
	CommitMessage *string `json:"commit_message,omitzero"`
}
