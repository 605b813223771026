package servicetest

import (
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// An email is an additional address of a user.
type email struct {
	id          int64
	user        *User
	address     string
	confirmedAt time.Time // zero until it is confirmed
}

// emailState keeps the additional addresses of all users.
type emailState struct{ emails table[*email] }

var emails = collection.Table[*call, *User, email]{
	Name:    "Email",
	Param:   "email_id",
	ID:      func(e *email) int64 { return e.id },
	Home:    (*call).keyOwner,
	Records: func(_ *call, u *User) []*email { return u.emails() },
	Fields: []collection.Field[email]{
		collection.Shown("id", func(e *email) int64 { return e.id }),
		collection.Text("email", func(e *email) *string { return &e.address }).Required().
			Match(validEmail, "is invalid"),
		collection.Moment("confirmed_at", func(e *email) *time.Time { return &e.confirmedAt }).ReadOnly(),
	},
	New: func(_ *call, u *User) *email { return &email{user: u} },
	Read: func(c *call, _ *User, e *email, _ bool) {
		if c.route.admins && c.Bool("skip_confirmation") {
			e.confirmedAt = c.now()
		}
	},
	Check: func(c *call, _ *User, e, _ *email) *reply {
		if c.svc.hasAddress(e.address, nil) {
			return frame.FieldErrors("email", "has already been taken")
		}
		return nil
	},
	Add:    func(c *call, _ *User, e *email) { e.id, _ = state[emailState](c.svc).emails.add(0, e) },
	Remove: func(_ *call, _ *User, e *email) { e.remove() },
}

// emails returns the additional addresses of the user.
func (u *User) emails() []*email {
	return state[emailState](u.svc).emails.all(func(e *email) bool { return e.user == u })
}

// remove removes an address. The user no longer shows it or commits with it.
func (e *email) remove() {
	state[emailState](e.user.svc).emails.remove(e.id)
	u := e.user
	if strings.EqualFold(u.publicEmail, e.address) {
		u.publicEmail = ""
	}
	if strings.EqualFold(u.commitEmail, e.address) {
		u.commitEmail = u.email
	}
	u.svc.touch(u)
}

// hasAddress reports whether any user but one has an email address, as the primary or
// as an additional one.
func (s *Service) hasAddress(address string, except *User) bool {
	first := s.users.all(func(u *User) bool { return u != except && strings.EqualFold(u.email, address) })
	further := state[emailState](s).emails.all(func(e *email) bool {
		return e.user != except && strings.EqualFold(e.address, address)
	})
	return len(first)+len(further) > 0
}

// ConfirmEmail confirms an email address of the user, as the link in an email does: an
// address that waits to replace another, or an additional one.
func (u *User) ConfirmEmail(address string) {
	defer u.svc.lock()()
	if u.unconfirmedEmail == address {
		u.email, u.unconfirmedEmail = address, ""
	}
	for _, e := range u.emails() {
		if strings.EqualFold(e.address, address) {
			e.confirmedAt = u.svc.now()
		}
	}
	u.svc.touch(u)
}
