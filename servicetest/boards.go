package servicetest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// boardState keeps the boards of a service. Their lists count on their own.
type boardState struct {
	boards, epicBoards table[*board]
	lists, epicLists   int64 // how many were ever made
}

// A board shows the issues of a project or a group in lists, or the epics of a group.
type board struct {
	id          int64
	home        any // a *Project or a *Group
	name        string
	hideBacklog bool
	hideClosed  bool
	milestone   *Milestone
	assignee    *User
	labels      []*label
	weight      *int64
	lists       []*boardList
}

// A boardList is a list of a board. Its position is its place there.
type boardList struct {
	board       *board
	id          int64
	of          any     // a *label, *Milestone, *User or *keptIteration, or nil
	kind        string  // in a board of epics: backlog, label or closed
	collapsedBy []*User // in a board of epics
}

func (b *board) key() int64 { return b.id }

// boardFields are the fields that boards of issues and of epics have.
var boardFields = []collection.Field[board]{
	collection.Shown("id", (*board).key),
	collection.Text("name", func(b *board) *string { return &b.name }).Required(),
	collection.Shown("hide_backlog_list", func(b *board) bool { return b.hideBacklog }),
	collection.Shown("hide_closed_list", func(b *board) bool { return b.hideClosed }),
	collection.Shown("group", func(b *board) any {
		g, _ := b.home.(*Group)
		if g == nil {
			return nil
		}
		return object{"id": g.id, "web_url": g.webURL(), "name": g.name}
	}),
}

var boards = collection.Table[*call, any, board]{
	Param: "board_id", ID: (*board).key,
	Home:    (*call).tokenHome,
	Records: func(c *call, home any) []*board { return boardsOf(&state[boardState](c.svc).boards, home) },
	Fields: slices.Concat(boardFields, []collection.Field[board]{
		collection.Shown("project", func(b *board) any {
			if p, inProject := b.home.(*Project); inProject {
				return p.basic()
			}
			return nil
		}),
	}),
	New:    func(_ *call, home any) *board { return &board{home: home} },
	Read:   (*call).readBoard,
	Check:  (*call).checkBoard,
	Add:    func(c *call, _ any, b *board) { b.id, _ = state[boardState](c.svc).boards.add(0, b) },
	Remove: func(c *call, _ any, b *board) { state[boardState](c.svc).boards.remove(b.id) },
	Extra: func(c *call, _ any, b *board, form *collection.Form) {
		form.Add("lists", mapped(b.lists, func(l *boardList) *collection.Form {
			form := collection.Show(boardListFields, l)
			c.completeList(b, l, form)
			return form
		}))
		if c.hasTier(Premium) {
			form.Add("milestone", b.milestone.json())
			form.Add("assignee", b.assignee.summary())
			form.Add("labels", mapped(b.labels, boardLabel))
			form.Add("weight", b.weight)
		}
	},
}

// boardsOf returns the boards of a project or a group, by name.
func boardsOf(all *table[*board], home any) []*board {
	found := all.all(func(b *board) bool { return b.home == home })
	slices.SortStableFunc(found, func(a, b *board) int {
		return cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	return found
}

func boardLabel(l *label) *collection.Form {
	form := collection.Show(labelDetails, l)
	form.Add("archived", l.archived)
	return form
}

// readBoard reads what only a change of a board takes. Lower tiers ignore the limits.
func (c *call) readBoard(home any, draft *board, making bool) {
	if making {
		return
	}
	draft.hideBacklog = c.BoolOr("hide_backlog_list", draft.hideBacklog)
	draft.hideClosed = c.BoolOr("hide_closed_list", draft.hideClosed)
	assignee, milestone, names := c.Int64("assignee_id"), c.Int64("milestone_id"), c.SplitStrings("labels")
	frame.AcceptIn(c.Int64In, "weight", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	if !c.hasTier(Premium) || c.Refusal() != nil {
		return
	}
	if c.Has("assignee_id") {
		draft.assignee, _ = c.svc.users.get(assignee)
	}
	if c.Has("milestone_id") {
		draft.milestone = c.svc.milestoneIn(home, milestone)
	}
	if c.Has("labels") {
		draft.labels = c.svc.labelsIn(home, names)
	}
	given(c, "weight", c.Int64OrNil, &draft.weight)
}

func (c *call) checkBoard(_ any, draft, _ *board) *reply {
	if utf8.RuneCountInString(draft.name) > maxTitle {
		return frame.BadRequest(`Failed to save board {:name=>["is too long (maximum is 255 characters)"]}`)
	}
	return nil
}

// milestoneIn returns the milestone with an ID that a project or a group can use, or nil.
func (s *Service) milestoneIn(home any, id int64) *Milestone {
	if p, inProject := home.(*Project); inProject {
		return p.milestoneWith(id)
	}
	m, _ := state[milestoneState](s).milestones.get(id)
	if m == nil || m.group == nil || !home.(*Group).within(m.group) {
		return nil
	}
	return m
}

// labelsIn returns the labels of a project or a group with these names. It makes those that do
// not exist.
func (s *Service) labelsIn(home any, names []string) []*label {
	home.(interface{ keepLabels(names []string) }).keepLabels(names)
	var found []*label
	for _, name := range names {
		if l := s.label(name, usableIn(home)); !slices.Contains(found, l) {
			found = append(found, l)
		}
	}
	return found
}

func (l *boardList) position() int { return slices.Index(l.board.lists, l) }

var boardLists = collection.Table[*call, *board, boardList]{
	Param: "list_id", ID: func(l *boardList) int64 { return l.id },
	Home:    boards.Record,
	Records: func(_ *call, b *board) []*boardList { return slices.Clone(b.lists) },
	New:     func(_ *call, b *board) *boardList { return &boardList{board: b} },
	Check:   func(c *call, b *board, draft, _ *boardList) *reply { return c.readListSource(b, draft) },
	Add: func(c *call, b *board, l *boardList) {
		all := state[boardState](c.svc)
		all.lists++
		l.id, b.lists = all.lists, append(b.lists, l)
	},
	Remove: func(_ *call, b *board, l *boardList) {
		b.lists = without(b.lists, l)
	},
	Fields: boardListFields,
	Extra:  (*call).completeList,
}

var boardListFields = []collection.Field[boardList]{
	collection.Shown("id", func(l *boardList) int64 { return l.id }),
	collection.Shown("label", (*boardList).label),
	collection.Shown("position", (*boardList).position),
}

// label returns the JSON of the label that the list collects, or null.
func (l *boardList) label() *collection.Form {
	if of, is := l.of.(*label); is {
		return boardLabel(of)
	}
	return nil
}

// completeList adds what depends on the tier and on what the list collects.
func (c *call) completeList(_ *board, l *boardList, form *collection.Form) {
	if c.hasTier(Premium) {
		form.Add("max_issue_count", 0)
		form.Add("max_issue_weight", 0)
		form.Add("limit_metric", nil)
	}
	switch of := l.of.(type) {
	case *Milestone:
		form.Add("milestone", of.json())
	case *keptIteration:
		form.Add("iteration", collection.Show(iterations.Fields, of))
	case *User:
		form.Add("assignee", object{"id": of.id, "username": of.username, "name": of.name,
			"public_email": jsonText(of.publicEmail)})
	}
}

// listSources are the parameters that say what a new list collects, and their names in refusals.
var listSources = [][2]string{
	{"label_id", "Label"}, {"milestone_id", "Milestone"}, {"iteration_id", "Iteration"}, {"assignee_id", "Assignee"},
}

// readListSource reads what a new list collects.
func (c *call) readListSource(b *board, draft *boardList) *reply {
	var given []string
	found := false
	for _, source := range listSources {
		if id := c.Int64(source[0]); c.Has(source[0]) {
			given = append(given, source[1])
			draft.of, found = c.listSource(b.home, source[1], id)
		}
	}
	const all = "label_id, milestone_id, iteration_id, assignee_id are "
	switch len(given) {
	case 0:
		c.Problem(all + "missing, exactly one parameter must be provided")
	case 1:
	default:
		c.Problem(all + "mutually exclusive")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	switch kind := given[0]; {
	case kind != "Label" && !c.hasTier(Premium):
		return listProblem(kind + " lists not available with your current license")
	case !found:
		return listProblem(kind + " not found")
	case slices.ContainsFunc(b.lists, func(l *boardList) bool { return l.of == draft.of }):
		return listProblem(kind + " has already been taken")
	}
	return nil
}

// listSource returns what a list of a kind collects, if the owner of the board can use it.
func (c *call) listSource(home any, kind string, id int64) (of any, found bool) {
	switch kind {
	case "Label":
		l, ok := state[labelState](c.svc).labels.get(id)
		return l, ok && usableIn(home)(l)
	case "Milestone":
		m := c.svc.milestoneIn(home, id)
		return m, m != nil
	case "Iteration":
		it, ok := state[iterationState](c.svc).iterations.get(id)
		return it, ok && slices.Contains(c.iterationsOf(home), it)
	}
	u, ok := c.svc.users.get(id)
	return u, ok && !u.gone
}

func listProblem(text string) *reply {
	return frame.JSONReply(400, object{"message": object{"error": text}})
}

// moveBoardList moves a list to another position.
func moveBoardList(c *call, b *board, l *boardList) *reply {
	c.RequireGiven("position")
	position := c.Int64("position")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if at := l.position(); position < 0 || position >= int64(len(b.lists)) || position == int64(at) {
		return listProblem("List could not be moved!")
	}
	boardLists.Remove(c, b, l)
	b.lists = slices.Insert(b.lists, int(position), l)
	return c.OK(boardLists.Form(c, b, l))
}

// relist makes boards use another label instead of a label or a milestone, or nothing if to is
// nil.
func (s *Service) relist(from any, to *label) {
	all := state[boardState](s)
	for _, b := range slices.Concat(all.boards.all(nil), all.epicBoards.all(nil)) {
		b.lists = slices.DeleteFunc(b.lists, func(l *boardList) bool {
			if l.of == from && to != nil {
				l.of = to
			}
			return l.of == from
		})
		if at := slices.IndexFunc(b.labels, func(l *label) bool { return any(l) == from }); at >= 0 {
			b.labels[at] = to
		}
		b.labels = slices.DeleteFunc(b.labels, func(l *label) bool { return l == nil })
		if any(b.milestone) == from {
			b.milestone = nil
		}
	}
}

// removeBoards removes the boards of a project or a group.
func (s *Service) removeBoards(home any) {
	removeWhere(&state[boardState](s).boards, func(b *board) bool { return b.home == home })
	removeWhere(&state[boardState](s).epicBoards, func(b *board) bool { return b.home == home })
}

// An EpicBoard is a board of the epics of a group. It requires the Premium tier. Make one with
// Group.EpicBoard.
type EpicBoard struct {
	ID   int64 // 0 means the next one
	Name string
	// Labels are the names of the labels that have a list, in their order. Every board also has
	// an open and a closed list. Labels that do not exist are made.
	Labels []string
	// Limit are the names of the labels that all epics of the board have.
	Limit []string
	// HideBacklogList and HideClosedList hide the open and the closed list.
	HideBacklogList, HideClosedList bool
	// Collapsed says who has collapsed which list, by the name of its label.
	Collapsed map[string][]*User
}

// EpicBoard makes a board of the epics of the group, and returns it with its ID. The API cannot
// create boards of epics.
func (g *Group) EpicBoard(given EpicBoard) EpicBoard {
	defer g.svc.lock()()
	b := &board{
		home: g, id: given.ID, name: given.Name, hideBacklog: given.HideBacklogList, hideClosed: given.HideClosedList,
		labels: g.svc.labelsIn(g, given.Limit),
	}
	seed(g.svc, &state[boardState](g.svc).epicBoards, &b.id, b, "a board of epics")
	b.addEpicList("backlog", nil, nil)
	for _, l := range g.svc.labelsIn(g, given.Labels) {
		b.addEpicList("label", l, slices.Clone(given.Collapsed[l.name]))
	}
	b.addEpicList("closed", nil, nil)
	given.ID = b.id
	return given
}

func (b *board) addEpicList(kind string, of any, collapsedBy []*User) {
	all := state[boardState](b.home.(*Group).svc)
	all.epicLists++
	b.lists = append(b.lists, &boardList{board: b, id: all.epicLists, kind: kind, of: of, collapsedBy: collapsedBy})
}

var epicBoards = collection.Table[*call, *Group, board]{
	Param: "board_id", ID: (*board).key,
	Home:    (*call).group,
	Records: func(c *call, g *Group) []*board { return boardsOf(&state[boardState](c.svc).epicBoards, g) },
	Fields:  boardFields,
	Extra: func(c *call, _ *Group, b *board, form *collection.Form) {
		form.Add("labels", mapped(b.labels, boardLabel))
		form.Add("lists", mapped(b.lists, func(l *boardList) *collection.Form {
			return collection.Show(epicListFields, l)
		}))
	},
}

var epicBoardLists = collection.Table[*call, *board, boardList]{
	Param: "list_id", ID: func(l *boardList) int64 { return l.id },
	Home: epicBoards.Record,
	Records: func(_ *call, b *board) []*boardList {
		return slices.DeleteFunc(slices.Clone(b.lists), func(l *boardList) bool { return l.kind != "label" })
	},
	Fields: epicListFields,
	Extra: func(c *call, _ *board, l *boardList, form *collection.Form) {
		form.Add("collapsed", slices.Contains(l.collapsedBy, c.user))
	},
}

var epicListFields = []collection.Field[boardList]{
	collection.Shown("id", func(l *boardList) int64 { return l.id }),
	collection.Shown("label", (*boardList).label),
	collection.Shown("position", func(l *boardList) any {
		if l.kind != "label" {
			return nil
		}
		return l.position() - 1 // after the open list
	}),
	collection.Shown("list_type", func(l *boardList) string { return l.kind }),
}
