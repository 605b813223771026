package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/emoji"
	"example.com/serviceapi/servicetest/internal/frame"
)

// An award is an emoji that a user gave to an issue, a merge request, a snippet, an
// epic or a note.
type award struct {
	id        int64
	user      *User
	name      string // without colons
	createdAt time.Time
}

// awards holds the emojis on an object, oldest first.
type awards struct{ reactions []*award }

// addReaction adds an emoji of a user. It returns nil if the user has already given
// that emoji.
func (a *awards) addReaction(user *User, name string) *award {
	if slices.ContainsFunc(a.reactions, func(r *award) bool { return r.user == user && r.name == name }) {
		return nil
	}
	all := state[noteState](user.svc)
	all.awards++
	r := &award{id: all.awards, user: user, name: name, createdAt: user.svc.now()}
	a.reactions = append(a.reactions, r)
	return r
}

// A ReactionOption is what [Reaction] returns.
type ReactionOption struct {
	user  *User
	emoji string
}

// Reaction adds a user's award emoji, such as "thumbsup", to an issue, a merge
// request, a snippet, an epic or a note. Its name may also be that of a custom emoji, which
// calls do not accept.
func Reaction(user *User, emoji string) ReactionOption { return ReactionOption{user, emoji} }

func (o ReactionOption) applyIssue(i *Issue)               { i.addReaction(o.user, o.emoji) }
func (o ReactionOption) applyMergeRequest(m *MergeRequest) { m.addReaction(o.user, o.emoji) }
func (o ReactionOption) applySnippet(s *Snippet)           { s.addReaction(o.user, o.emoji) }
func (o ReactionOption) applyEpic(e *Epic)                 { e.addReaction(o.user, o.emoji) }
func (o ReactionOption) applyNote(n *Note)                 { n.addReaction(o.user, o.emoji) }

// removeReactions removes the emojis that a user gave.
func (a *awards) removeReactions(user *User) {
	a.reactions = slices.DeleteFunc(a.reactions, func(r *award) bool { return r.user == user })
}

// count returns the number of users who gave an emoji.
func (a *awards) count(name string) int {
	n := 0
	for _, r := range a.reactions {
		if r.name == name {
			n++
		}
	}
	return n
}

// givenBy is like reactionsOf, for handles.
func (a *awards) givenBy(s *Service, user *User) []string {
	defer s.lock()()
	return a.reactionsOf(user)
}

// reactionsOf returns the emojis of one user.
func (a *awards) reactionsOf(user *User) []string {
	var names []string
	for _, r := range a.reactions {
		if r.user == user {
			names = append(names, r.name)
		}
	}
	return names
}

// json returns the award on an object of a kind.
func (r *award) json(kind string, id int64) object {
	return object{
		"id": r.id, "name": r.name, "user": r.user.summary(), "created_at": jsonTime(r.createdAt),
		"updated_at": jsonTime(r.createdAt), "awardable_id": id, "awardable_type": kind,
		"url": nil,
	}
}

// An awardable is an object with reactions, or a note on it.
type awardable struct {
	*awards

	on   *noteable
	kind string
	id   int64
}

// onAwards adapts a handler to one kind of object with reactions. If the caller may not
// read the object, it responds with 404.
func onAwards(find func(*call) (*noteable, *reply), handle func(*call, *awardable) *reply) handler {
	return func(c *call) *reply {
		if _, refusal := c.tokenHome(); refusal != nil {
			return refusal
		}
		on, refusal := find(c)
		if refusal != nil {
			return noAward("")
		}
		found := &awardable{&on.awards, on, on.kind, on.id}
		if _, isNote := c.Path["note_id"]; isNote {
			note, refusal := c.findNote(on)
			if refusal != nil {
				return noAward("")
			}
			found = &awardable{&note.awards, on, "Note", note.id}
		}
		return handle(c, found)
	}
}

// noAward returns the 404 that the service sends for anything wrong with a reaction.
func noAward(reason string) *reply {
	if reason != "" {
		reason = " " + reason
	}
	return frame.NotFound("Award Emoji" + reason)
}

func listAwards(c *call, on *awardable) *reply {
	return frame.ListOf(c, on.reactions, func(r *award) object { return r.json(on.kind, on.id) })
}

// award returns the reaction of the path.
func (on *awardable) award(c *call) (*award, *reply) {
	at := slices.IndexFunc(on.reactions, func(r *award) bool { return r.id == c.PathInt64("award_id") })
	if at < 0 {
		return nil, noAward("")
	}
	return on.reactions[at], nil
}

func getAward(c *call, on *awardable) *reply {
	r, refusal := on.award(c)
	if refusal != nil {
		return refusal
	}
	return c.OK(r.json(on.kind, on.id))
}

func createAward(c *call, on *awardable) *reply {
	c.RequireGiven("name")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	name, known := emoji.Main(c.String("name"))
	if !known {
		return noAward("Name is not a valid emoji name")
	}
	r := on.addReaction(c.user, name)
	if r == nil {
		return noAward("Name has already been taken")
	}
	on.on.changed(c.now())
	return c.Created(r.json(on.kind, on.id))
}

func deleteAward(c *call, on *awardable) *reply {
	r, refusal := on.award(c)
	if refusal != nil {
		return refusal
	}
	if r.user != c.user && !c.admin() {
		return frame.Unauthorized()
	}
	on.reactions = without(on.reactions, r)
	on.on.changed(c.now())
	return c.NoContent()
}
