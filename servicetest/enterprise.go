package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/sshkey"
)

// What only the hosted offering has. This service has it, too.

// enterpriseUser returns the user of the path, whose account must belong to the group.
func (c *call) enterpriseUser() (*User, *reply) {
	group, refusal := c.managedGroup()
	if refusal != nil {
		return nil, refusal
	}
	user, refusal := c.pathUser()
	if refusal == nil && !user.belongsTo(group) {
		return nil, frame.NotFound("User")
	}
	return user, refusal
}

func listEnterpriseUsers(c *call, group *Group) *reply {
	return c.managedUsers(group, func(u *User) bool { return u.belongsTo(group) })
}

func getEnterpriseUser(c *call, user *User) *reply { return c.OK(user.own(c.publicView(user))) }

func updateEnterpriseUser(c *call, user *User) *reply {
	edited := *user
	edited.name, edited.email = either(c.String("name"), user.name), either(c.String("email"), user.email)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	problem := c.svc.userConflict(user, &edited)
	if !validEmail.MatchString(edited.email) {
		problem = "Email is invalid"
	}
	if problem != "" {
		return frame.Message(http.StatusBadRequest, problem)
	}
	edited.updatedAt = c.now()
	*user = edited
	c.svc.touch(user)
	return getEnterpriseUser(c, user)
}

func deleteEnterpriseUser(c *call, user *User) *reply {
	return c.removeAccount(user, "Can not remove a user who is the sole owner of a group.")
}

func disableEnterpriseTwoFactor(c *call, user *User) *reply {
	if !user.twoFactor {
		return frame.BadRequest("Two-factor authentication is not enabled for this user")
	}
	user.twoFactor, user.updatedAt = false, c.now()
	c.svc.touch(user)
	return c.NoContent()
}

// isIn reports whether a project or a group is in a group.
func isIn(home any, group *Group) bool {
	switch h := home.(type) {
	case *Group:
		return h.within(group)
	case *Project:
		return h.within(group)
	}
	return false
}

// manages reports whether a group can end the credentials of a user: an enterprise user or a service
// account.
func (g *Group) manages(u *User) bool { return u.belongsTo(g) || isIn(u.accountOf, g) }

// credentials serves the personal tokens of the people of a group, or those of its projects and groups.
type credentials struct {
	name string
	// refused says why a token of another place cannot be managed, or is "".
	refused func(group *Group, tok *token) string
}

var (
	personalCredentials = credentials{"Personal Access Token", func(group *Group, tok *token) string {
		if tok.home != nil || !group.manages(tok.user) {
			return "Token does not belong to a user of the group"
		}
		return ""
	}}
	resourceCredentials = credentials{"Resource Access Token", func(group *Group, tok *token) string {
		const cannot = "Cannot access resource access token: Token "
		switch _, ofUser := tok.home.(*User); {
		case tok.home == nil || ofUser:
			return cannot + "does not belong to bot user"
		case !isIn(tok.home, group):
			return cannot + "belongs to a resource outside group's hierarchy"
		}
		return ""
	}}
)

func (k credentials) list(c *call, group *Group) *reply {
	return accessTokens.Page(c, nil, c.svc.accessTokens(func(t *token) bool { return k.refused(group, t) == "" }))
}

// find returns the token of the path.
func (k credentials) find(c *call) (*token, *reply) {
	group, refusal := c.managedGroup()
	if refusal != nil {
		return nil, refusal
	}
	tok := c.svc.accessToken(c.PathInt64("token_id"), func(*token) bool { return true })
	if tok == nil {
		return nil, frame.NotFound(k.name)
	}
	if problem := k.refused(group, tok); problem != "" {
		return nil, frame.Forbidden(problem)
	}
	return tok, nil
}

func (c *call) endCredential(tok *token) *reply {
	if tok.revoked {
		return frame.BadRequest("token already revoked")
	}
	tok.revoked = true
	return c.NoContent()
}

// credentialKeys are the SSH keys of the people of a group.
var credentialKeys = collection.Table[*call, *Group, sshKey]{
	Name: "Key", Param: "key_id", ID: sshKeys.ID, Home: (*call).managedGroup,
	Records: func(c *call, g *Group) []*sshKey {
		return state[sshKeyState](c.svc).keys.all(func(k *sshKey) bool { return g.manages(k.user) })
	},
	Fields: slices.Concat(slices.DeleteFunc(slices.Clone(sshKeys.Fields), func(f collection.Field[sshKey]) bool {
		return f.Name() == "key"
	}), []collection.Field[sshKey]{collection.Shown("user_id", func(k *sshKey) int64 { return k.user.id })}),
	Filters: []collection.Filter[sshKey]{
		collection.Span("created_after", "created_before", func(k *sshKey) time.Time { return k.createdAt }),
		collection.Span("expires_after", "expires_before", func(k *sshKey) time.Time { return k.expiresAt }),
	},
	Remove:  func(c *call, _ *Group, k *sshKey) { state[sshKeyState](c.svc).keys.remove(k.id) },
	Changed: func(k *sshKey) time.Time { return k.createdAt },
}

// An sshCertificate is an authority whose certificates a group accepts. Nobody signs in by SSH here.
type sshCertificate struct {
	id         int64
	group      *Group
	title, key string
	createdAt  time.Time
}

type sshCertificateState struct{ table table[*sshCertificate] }

var sshCertificates = collection.Table[*call, *Group, sshCertificate]{
	Param: "ssh_certificate_id", ID: func(s *sshCertificate) int64 { return s.id },
	Missing: func() *reply { return frame.Message(http.StatusNotFound, "SSH Certificate not found") },
	Home: func(c *call) (*Group, *reply) {
		group, refusal := c.group()
		if refusal == nil && group.parent != nil {
			return nil, frame.Forbidden("Group")
		}
		return group, refusal
	},
	Records: func(c *call, g *Group) []*sshCertificate {
		return state[sshCertificateState](c.svc).table.all(func(s *sshCertificate) bool { return s.group == g })
	},
	Fields: []collection.Field[sshCertificate]{
		collection.Shown("id", func(s *sshCertificate) int64 { return s.id }),
		collection.Text("title", func(s *sshCertificate) *string { return &s.title }).Required(),
		collection.Text("key", func(s *sshCertificate) *string { return &s.key }).Required(),
		collection.Moment("created_at", func(s *sshCertificate) *time.Time { return &s.createdAt }).ReadOnly(),
	},
	New: func(c *call, g *Group) *sshCertificate { return &sshCertificate{group: g, createdAt: c.now()} },
	Check: func(c *call, _ *Group, s, _ *sshCertificate) *reply {
		problem := ""
		same := func(o *sshCertificate) bool { return strings.TrimSpace(o.key) == strings.TrimSpace(s.key) }
		switch _, valid := sshkey.Parse(s.key); {
		case utf8.RuneCountInString(s.title) > 255:
			problem = "Title is too long (maximum is 255 characters)"
		case len(s.key) > 5000:
			problem = "Key is too long (maximum is 5000 characters)"
		case !valid:
			problem = "Invalid key"
		case len(state[sshCertificateState](c.svc).table.all(same)) > 0:
			problem = "Fingerprint has already been taken"
		default:
			return nil
		}
		return frame.Unprocessable("Validation failed: " + problem)
	},
	Add: func(c *call, _ *Group, s *sshCertificate) {
		s.id, _ = state[sshCertificateState](c.svc).table.add(0, s)
	},
	Remove: func(c *call, _ *Group, s *sshCertificate) { state[sshCertificateState](c.svc).table.remove(s.id) },
}
