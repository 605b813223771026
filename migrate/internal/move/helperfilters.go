package move

import "maps"

func init() {
	maps.Copy(helpers, filterHelpers)
	maps.Copy(helpers, textHelpers)
}

// filterHelpers are the helpers that make filters of values that client-go sends as they are.
var filterHelpers = map[string]helper{
	"labelFilter": {imports: []string{lib, "strings"}, needs: []string{"splitNames"}, text: `
// labelFilter returns a filter by labels. A name may be several with commas between them, or one
// of the words for none and any. Without a name, it does not filter.
func labelFilter(names []string) serviceapi.LabelFilter {
	names = splitNames(names)
	switch {
	case len(names) == 0:
		return serviceapi.LabelFilter{}
	case len(names) == 1 && strings.EqualFold(names[0], "None"):
		return serviceapi.NoLabel
	case len(names) == 1 && strings.EqualFold(names[0], "Any"):
		return serviceapi.AnyLabel
	}
	return serviceapi.LabelsAre(names...)
}`},
	"splitNames": {imports: []string{"strings"}, text: `
// splitNames separates names at their commas. It returns nil for nil.
func splitNames(names []string) []string {
	if names == nil {
		return nil
	}
	all := []string{}
	for _, name := range names {
		for part := range strings.SplitSeq(name, ",") {
			if part != "" {
				all = append(all, part)
			}
		}
	}
	return all
}`},
	"milestoneFilter": {imports: []string{lib, "strings"}, text: `
// milestoneFilter returns a filter by a title, or by one of the words for none and any. An empty
// title does not filter.
func milestoneFilter(title string) serviceapi.MilestoneFilter {
	switch strings.ToLower(title) {
	case "":
		return serviceapi.MilestoneFilter{}
	case "none":
		return serviceapi.NoMilestone
	case "any":
		return serviceapi.AnyMilestone
	}
	return serviceapi.MilestoneIs(title)
}`},
	"emojiFilter": {imports: []string{lib, "strings"}, text: `
// emojiFilter returns a filter by an emoji, or by one of the words for none and any. An empty name
// does not filter.
func emojiFilter(name string) serviceapi.EmojiFilter {
	switch strings.ToLower(name) {
	case "":
		return serviceapi.EmojiFilter{}
	case "none":
		return serviceapi.NoEmoji
	case "any":
		return serviceapi.AnyEmoji
	}
	return serviceapi.EmojiIs(name)
}`},
	"orNull": {imports: []string{lib}, text: `
// orNull sends null for a list that is nil.
func orNull[T any](name string, list []T) serviceapi.RequestOption {
	if list != nil {
		return serviceapi.WithPollObserver(nil) // nothing to add
	}
	return serviceapi.WithBodyField(name, nil)
}`},
	"usersFilter": {imports: []string{lib}, text: `
// usersFilter returns a filter by users. Without an ID, it does not filter.
func usersFilter(ids []int64) serviceapi.UsersFilter {
	if len(ids) == 0 {
		return serviceapi.UsersFilter{}
	}
	return serviceapi.UsersAre(ids...)
}`},
}
