package servicetest

import (
	"slices"
	"time"
)

// An award is an emoji that a user gave to an issue, a merge request, a snippet, an
// epic or a note.
type award struct {
	id        int64
	user      *User
	name      string // without colons
	createdAt time.Time
}

// awards are the emojis that something has, oldest first.
type awards struct{ reactions []*award }

// addReaction returns nil if the user has already given that emoji.
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
// request, a snippet, an epic or a note.
func Reaction(user *User, emoji string) ReactionOption { return ReactionOption{user, emoji} }

func (o ReactionOption) applyIssue(i *Issue)               { i.addReaction(o.user, o.emoji) }
func (o ReactionOption) applyMergeRequest(m *MergeRequest) { m.addReaction(o.user, o.emoji) }
func (o ReactionOption) applySnippet(s *Snippet)           { s.addReaction(o.user, o.emoji) }
func (o ReactionOption) applyEpic(e *Epic)                 { e.addReaction(o.user, o.emoji) }
func (o ReactionOption) applyNote(n *Note)                 { n.addReaction(o.user, o.emoji) }

// removeReactions removes those that a user gave.
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
	}
}
