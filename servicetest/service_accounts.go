package servicetest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// accountHome returns the owner of the service accounts in the path: the service, a
// top-level group or a project.
func (c *call) accountHome() (any, *reply) {
	if c.PathString("id") == "" {
		return c.svc, nil
	}
	return c.tokenHome()
}

// listServiceAccounts lists the accounts of an owner, the newest first by default.
func listServiceAccounts(c *call, home any) *reply {
	orderBy := either(c.StringIn("order_by", "id", "username"), "id")
	sort := either(c.StringIn("sort", "asc", "desc"), "desc")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	accounts := c.svc.users.all(func(u *User) bool { return u.accountOf == home })
	key := func(u *User) string { return fmt.Sprintf("%020d", u.id) }
	if orderBy == "username" {
		key = func(u *User) string { return u.username }
	}
	slices.SortFunc(accounts, func(a, b *User) int { return cmp.Compare(key(a), key(b)) })
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*User]{
			OrderBy: orderBy, Sorts: []string{"asc", "desc"}, Param: "cursor", Items: accounts, Key: key,
			JSON: func(u *User) *encoded { return &encoded{Data: frame.Encode(u.account())} },
		})
	}
	if sort == "desc" {
		slices.Reverse(accounts)
	}
	return frame.ListOf(c, accounts, (*User).account)
}

func getServiceAccount(c *call, user *User) *reply { return c.OK(user.account()) }

// serviceAccount returns the service account of the path.
func (c *call) serviceAccount() (*User, *reply) {
	home, refusal := c.accountHome()
	if refusal != nil {
		return nil, refusal
	}
	user, refusal := c.pathUser()
	switch {
	case refusal != nil:
		return nil, refusal
	case user.accountOf == nil:
		return nil, frame.BadRequest("User is not of type Service Account")
	case user.accountOf != home:
		return nil, frame.NotFound("User")
	}
	return user, nil
}

func createServiceAccount(c *call, home any) *reply {
	if group, isGroup := home.(*Group); isGroup && group.parent != nil {
		return frame.BadRequest("User does not have permission to create a service account in this group.")
	}
	name := either(c.String("name"), "Service account user")
	draft := &User{username: either(c.String("username"), c.svc.accountName(home))}
	draft.email = draft.username + "@noreply." + c.svc.hostname()
	if refusal := c.changeAccount(nil, draft); refusal != nil {
		return refusal
	}
	made := c.svc.newUser(draft.username, []UserOption{Name(name), userOption(func(u *User) {
		u.bot, u.external, u.accountOf = true, true, home
		u.email, u.unconfirmedEmail = draft.email, draft.unconfirmedEmail
	})})
	return c.Created(made.account())
}

// hostname returns the name of the host of address, without a port.
func (s *Service) hostname() string {
	name, _, _ := strings.Cut(s.host(), ":")
	return name
}

// accountName returns a username for a service account. It is predictable instead of
// random.
func (s *Service) accountName(home any) string {
	prefix := "service_account_"
	switch of := home.(type) {
	case *Project:
		prefix = fmt.Sprintf("service_account_project_%d_", of.id)
	case *Group:
		prefix = fmt.Sprintf("service_account_group_%d_", of.id)
	}
	n := 1
	for s.findUser(fmt.Sprint(prefix, n)) != nil {
		n++
	}
	return fmt.Sprint(prefix, n)
}

// changeAccount applies the parameters of a service account to a copy of it. A new
// email address waits until it is confirmed.
func (c *call) changeAccount(user, draft *User) *reply {
	if c.Has("name") {
		draft.name = c.String("name")
	}
	draft.username = either(c.String("username"), draft.username)
	address := c.String("email")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	asked := &User{username: draft.username, email: either(address, draft.email)}
	if problem := c.svc.userConflict(user, asked); problem != "" {
		if user != nil && user.accountOf != c.svc { // an update below a group or a project
			return frame.Message(http.StatusBadRequest, problem)
		}
		return frame.BadRequest(problem)
	}
	if refusal := asked.refuse(); refusal != nil {
		return refusal
	}
	if address != "" && address != draft.email {
		draft.unconfirmedEmail = address
	}
	return nil
}

func updateServiceAccount(c *call, user *User) *reply {
	draft := *user
	if refusal := c.changeAccount(user, &draft); refusal != nil {
		return refusal
	}
	draft.updatedAt = c.now()
	*user = draft
	c.svc.touch(user)
	return c.OK(user.account())
}

func deleteServiceAccount(c *call, user *User) *reply {
	if _, ofProject := user.accountOf.(*Project); ofProject {
		hard := c.Bool("hard_delete")
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		c.svc.removeUser(user, hard)
		return c.NoContent()
	}
	return c.removeAccount(user, "User cannot be removed while is the sole-owner of a group")
}

// account returns the JSON of a service account.
func (u *User) account() *collection.Form {
	form := new(collection.Form)
	form.Add("id", u.id)
	form.Add("username", u.username)
	form.Add("name", u.name)
	form.Add("public_email", jsonText(u.publicEmail))
	form.Add("email", u.email)
	if u.unconfirmedEmail != "" {
		form.Add("unconfirmed_email", u.unconfirmedEmail)
	}
	return form
}

func listAccountTokens(c *call, user *User) *reply {
	return accessTokens.Page(c, nil, c.svc.accessTokens(func(t *token) bool { return t.home == nil && t.user == user }))
}

func createAccountToken(c *call, user *User) *reply { return c.issueTo(user, nil) }

// accountToken returns the token of the path, which must be one of the service account of the
// path.
func (c *call) accountToken() (*token, *reply) {
	user, refusal := c.serviceAccount()
	if refusal != nil {
		return nil, refusal
	}
	tok := c.svc.accessToken(c.PathInt64("token_id"), func(t *token) bool { return t.home == nil && t.user == user })
	switch _, ofProject := user.accountOf.(*Project); {
	case tok == nil && !ofProject && strings.HasSuffix(c.route.template, "/rotate"):
		return nil, frame.NotFoundUnnamed()
	case tok == nil:
		return nil, frame.NotFound("Personal Access Token")
	}
	return tok, nil
}
