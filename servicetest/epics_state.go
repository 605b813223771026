package servicetest

import "time"

// An Epic is a plan of a group. Make one with Group.Epic.
type Epic struct {
	discussion

	group     *Group
	id        int64
	iid       int64
	title     string
	author    *User
	createdAt time.Time
}

// An EpicOption sets a property of an epic: By, CreatedAt and ID are
// EpicOptions.
type EpicOption interface{ applyEpic(e *Epic) }

func (o IDOption) applyEpic(e *Epic)        { e.id = int64(o) }
func (o ByOption) applyEpic(e *Epic)        { e.author = o.user }
func (o CreatedAtOption) applyEpic(e *Epic) { e.createdAt = time.Time(o).UTC() }

type epicState struct {
	epics table[*Epic]
	iids  map[*Group]int64
}

// Epic makes an epic of the group, written by Root unless By says otherwise.
// Its id counts the epics of the service, its iid those of the group.
func (g *Group) Epic(title string, opts ...EpicOption) *Epic {
	defer g.svc.lock()()
	e := &Epic{group: g, title: title, author: g.svc.admin, createdAt: g.svc.now()}
	for _, opt := range opts {
		opt.applyEpic(e)
	}
	all := state[epicState](g.svc)
	seed(g.svc, &all.epics, &e.id, e, "an epic")
	if all.iids == nil {
		all.iids = make(map[*Group]int64)
	}
	all.iids[g]++
	e.iid = all.iids[g]
	return e
}

// ID returns the epic's id.
func (e *Epic) ID() int64 { return e.id }

// IID returns the epic's number in its group.
func (e *Epic) IID() int64 { return e.iid }

// Reactions returns the names of the emoji that a user reacted with.
func (e *Epic) Reactions(user *User) []string {
	defer e.group.svc.lock()()
	return e.reactionsOf(user)
}
