package servicetest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

// terraformStates keeps the Terraform states of projects by name.
type terraformStates struct {
	named map[*Project]map[string]*TerraformState
	made  int64 // how many states and versions there have been
}

// A TerraformState is a Terraform state of a project. Make one with
// Project.TerraformState.
type TerraformState struct {
	project  *Project
	id       int64
	name     string
	made     time.Time
	versions []*terraformVersion // oldest first
	lock     *terraformLock      // nil unless it is locked
}

// A terraformVersion is one version of a state.
type terraformVersion struct {
	id      int64
	serial  int64
	content *content
	by      *User
	job     *Job // nil unless a job wrote it
}

// A terraformLock is a lock in the terms of Terraform.
type terraformLock struct {
	ID, Operation, Info, Who, Version, Created, Path string

	by *User
	at time.Time
}

const maxTerraformName = 255

// TerraformState makes a state of the project with versions, oldest first. Each version
// is JSON with a unique number, its serial.
func (p *Project) TerraformState(name string, versions ...string) *TerraformState {
	defer p.svc.lock()()
	if p.terraformState(name) != nil {
		p.svc.fail("a Terraform state %q already exists in %q", name, p.fullPath())
	}
	t := p.keptTerraformState(name)
	for _, text := range versions {
		var said struct{ Serial *int64 }
		if err := json.Unmarshal([]byte(text), &said); err != nil || said.Serial == nil {
			p.svc.fail("a version of the Terraform state %q is not JSON with a serial: %s", name, text)
		}
		if t.version(*said.Serial) != nil {
			p.svc.fail("the Terraform state %q has two versions with the serial %d", name, *said.Serial)
		}
		t.add(terraformVersion{serial: *said.Serial, content: textContent([]byte(text), p.svc.now()), by: p.svc.admin})
	}
	return t
}

// Serials returns the serials of the versions of the state, oldest first.
func (t *TerraformState) Serials() []int64 {
	defer t.project.svc.lock()()
	return mapped(t.versions, func(v *terraformVersion) int64 { return v.serial })
}

// LockID returns the ID of the lock of the state, or "" if it is not locked.
func (t *TerraformState) LockID() string {
	return locked(t.project.svc, func() string { return t.held().ID })
}

func (p *Project) terraformState(name string) *TerraformState {
	return state[terraformStates](p.svc).named[p][name]
}

// keptTerraformState returns the state with a name, and makes it if there is none.
func (p *Project) keptTerraformState(name string) *TerraformState {
	if t := p.terraformState(name); t != nil {
		return t
	}
	all := state[terraformStates](p.svc)
	all.made++
	t := &TerraformState{project: p, id: all.made, name: name, made: p.svc.now()}
	putIn(&all.named, p, name, t)
	return t
}

// add adds a version.
func (t *TerraformState) add(v terraformVersion) {
	all := state[terraformStates](t.project.svc)
	all.made++
	v.id = all.made
	t.versions = append(t.versions, &v)
}

// newest returns the version with the highest serial, or nil if there is none.
func (t *TerraformState) newest() *terraformVersion {
	if len(t.versions) == 0 {
		return nil
	}
	return slices.MaxFunc(t.versions, func(a, b *terraformVersion) int { return cmp.Compare(a.serial, b.serial) })
}

// version returns the version with a serial, or nil.
func (t *TerraformState) version(serial int64) *terraformVersion {
	return one(t.versions, func(v *terraformVersion) bool { return v.serial == serial })
}

// terraformState returns the state that the path names.
func (c *call) terraformState() (*TerraformState, *reply) {
	p, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	if t := p.terraformState(c.PathString("name")); t != nil {
		return t, nil
	}
	return nil, frame.NotFound("")
}

// done returns 200 without content.
func done() *reply { return &reply{Status: http.StatusOK} }

func downloadTerraformState(c *call, t *TerraformState) *reply {
	if len(t.versions) == 0 {
		return c.NoContent()
	}
	return t.newest().reply(c)
}

func (v *terraformVersion) reply(c *call) *reply {
	return v.content.reply(c, frame.Itoa(v.serial)+".tfstate", "application/octet-stream")
}

// downloadTerraformVersion returns the version with a serial.
func downloadTerraformVersion(c *call, t *TerraformState) *reply {
	frame.Accept(c.Int64, "serial")
	v := t.version(c.PathInt64("serial"))
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case v == nil:
		return frame.NotFound("")
	}
	return v.reply(c)
}

// uploadTerraformState adds a version, and makes the state if it is the first one. It keeps
// the bytes as they are, and looks only at their serial. Nobody writes to a state that
// somebody else has locked, or with the ID of a lock that is gone.
func uploadTerraformState(c *call, p *Project) *reply {
	name, id, file := c.PathString("name"), c.String("ID"), c.RequiredFile("")
	for _, field := range [][2]string{{"name", name}, {"ID", id}} {
		if utf8.RuneCountInString(field[1]) > maxTerraformName {
			c.Problem(field[0] + " must be less than 255 characters")
		}
	}
	limit := c.svc.instance().number("max_terraform_state_size_bytes")
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case id != p.terraformState(name).held().ID:
		return &reply{Status: http.StatusConflict}
	case file.Size == 0:
		return c.NoContent()
	case file.Content == nil, limit > 0 && file.Size > limit:
		return frame.Message(http.StatusRequestEntityTooLarge, "413 Request Entity Too Large")
	case !json.Valid(file.Content):
		return frame.Unprocessable("invalid JSON")
	}
	var said struct{ Serial *int64 }
	if err := json.Unmarshal(file.Content, &said); err != nil || said.Serial == nil {
		return frame.Unprocessable("No serial in payload")
	}
	t := p.keptTerraformState(name)
	if t.version(*said.Serial) != nil {
		return frame.Unprocessable("Validation failed: Version has already been taken")
	}
	t.add(terraformVersion{serial: *said.Serial, content: textContent(file.Content, c.now()), by: c.user, job: c.job()})
	return done()
}

// deleteTerraformState reports success even for a locked state, but keeps it.
func deleteTerraformState(c *call, t *TerraformState) *reply {
	if t.lock == nil {
		delete(state[terraformStates](c.svc).named[t.project], c.PathString("name"))
	}
	return done()
}

// lockTerraformState locks a state, and makes it if there is none.
func lockTerraformState(c *call, p *Project) *reply {
	c.RequireGiven("ID", "Operation", "Info", "Who", "Version", "Created", "Path")
	lock := &terraformLock{
		ID: c.String("ID"), Operation: c.String("Operation"), Info: c.String("Info"), Version: c.String("Version"),
		Created: c.String("Created"), Path: c.String("Path"), Who: c.user.username,
		by: c.user, at: c.now(),
	}
	frame.Accept(c.String, "Who") // the service knows the user
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	name := c.PathString("name")
	if utf8.RuneCountInString(name) > maxTerraformName {
		return frame.FieldErrors("name", "is too long (maximum is 255 characters)")
	}
	t := p.keptTerraformState(name)
	if held := t.lock; held != nil {
		lock.ID, lock.Who, lock.Created = held.ID, held.Who, held.Created
		return frame.JSONReply(http.StatusConflict, lock)
	}
	t.lock = lock
	return c.OK(lock)
}

// unlockTerraformState removes a lock. Without an ID, it does so by force.
func unlockTerraformState(c *call, t *TerraformState) *reply {
	id := c.String("ID")
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case id != "" && t.held().ID != id:
		return frame.Conflict("409 Conflict")
	}
	t.lock = nil
	return done()
}

func deleteTerraformVersion(c *call, t *TerraformState) *reply {
	v := t.version(c.PathInt64("serial"))
	if v == nil {
		return frame.NotFound("")
	}
	t.versions = without(t.versions, v)
	return c.NoContent()
}
