package servicetest

import "slices"

// A discussion is what people leave on an issue, a merge request, a
// snippet or an epic.
type discussion struct {
	notes     []*Note // oldest first
	reactions []reaction
}

// userNotes returns how many notes people wrote.
func (d *discussion) userNotes() int {
	n := 0
	for _, note := range d.notes {
		if !note.system {
			n++
		}
	}
	return n
}

// A reaction is an award emoji of a user.
type reaction struct {
	user *User
	name string // without colons
}

// addReaction reports false if the user has given that emoji already.
func (d *discussion) addReaction(user *User, name string) bool {
	if slices.Contains(d.reactions, reaction{user, name}) {
		return false
	}
	d.reactions = append(d.reactions, reaction{user, name})
	return true
}

// count returns how many users gave an emoji.
func (d *discussion) count(name string) int {
	n := 0
	for _, r := range d.reactions {
		if r.name == name {
			n++
		}
	}
	return n
}

// reactionsOf returns the emoji of one user.
func (d *discussion) reactionsOf(user *User) []string {
	var names []string
	for _, r := range d.reactions {
		if r.user == user {
			names = append(names, r.name)
		}
	}
	return names
}
