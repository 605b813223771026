package servicetest

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// An Iteration is a period for which a group plans issues. It requires the Premium
// tier. Make one with Group.Iteration, or with InIteration.
type Iteration struct {
	ID         int64  // 0 means the next one
	Title      string // may be empty
	Start, Due time.Time
}

// A keptIteration is an iteration of a group.
type keptIteration struct {
	Iteration

	group     *Group // nil if it is for an issue in a personal project
	iid       int64
	createdAt time.Time
	now       func() time.Time
}

// iterationState keeps the iterations of a service.
type iterationState struct {
	iterations table[*keptIteration]
	iids       map[*Group]int64
}

// Iteration makes an iteration of the group, or returns the one with that ID. The API
// cannot create iterations.
func (g *Group) Iteration(it Iteration) Iteration {
	defer g.svc.lock()()
	return g.keepIteration(it).Iteration
}

func (g *Group) keepIteration(it Iteration) *keptIteration {
	all := state[iterationState](g.svc)
	if known, ok := all.iterations.get(it.ID); ok {
		return known
	}
	kept := &keptIteration{Iteration: it, group: g, createdAt: g.svc.now(), now: g.svc.now}
	kept.ID, _ = all.iterations.add(it.ID, kept)
	kept.iid = nextIID(&all.iids, g)
	return kept
}

// json returns the iteration as an issue shows it, or null if there is none.
func (it *Iteration) json(of *Issue) *collection.Form {
	if it == nil {
		return nil
	}
	svc := of.project.svc
	kept, ok := state[iterationState](svc).iterations.get(it.ID)
	if !ok {
		kept = &keptIteration{Iteration: *it, iid: it.ID, createdAt: of.createdAt, now: svc.now}
	}
	return collection.Show(iterations.Fields, kept)
}

var iterations = collection.Table[*call, any, keptIteration]{
	Home:    (*call).tokenHome,
	Records: (*call).iterationsOf,
	Fields: []collection.Field[keptIteration]{
		collection.Shown("id", func(it *keptIteration) int64 { return it.ID }),
		collection.Shown("iid", func(it *keptIteration) int64 { return it.iid }),
		collection.Shown("sequence", func(it *keptIteration) int64 { return it.iid }),
		collection.Shown("group_id", (*keptIteration).groupID).Omitted(),
		collection.Shown("title", func(it *keptIteration) jsonText { return jsonText(it.Title) }),
		collection.Shown("description", func(*keptIteration) any { return nil }),
		collection.Shown("state", func(it *keptIteration) int { return slices.Index(iterationStates, it.state()) + 1 }),
		collection.Shown("created_at", func(it *keptIteration) jsonTime { return jsonTime(it.createdAt) }),
		collection.Shown("updated_at", func(it *keptIteration) jsonTime { return jsonTime(it.createdAt) }),
		collection.Shown("start_date", func(it *keptIteration) jsonDate { return jsonDate(it.Start) }),
		collection.Shown("due_date", func(it *keptIteration) jsonDate { return jsonDate(it.Due) }),
		collection.Shown("web_url", (*keptIteration).webURL).Omitted(),
	},
	Filters: []collection.Filter[keptIteration]{
		byIterationState,
		func(f frame.Fields) func(*keptIteration) bool {
			search, in := f.String("search"), f.StringsIn("in", "title", "cadence_title")
			inTitle := len(in) == 0 || slices.Contains(in, "title")
			return func(it *keptIteration) bool {
				return search == "" || inTitle &&
					frame.ContainsFold(it.Title, search)
			}
		},
		collection.Span("updated_after", "updated_before", func(it *keptIteration) time.Time { return it.createdAt }),
	},
}

// iterationStates are the states in the order of the numbers that the API sends.
var iterationStates = []string{"upcoming", "current", "closed"}

func (it *keptIteration) state() string {
	switch today := it.now().UTC().Truncate(24 * time.Hour); {
	case today.Before(it.Start):
		return "upcoming"
	case today.After(it.Due):
		return "closed"
	}
	return "current"
}

func byIterationState(f frame.Fields) func(*keptIteration) bool {
	wanted := f.StringIn("state", "opened", "upcoming", "current", "started", "closed", "all")
	return func(it *keptIteration) bool {
		switch wanted {
		case "", "all":
			return true
		case "opened":
			return it.state() != "closed"
		case "started":
			return it.state() == "current"
		}
		return it.state() == wanted
	}
}

// iterationsOf returns the iterations that the list of a project or a group shows, in
// the order of their start dates.
func (c *call) iterationsOf(home any) []*keptIteration {
	above, below := c.BoolOr("include_ancestors", true), c.Bool("include_descendants")
	group, _ := home.(*Group)
	if p, inProject := home.(*Project); inProject {
		group = p.group
	}
	found := state[iterationState](c.svc).iterations.all(func(it *keptIteration) bool {
		return group != nil && (it.group == group || above && group.within(it.group) ||
			below && it.group.within(group) && c.svc.canSeeGroup(c.user, it.group))
	})
	slices.SortStableFunc(found, func(a, b *keptIteration) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.ID, b.ID))
	})
	return found
}

func (it *keptIteration) key() int64 { return it.ID }

func (it *keptIteration) groupID() any {
	if it.group == nil {
		return nil
	}
	return it.group.id
}

func (it *keptIteration) webURL() any {
	if it.group == nil {
		return nil
	}
	return it.group.webURL() + "/-/iterations/" + frame.Itoa(it.ID)
}
