package serviceapi

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
)

// LabelsService manages the labels of projects and groups. The owner is a
// [ProjectRef] or a [GroupRef]. Every call requires a credential. Everyone who can
// see the owner can read its labels; writing them requires at least the Reporter
// role.
//
// Its options are [CreateLabelOptions], [GetLabelOptions], [ListLabelsOptions] and
// [UpdateLabelOptions]. See the example LabelsAll in collaboration_test.go of
// [example.com/serviceapi/examples/recipes].
type LabelsService service

// LabelOwner is an owner of labels: a [ProjectRef] or a [GroupRef].
type LabelOwner interface{ hasLabels() }

func (ProjectRef) hasLabels() {}
func (GroupRef) hasLabels()   {}

// Label is a label of a project or a group. A [LabelSummary] is its short form
// in other objects.
type Label struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Color is the background color, as "#RRGGBB" or in the form that it was given in, such as
	// "#RGB".
	Color string `json:"color"`
	// TextColor is the color of the text, as "#RRGGBB".
	TextColor string `json:"text_color"`
	// Description and DescriptionHTML are empty if the label has none.
	Description     string `json:"description"`
	DescriptionHTML string `json:"description_html"`
	// Subscribed reports whether the caller is notified about objects that get the
	// label.
	Subscribed bool `json:"subscribed"`
	// Priority is the position of the label in the project's priorities. 0 is the
	// highest; nil means no priority, or that the owner is a group.
	Priority *int `json:"priority"`
	// IsProjectLabel reports whether the label belongs to the project itself and
	// not to a parent group. It is nil if the owner is a group.
	IsProjectLabel *bool `json:"is_project_label"`
	// OpenIssuesCount, ClosedIssuesCount and OpenMergeRequestsCount are nil unless
	// [ListLabelsOptions.WithCounts] asks for them.
	OpenIssuesCount        *int `json:"open_issues_count"`
	ClosedIssuesCount      *int `json:"closed_issues_count"`
	OpenMergeRequestsCount *int `json:"open_merge_requests_count"`
	// Archived reports whether the label is no longer offered. Since 18.3, if the
	// feature is enabled.
	Archived bool `json:"archived"`
}

// Ref identifies the label by ID.
func (l *Label) Ref() LabelRef { return LabelID(orZero(l).ID) }

// ListLabelsOptions selects labels. Empty fields do not filter.
type ListLabelsOptions struct {
	ListOptions
	// WithCounts sets the numbers of issues and merge requests.
	WithCounts bool `url:"with_counts,omitempty"`
	// IncludeAncestorGroups includes the labels of parent groups. Nil means true.
	IncludeAncestorGroups *bool `url:"include_ancestor_groups,omitempty"`
	// Search searches the names and descriptions.
	Search string `url:"search,omitempty"`
	// Archived selects archived labels, or those that are not. Since 18.3, if the
	// feature is enabled.
	Archived *bool `url:"archived,omitempty"`
	// IncludeDescendantGroups includes the labels of subgroups. Only for a
	// [GroupRef].
	IncludeDescendantGroups bool `url:"include_descendant_groups,omitempty" only:"group"`
	// OnlyGroupLabels leaves out the labels of projects. Nil means true. Only for a
	// [GroupRef].
	OnlyGroupLabels *bool `url:"only_group_labels,omitempty" only:"group"`
}

// List returns one page of the labels of a project or group.
//
//	GET /projects/:id/labels
//	GET /groups/:id/labels
func (s *LabelsService) List(
	ctx context.Context, owner LabelOwner, options *ListLabelsOptions, opts ...RequestOption,
) ([]*Label, *Response, error) {
	return list[*Label](ctx, using(s), below(owner, "/labels"), queryFor(owner, options), opts)
}

// All returns every label of a project or group.
//
//	GET /projects/:id/labels
//	GET /groups/:id/labels
func (s *LabelsService) All(
	ctx context.Context, owner LabelOwner, options *ListLabelsOptions, opts ...RequestOption,
) iter.Seq2[*Label, error] {
	return all[*Label](ctx, using(s), below(owner, "/labels"), queryFor(owner, options), opts)
}

// GetLabelOptions says where to look for a label.
type GetLabelOptions struct {
	// IncludeAncestorGroups also finds the labels of parent groups. Nil means true.
	IncludeAncestorGroups *bool `url:"include_ancestor_groups,omitempty"`
	// IncludeDescendantGroups also finds the labels of subgroups. Only for a
	// [GroupRef].
	IncludeDescendantGroups bool `url:"include_descendant_groups,omitempty" only:"group"`
	// OnlyGroupLabels finds no labels of projects. Nil means true. Only for a
	// [GroupRef].
	OnlyGroupLabels *bool `url:"only_group_labels,omitempty" only:"group"`
}

// Get returns one label, which may belong to a parent group. It returns
// [ErrNotFound] if there is none.
//
//	GET /projects/:id/labels/:label_id
//	GET /groups/:id/labels/:label_id
func (s *LabelsService) Get(
	ctx context.Context, owner LabelOwner, label LabelRef, options *GetLabelOptions, opts ...RequestOption,
) (*Label, *Response, error) {
	return do[Label](ctx, using(s), http.MethodGet, below(owner, "/labels/:label_id", label),
		queryFor(owner, options), opts)
}

// CreateLabelOptions describes a label. Name and Color are required.
type CreateLabelOptions struct {
	// Name has at most 255 characters and no comma. Spaces around it are removed.
	Name string `json:"name" required:"true"`
	// Color is the background color, as "#RGB", "#RRGGBB" or the CSS name of a color.
	// The service converts a CSS name to "#RRGGBB".
	Color       string  `json:"color" required:"true"`
	Description *string `json:"description,omitzero"`
	// Priority is the position of the label in the project's priorities, 0 for the
	// highest. Nil means no priority. Only for a [ProjectRef].
	Priority *int `json:"priority,omitzero" only:"project"`
	// Archived creates a label that is not offered. Nil means false. Since 18.3, if
	// the feature is enabled.
	Archived *bool `json:"archived,omitzero"`
}

// Create creates a label of a project or a group. It returns [ErrConflict] if the
// owner or a parent group has a label with this name, and [ErrBadRequest] for a name
// or a color that is not valid. Since 17.7, the Planner role also suffices.
//
//	POST /projects/:id/labels
//	POST /groups/:id/labels
func (s *LabelsService) Create(
	ctx context.Context, owner LabelOwner, options CreateLabelOptions, opts ...RequestOption,
) (*Label, *Response, error) {
	return do[Label](ctx, using(s), http.MethodPost, below(owner, "/labels"), jsonFor(owner, options), opts)
}

// UpdateLabelOptions changes a label. Nil or zero fields are left unchanged. At least
// one field must be set.
type UpdateLabelOptions struct {
	// NewName has at most 255 characters and no comma. Spaces around it are removed.
	NewName *string `json:"new_name,omitzero"`
	// Color is the background color, as "#RGB", "#RRGGBB" or the CSS name of a color.
	Color       *string `json:"color,omitzero"`
	Description *string `json:"description,omitzero"`
	// Priority is the position of the label in the project's priorities, 0 for the
	// highest. Null removes it. Only for a [ProjectRef].
	Priority Nullable[int] `json:"priority,omitzero" only:"project"`
	// Archived says whether the label is no longer offered. Since 18.3, if the feature
	// is enabled.
	Archived *bool `json:"archived,omitzero"`
}

// Update changes a label of the owner itself: labels of parent groups are not found.
// Objects that have the label keep it, under its new name. It returns [ErrBadRequest]
// if another label of the owner has that name. Since 17.7, the Planner role also
// suffices.
//
//	PUT /projects/:id/labels/:label_id
//	PUT /groups/:id/labels/:label_id
func (s *LabelsService) Update(
	ctx context.Context, owner LabelOwner, label LabelRef, options UpdateLabelOptions, opts ...RequestOption,
) (*Label, *Response, error) {
	return do[Label](ctx, using(s), http.MethodPut, below(owner, "/labels/:label_id", label).notRepeatable(),
		jsonFor(owner, options), opts)
}

// Delete deletes a label of the owner itself, and removes it from all issues, merge
// requests and epics. Labels of parent groups are not found. Since 17.7, the Planner
// role also suffices. Newer releases return [ErrBadRequest] for a label that is
// locked.
//
//	DELETE /projects/:id/labels/:label_id
//	DELETE /groups/:id/labels/:label_id
func (s *LabelsService) Delete(
	ctx context.Context, owner LabelOwner, label LabelRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, "/labels/:label_id", label), nil, opts)
}

// Promote turns a label of a project into a label of the project's group, and returns
// the new label. It replaces the labels with the same name in all projects of the
// group. The new label has an ID of its own. Promote requires at least the Reporter
// role in the group, too. It returns [ErrBadRequest] if the project belongs to no
// group.
//
//	PUT /projects/:id/labels/:label_id/promote
func (s *LabelsService) Promote(
	ctx context.Context, project ProjectRef, label LabelRef, opts ...RequestOption,
) (*Label, *Response, error) {
	return do[Label](ctx, using(s), http.MethodPut,
		Route("/projects/:id/labels/:label_id/promote", project, label).notRepeatable(), nil, opts)
}

// LabelSubscription is the result of [LabelsService.Subscribe] and
// [LabelsService.Unsubscribe].
type LabelSubscription struct {
	// Label is nil if Unchanged is true: the service returns it only if it changed
	// something.
	Label *Label
	// Unchanged reports whether there was nothing to do.
	Unchanged bool
}

func newLabelSubscription(label *Label) *LabelSubscription {
	return &LabelSubscription{Label: label, Unchanged: label == nil}
}

// Subscribe subscribes the caller, who only needs to see the label, to notifications
// about objects that get it. It also succeeds if the caller is already subscribed; the
// result says so.
//
//	POST /projects/:id/labels/:label_id/subscribe
//	POST /groups/:id/labels/:label_id/subscribe
func (s *LabelsService) Subscribe(
	ctx context.Context, owner LabelOwner, label LabelRef, opts ...RequestOption,
) (*LabelSubscription, *Response, error) {
	return change(ctx, using(s), below(owner, "/labels/:label_id/subscribe", label), newLabelSubscription, opts)
}

// Unsubscribe ends the caller's subscription to a label. It also succeeds if there is
// none; the result says so.
//
//	POST /projects/:id/labels/:label_id/unsubscribe
//	POST /groups/:id/labels/:label_id/unsubscribe
func (s *LabelsService) Unsubscribe(
	ctx context.Context, owner LabelOwner, label LabelRef, opts ...RequestOption,
) (*LabelSubscription, *Response, error) {
	return change(ctx, using(s), below(owner, "/labels/:label_id/unsubscribe", label), newLabelSubscription, opts)
}

// LabelSummary is a label of a merge request, an issue or an epic. Only the name
// is set, unless details were requested.
type LabelSummary struct {
	// ID is nil unless details were requested, and in older releases.
	ID   *int64 `json:"id,omitzero"`
	Name string `json:"name"`
	// Color is the background color and TextColor the color of the text, as "#RRGGBB".
	Color     string `json:"color"`
	TextColor string `json:"text_color"`
	// Description and DescriptionHTML are empty if the label has none.
	Description     string `json:"description"`
	DescriptionHTML string `json:"description_html"`
	// Archived reports whether the label is no longer offered. Only events and boards say so.
	// Since 18.3.
	Archived bool `json:"archived,omitzero"`
}

// Ref identifies the label by ID, or by name if only that is known.
func (l *LabelSummary) Ref() LabelRef {
	switch {
	case l == nil:
		return LabelRef{}
	case l.ID != nil:
		return LabelID(*l.ID)
	}
	return LabelName(l.Name)
}

// UnmarshalJSON decodes the name or the object.
func (l *LabelSummary) UnmarshalJSON(data []byte) error {
	*l = LabelSummary{}
	if jsonx.IsString(data) {
		return decodeString(data, &l.Name)
	}
	type plain LabelSummary // without this method
	return unmarshalMembers(data, (*plain)(l))
}

// MarshalJSON encodes the label as the service sends it: as its name if nothing
// else is set, and otherwise as an object.
func (l LabelSummary) MarshalJSON() ([]byte, error) {
	if l == (LabelSummary{Name: l.Name}) {
		return marshalString(l.Name)
	}
	type plain LabelSummary
	return json.Marshal(plain(l))
}

// LabelNames are the names of labels in a request. They are sent as one string,
// so a name that contains a comma is refused. The service creates labels that
// do not exist when an object gets them.
type LabelNames []string

var errLabelComma = errors.New("the name of a label contains a comma")

// MarshalJSON encodes the names as one string, separated by commas.
func (l LabelNames) MarshalJSON() ([]byte, error) {
	if hasComma(l) {
		return nil, errLabelComma
	}
	return json.Marshal(strings.Join(l, ","))
}

// EncodeValues writes the names into a query as one string, separated by commas.
func (l LabelNames) EncodeValues(key string, v *url.Values) error {
	if hasComma(l) {
		return errLabelComma
	}
	v.Set(key, strings.Join(l, ","))
	return nil
}

// UnmarshalJSON decodes names that are separated by commas.
func (l *LabelNames) UnmarshalJSON(data []byte) error {
	var names string
	if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	*l = LabelNames{}
	for name := range strings.SplitSeq(names, ",") {
		if name != "" {
			*l = append(*l, name)
		}
	}
	return nil
}
