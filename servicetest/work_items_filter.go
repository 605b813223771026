package servicetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/graphql"
)

// A workItemFilter is an argument that filters work items. It returns what keeps a work item.
type workItemFilter struct {
	typ     string
	keeps   func(c *call, value any) (func(*workItem) bool, error)
	premium bool
}

// workItemFilters are the filters of a list by name.
func workItemFilters() map[string]workItemFilter {
	return map[string]workItemFilter{
		"iid":          {"String", oneOf(iidOf), false},
		"iids":         {"[String!]", oneOf(iidOf), false},
		"ids":          {"[WorkItemID!]", oneOf(func(w *workItem) []string { return []string{w.id()} }), false},
		"types":        {"[IssueType!]", oneOf(typeName), false},
		"state":        {"IssuableState", keepState, false},
		"confidential": {"Boolean", equal((*workItem).confidential), false},

		"authorUsername":      {"String", oneOf(authorOf), false},
		"assigneeUsernames":   {"[String!]", allOf(assigneesOf), false},
		"assigneeWildcardId":  {"AssigneeWildcardId", wildcard(assigneesOf), false},
		"labelName":           {"[String!]", allOf(labelsOf[*workItem]), false},
		"milestoneTitle":      {"[String!]", oneOf(milestoneOf[*workItem]), false},
		"milestoneWildcardId": {"MilestoneWildcardId", milestoneWildcard, false},
		"parentIds":           {"[WorkItemID!]", oneOf(parentOf), false},
		"parentWildcardId":    {"WorkItemParentWildcardId", wildcard(parentOf), false},
		"myReactionEmoji":     {"String", keepReaction, false},
		"subscribed":          {"SubscriptionStatus", keepSubscription, false},

		"closedAfter":   {"Time", notBefore(func(w *workItem) time.Time { return w.subject().closedAt }), false},
		"closedBefore":  {"Time", notAfter(func(w *workItem) time.Time { return w.subject().closedAt }), false},
		"createdAfter":  {"Time", notBefore(func(w *workItem) time.Time { return w.subject().createdAt }), false},
		"createdBefore": {"Time", notAfter(func(w *workItem) time.Time { return w.subject().createdAt }), false},
		"dueAfter":      {"Time", notBefore((*workItem).due), false},
		"dueBefore":     {"Time", notAfter((*workItem).due), false},
		"updatedAfter":  {"Time", notBefore(func(w *workItem) time.Time { return w.subject().updatedAt }), false},
		"updatedBefore": {"Time", notAfter(func(w *workItem) time.Time { return w.subject().updatedAt }), false},
		"timeframe":     {"Timeframe", keepTimeframe, false},

		"not": {"NegatedWorkItemFilterInput", keepNot, false},
		"or":  {"UnionedWorkItemFilterInput", keepOr, false},

		"iterationId":         {"[ID]", oneOf(iterationIDOf), true},
		"iterationWildcardId": {"IterationWildcardId", wildcard(iterationIDOf), true},
		"weight":              {"String", oneOf(workItemWeight), true},
		"weightWildcardId":    {"WeightWildcardId", wildcard(workItemWeight), true},
		"healthStatusFilter":  {"HealthStatusFilter", keepHealth, true},
	}
}

// otherWorkItemArgs are the arguments of a list that say whose work items it has, and in
// which order.
var otherWorkItemArgs = map[string]string{
	"search": "String", "in": "[IssuableSearchableField!]", "includeDescendants": "Boolean",
	"excludeProjects": "Boolean", "excludeGroupWorkItems": "Boolean", "sort": "WorkItemSort",
}

func workItemArgs(premium bool) map[string]string {
	args := graphql.PageArgs()
	for name, typ := range otherWorkItemArgs {
		args[name] = typ
	}
	for name, f := range workItemFilters() {
		if f.keeps != nil && (premium || !f.premium) {
			args[name] = f.typ
		}
	}
	return args
}

// listWorkItems returns the work items of a namespace that the caller can see.
func (c *call) listWorkItems(n *workItemNamespace, args graphql.Args) (any, error) {
	keeps := []func(*workItem) bool{c.searchOf(args)}
	for name, f := range workItemFilters() {
		if args[name] == nil || f.keeps == nil {
			continue
		}
		keep, err := f.keeps(c, args[name])
		if err != nil {
			return nil, err
		}
		keeps = append(keeps, keep)
	}
	isOf := n.owns
	if args["includeDescendants"] == true {
		isOf = n.holds
	}
	found := c.svc.workItems(func(w *workItem) bool {
		if !isOf(w) || !w.shownTo(c.user) || n.group != nil && args["excludeProjects"] == true && w.issue != nil ||
			args["excludeGroupWorkItems"] == true && w.epic != nil {
			return false
		}
		return !slices.ContainsFunc(keeps, func(keep func(*workItem) bool) bool { return !keep(w) })
	})
	sort, err := args.String("sort")
	page, wrong := graphql.PageInOrder(args, sortWorkItems(found, either(sort, "CREATED_DESC")))
	return page, errors.Join(err, wrong)
}

// searchOf keeps work items with a text in their title or their description.
func (c *call) searchOf(args graphql.Args) func(*workItem) bool {
	words := strings.Fields(strings.ToLower(fmt.Sprint(args["search"])))
	in := textsOf(args["in"])
	return func(w *workItem) bool {
		if args["search"] == nil {
			return true
		}
		text := ""
		if in == nil || slices.Contains(in, "TITLE") {
			text += strings.ToLower(w.subject().title) + "\n"
		}
		if in == nil || slices.Contains(in, "DESCRIPTION") {
			text += strings.ToLower(w.subject().description)
		}
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	}
}

// sortWorkItems sorts work items by an order such as "TITLE_ASC".
func sortWorkItems(items []*workItem, order string) []*workItem {
	by := strings.TrimSuffix(strings.TrimSuffix(order, "_DESC"), "_ASC")
	slices.SortFunc(items, func(a, b *workItem) int {
		if strings.HasSuffix(order, "_DESC") {
			a, b = b, a
		}
		return cmp.Or(compareWorkItems(a, b, by), a.subject().createdAt.Compare(b.subject().createdAt),
			cmp.Compare(a.number(), b.number()))
	})
	return items
}

func compareWorkItems(a, b *workItem, by string) int {
	t, other := a.subject(), b.subject()
	switch by {
	case "UPDATED":
		return t.updatedAt.Compare(other.updatedAt)
	case "TITLE":
		return cmp.Compare(strings.ToLower(t.title), strings.ToLower(other.title))
	case "DUE_DATE":
		return a.due().Compare(b.due())
	case "START_DATE":
		return a.start().Compare(b.start())
	case "CLOSED_AT":
		return t.closedAt.Compare(other.closedAt)
	case "MILESTONE_DUE":
		return t.milestone.due().Compare(other.milestone.due())
	case "POPULARITY":
		return cmp.Compare(t.count("thumbsup"), other.count("thumbsup"))
	case "WEIGHT":
		return slices.Compare(workItemWeight(a), workItemWeight(b))
	case "RELATIVE_POSITION":
		return cmp.Compare(a.position(), b.position())
	}
	return 0
}

var (
	authorOf    = usernamesOf(authors[*workItem])
	assigneesOf = usernamesOf(assignees[*workItem])
)

func iidOf(w *workItem) []string { return []string{strconv.FormatInt(w.iid(), 10)} }

func typeName(w *workItem) []string { return []string{w.typ().constant()} }

// position returns the place that users have given an issue in its project.
func (w *workItem) position() float64 {
	if w.issue == nil {
		return 0
	}
	return w.issue.position
}

func parentOf(w *workItem) []string {
	if parent := w.parent(); parent != nil {
		return []string{parent.id()}
	}
	return nil
}

func iterationIDOf(w *workItem) []string {
	if w.issue == nil || w.issue.iteration == nil {
		return nil
	}
	return []string{w.svc().gid("Iteration", w.issue.iteration.ID)}
}

func workItemWeight(w *workItem) []string {
	if w.issue == nil || w.issue.weight == nil {
		return nil
	}
	return []string{strconv.FormatInt(*w.issue.weight, 10)}
}

// textsOf returns the texts of a list, for which a single value stands, too. It is nil without
// a value.
func textsOf(value any) []string {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	if value == nil {
		return nil
	}
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i] = fmt.Sprint(item)
	}
	return texts
}

type keeper = func(c *call, value any) (func(*workItem) bool, error)

func holds(of func(*workItem) []string, wanted string) func(*workItem) bool {
	return func(w *workItem) bool {
		return slices.ContainsFunc(of(w), func(has string) bool { return strings.EqualFold(has, wanted) })
	}
}

// oneOf keeps work items that have one of the values.
func oneOf(of func(*workItem) []string) keeper {
	return func(_ *call, value any) (func(*workItem) bool, error) {
		wanted := textsOf(value)
		return func(w *workItem) bool {
			return slices.ContainsFunc(wanted, func(text string) bool { return holds(of, text)(w) })
		}, nil
	}
}

// allOf keeps work items that have all of the values.
func allOf(of func(*workItem) []string) keeper {
	return func(_ *call, value any) (func(*workItem) bool, error) {
		wanted := textsOf(value)
		return func(w *workItem) bool {
			return !slices.ContainsFunc(wanted, func(text string) bool { return !holds(of, text)(w) })
		}, nil
	}
}

// equal keeps work items with a value.
func equal[T comparable](of func(*workItem) T) keeper {
	return func(_ *call, value any) (func(*workItem) bool, error) {
		return func(w *workItem) bool { return any(of(w)) == value }, nil
	}
}

// wildcard keeps work items that have a value, or none.
func wildcard(of func(*workItem) []string) keeper {
	return func(_ *call, value any) (func(*workItem) bool, error) {
		if value != "NONE" && value != "ANY" {
			return nil, graphql.Failure(fmt.Sprintf("Argument has an invalid value: %v", value))
		}
		return func(w *workItem) bool { return (len(of(w)) > 0) == (value == "ANY") }, nil
	}
}

func milestoneWildcard(c *call, value any) (func(*workItem) bool, error) {
	words := map[any]string{"NONE": "None", "ANY": "Any", "STARTED": "Started", "UPCOMING": "Upcoming"}
	return func(w *workItem) bool { return w.subject().milestone.is(words[value], c.now()) }, nil
}

func keepState(_ *call, value any) (func(*workItem) bool, error) {
	return func(w *workItem) bool {
		return value == "all" || w.isOpen() == (value == "opened")
	}, nil
}

func keepReaction(c *call, value any) (func(*workItem) bool, error) {
	return func(w *workItem) bool {
		return c.user != nil && slices.Contains(w.subject().reactionsOf(c.user), fmt.Sprint(value))
	}, nil
}

func keepSubscription(c *call, value any) (func(*workItem) bool, error) {
	return func(w *workItem) bool {
		wanted, explicit := w.subject().subscribers[c.user]
		return explicit && wanted == (value == "EXPLICITLY_SUBSCRIBED")
	}, nil
}

func keepHealth(_ *call, value any) (func(*workItem) bool, error) {
	return func(w *workItem) bool {
		health := w.more().health
		return value == "ANY" && health != "" || value == "NONE" && health == "" || value == health
	}, nil
}

// notBefore keeps work items with a time at or after a moment, and notAfter those at or
// before it.
func notBefore(of func(*workItem) time.Time) keeper {
	return byTime(of, func(has, bound time.Time) bool { return !has.Before(bound) })
}

func notAfter(of func(*workItem) time.Time) keeper {
	return byTime(of, func(has, bound time.Time) bool { return !has.After(bound) })
}

func byTime(of func(*workItem) time.Time, fits func(has, bound time.Time) bool) keeper {
	return func(_ *call, value any) (func(*workItem) bool, error) {
		bound, err := timeOf(value)
		return func(w *workItem) bool { return !of(w).IsZero() && fits(of(w), bound) }, err
	}
}

// timeOf reads a time or a day.
func timeOf(value any) (time.Time, error) {
	text := fmt.Sprint(value)
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, graphql.Failure(strconv.Quote(text) + " is not a valid time")
}

// keepTimeframe keeps work items whose dates overlap with days.
func keepTimeframe(_ *call, value any) (func(*workItem) bool, error) {
	span, _ := value.(map[string]any)
	from, err := timeOf(span["start"])
	to, wrong := timeOf(span["end"])
	return func(w *workItem) bool {
		start, due := w.start(), w.due()
		return !(start.IsZero() && due.IsZero()) && (start.IsZero() || !start.After(to)) &&
			(due.IsZero() || !due.Before(from))
	}, errors.Join(err, wrong)
}

// keepNot keeps work items that have none of the values.
func keepNot(c *call, value any) (func(*workItem) bool, error) {
	return c.workItemObject(value, "not", map[string]func(*workItem) []string{
		"iids": iidOf, "types": typeName, "authorUsername": authorOf, "assigneeUsernames": assigneesOf,
		"labelName":      labelsOf[*workItem],
		"milestoneTitle": milestoneOf[*workItem], "parentIds": parentOf, "iterationId": iterationIDOf,
		"weight":          workItemWeight,
		"myReactionEmoji": func(w *workItem) []string { return w.subject().reactionsOf(c.user) },
	}, func(has bool) bool { return !has })
}

// keepOr keeps work items that have one of the values of each member.
func keepOr(c *call, value any) (func(*workItem) bool, error) {
	return c.workItemObject(value, "or", map[string]func(*workItem) []string{
		"authorUsernames": authorOf, "assigneeUsernames": assigneesOf, "labelNames": labelsOf[*workItem],
	}, func(has bool) bool { return has })
}

// workItemObject reads an argument that is an object of lists.
func (c *call) workItemObject(
	value any, name string, known map[string]func(*workItem) []string, fits func(has bool) bool,
) (func(*workItem) bool, error) {
	members, _ := value.(map[string]any)
	var keeps []func(*workItem) bool
	for member, wanted := range members {
		of := known[member]
		if of == nil {
			return nil, graphql.Failure("Argument '" + name + "' has a member that is not supported: " + member)
		}
		has, _ := oneOf(of)(c, wanted)
		keeps = append(keeps, func(w *workItem) bool { return fits(has(w)) })
	}
	return func(w *workItem) bool {
		return !slices.ContainsFunc(keeps, func(keep func(*workItem) bool) bool { return !keep(w) })
	}, nil
}
