package servicetest

import "time"

// IDOption is the option that ID returns. It works for every kind of record.
type IDOption int64

// ID sets the ID of a record. By default, the records of a kind have the IDs 1,
// 2, 3 and so on.
func ID(id int64) IDOption { return IDOption(id) }

func (o IDOption) applyUser(u *User)         { u.id = int64(o) }
func (o IDOption) applyGroup(g *Group)       { g.id = int64(o) }
func (o IDOption) applyProject(p *Project)   { p.id = int64(o) }
func (o IDOption) applyPipeline(p *Pipeline) { p.id = int64(o) }
func (o IDOption) applyJob(j *Job)           { j.id = int64(o) }
func (o IDOption) applyRunner(r *Runner)     { r.id = int64(o) }

// NameOption is the option that Name returns.
type NameOption string

// Name sets the display name of a user, group or project, or the name of a
// token.
func Name(name string) NameOption { return NameOption(name) }

func (o NameOption) applyUser(u *User)       { u.name = string(o) }
func (o NameOption) applyGroup(g *Group)     { g.name = string(o) }
func (o NameOption) applyProject(p *Project) { p.name = string(o) }

// CreatedAtOption is the option that CreatedAt returns.
type CreatedAtOption time.Time

// CreatedAt sets when a record was created. The default is the time of the
// service's clock.
func CreatedAt(at time.Time) CreatedAtOption { return CreatedAtOption(at) }

func (o CreatedAtOption) applyUser(u *User)         { u.createdAt = time.Time(o) }
func (o CreatedAtOption) applyGroup(g *Group)       { g.createdAt = time.Time(o) }
func (o CreatedAtOption) applyProject(p *Project)   { p.createdAt = time.Time(o) }
func (o CreatedAtOption) applyPipeline(p *Pipeline) { p.createdAt = time.Time(o) }
func (o CreatedAtOption) applyJob(j *Job)           { j.createdAt = time.Time(o) }

// VisibilityOption is the option that Public, Internal and Private return.
type VisibilityOption string

// Public makes a project or group visible to everybody.
func Public() VisibilityOption { return "public" }

// Internal makes a project or group visible to every signed-in user who is not
// external.
func Internal() VisibilityOption { return "internal" }

// Private makes a project or group visible only to its members, which is the
// default.
func Private() VisibilityOption { return "private" }

func (o VisibilityOption) applyGroup(g *Group)     { g.visibility = string(o) }
func (o VisibilityOption) applyProject(p *Project) { p.visibility = string(o) }

// MemberOption is the option that Member returns.
type MemberOption struct {
	user  *User
	level AccessLevel
	opts  []MembershipOption
}

// Member gives a user a role in a project or group.
func Member(user *User, level AccessLevel, opts ...MembershipOption) MemberOption {
	return MemberOption{user, level, opts}
}

func (o MemberOption) applyGroup(g *Group) { g.svc.addMember(&g.members, o.user, o.level, o.opts...) }
func (o MemberOption) applyProject(p *Project) {
	p.svc.addMember(&p.members, o.user, o.level, o.opts...)
}

// DescriptionOption is the option that Description returns.
type DescriptionOption string

// Description sets the description of a project or group.
func Description(text string) DescriptionOption { return DescriptionOption(text) }

func (o DescriptionOption) applyGroup(g *Group)     { g.description = string(o) }
func (o DescriptionOption) applyProject(p *Project) { p.description = string(o) }
