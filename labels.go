package serviceapi

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
)

// LabelsService lists the labels of projects and groups. The owner is a
// [ProjectRef] or a [GroupRef].
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
	// Color is the background and TextColor the text, as "#RRGGBB".
	Color     string `json:"color"`
	TextColor string `json:"text_color"`
	// Description and DescriptionHTML are empty if the label has none.
	Description     string `json:"description"`
	DescriptionHTML string `json:"description_html"`
	// Subscribed reports whether the caller is notified when something gets the
	// label.
	Subscribed bool `json:"subscribed"`
	// Priority is the position of the label in the project's priorities. 0 is the
	// most important one; nil means no priority.
	Priority *int `json:"priority"`
	// IsProjectLabel reports whether the label belongs to the project itself and
	// not to a parent group. It is nil in lists of a group's labels.
	IsProjectLabel *bool `json:"is_project_label"`
	// OpenIssuesCount, ClosedIssuesCount and OpenMergeRequestsCount are nil unless
	// [ListLabelsOptions.WithCounts] asks for them.
	OpenIssuesCount        *int `json:"open_issues_count"`
	ClosedIssuesCount      *int `json:"closed_issues_count"`
	OpenMergeRequestsCount *int `json:"open_merge_requests_count"`
	// Archived labels are no longer offered. Since 18.3, if the feature is
	// enabled.
	Archived bool `json:"archived"`
}

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
	return list[*Label](ctx, s.client, below(owner, "/labels"), queryFor(owner, options), opts)
}

// All returns every label of a project or group.
//
//	GET /projects/:id/labels
//	GET /groups/:id/labels
func (s *LabelsService) All(
	ctx context.Context, owner LabelOwner, options *ListLabelsOptions, opts ...RequestOption,
) iter.Seq2[*Label, error] {
	return all[*Label](ctx, s.client, below(owner, "/labels"), queryFor(owner, options), opts)
}

// LabelSummary is a label of a merge request, an issue or an epic. Only the name
// is set, unless details were asked for.
type LabelSummary struct {
	// ID is nil unless details were asked for, and in older releases.
	ID   *int64 `json:"id,omitzero"`
	Name string `json:"name"`
	// Color is the background and TextColor the text, as "#RRGGBB".
	Color     string `json:"color"`
	TextColor string `json:"text_color"`
	// Description and DescriptionHTML are empty if the label has none.
	Description     string `json:"description"`
	DescriptionHTML string `json:"description_html"`
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
