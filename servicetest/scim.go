package servicetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/scim"
)

// scimReply returns a response with SCIM's media type.
func scimReply(status int, v any) *reply {
	return frame.JSONReply(status, v).Set("Content-Type", "application/scim+json")
}

// scimRefusal returns an error in SCIM's error schema. The kind (scimType) may
// be empty.
func scimRefusal(status int, kind, detail string) *reply {
	body := object{"schemas": []string{scim.ErrorSchema}, "status": fmt.Sprint(status), "detail": detail}
	if kind != "" {
		body["scimType"] = kind
	}
	return scimReply(status, body)
}

// scimGroup returns the users of the path's group, which the caller must own.
func (c *call) scimGroup() (*scimGroup, *reply) {
	path := c.PathText("group_path")
	group := c.svc.findGroup(path)
	if group == nil || !strings.EqualFold(group.fullPath(), path) || !c.svc.canSeeGroup(c.user, group) {
		return nil, scimRefusal(http.StatusNotFound, "", "Group not found")
	}
	if c.svc.groupLevel(c.user, group) < c.route.role {
		return nil, scimRefusal(http.StatusForbidden, "", "Only owners of the group may manage its users")
	}
	return group.scim(), nil
}

// scimUser returns the user of the path.
func (c *call) scimUser() (*SCIMUser, *reply) {
	group, refusal := c.scimGroup()
	if refusal != nil {
		return nil, refusal
	}
	for _, u := range group.users {
		if u.id == c.PathText("id") {
			return u, nil
		}
	}
	return nil, scimRefusal(http.StatusNotFound, "", "User not found")
}

// listSCIMUsers returns a page by index, in the order of creation.
func listSCIMUsers(c *call) *reply {
	group, refusal := c.scimGroup()
	if refusal != nil {
		return refusal
	}
	filter, problem := scim.ParseFilter(c.Query.Get("filter"))
	if problem != nil {
		return scimRefusal(http.StatusBadRequest, problem.Kind, problem.Detail)
	}
	start, count := max(c.Int64("startIndex"), 1), int64(frame.DefaultPerPage)
	if c.Has("count") {
		count = min(max(c.Int64("count"), 0), frame.MaxPerPage)
	}
	if len(*c.Problems) > 0 {
		return scimRefusal(http.StatusBadRequest, "invalidValue", strings.Join(*c.Problems, ", "))
	}
	list := scimList{Schemas: []string{scim.ListSchema}, StartIndex: int(start), Resources: []*scimObject{}}
	for _, u := range group.users {
		if !filter.Matches(u.id, &u.attributes) {
			continue
		}
		list.TotalResults++
		if n := int64(list.TotalResults); n >= start && n < start+count {
			list.Resources = append(list.Resources, c.scimObject(u))
		}
	}
	list.ItemsPerPage = len(list.Resources)
	return scimReply(http.StatusOK, list)
}

func getSCIMUser(c *call) *reply {
	u, refusal := c.scimUser()
	if refusal != nil {
		return refusal
	}
	return scimReply(http.StatusOK, c.scimObject(u))
}

func createSCIMUser(c *call) *reply {
	group, refusal := c.scimGroup()
	if refusal != nil {
		return refusal
	}
	var body struct {
		Schemas []string
		scim.User
	}
	body.Active = true
	if refusal := c.scimBody(&body, &body.Schemas, scim.UserSchema); refusal != nil {
		return refusal
	}
	if problem := body.Check(); problem != nil {
		return scimRefusal(http.StatusBadRequest, problem.Kind, problem.Detail)
	}
	if problem := group.conflict(nil, &body.User); problem != "" {
		return scimRefusal(http.StatusConflict, "uniqueness", problem)
	}
	user := c.svc.accountFor(group.group, &body.User)
	if group.of(user) != nil {
		return scimRefusal(http.StatusConflict, "uniqueness", "The account with this email address is in the group already")
	}
	u := group.add(user, body.User)
	return scimReply(http.StatusCreated, c.scimObject(u)).Set("Location", c.scimLocation(u))
}

// patchSCIMUser applies all operations, or none if one fails.
func patchSCIMUser(c *call) *reply {
	u, refusal := c.scimUser()
	if refusal != nil {
		return refusal
	}
	var body struct {
		Schemas    []string
		Operations []scim.Operation
	}
	if refusal := c.scimBody(&body, &body.Schemas, scim.PatchSchema); refusal != nil {
		return refusal
	}
	if len(body.Operations) == 0 {
		return scimRefusal(http.StatusBadRequest, "invalidValue", "Operations is empty")
	}
	changed := u.attributes.Clone()
	for _, op := range body.Operations {
		if problem := op.Apply(&changed); problem != nil {
			return scimRefusal(http.StatusBadRequest, problem.Kind, problem.Detail)
		}
	}
	if problem := changed.Check(); problem != nil {
		return scimRefusal(http.StatusBadRequest, problem.Kind, problem.Detail)
	}
	if problem := u.group.conflict(u, &changed); problem != "" {
		return scimRefusal(http.StatusConflict, "uniqueness", problem)
	}
	u.change(changed)
	return c.NoContent()
}

func deleteSCIMUser(c *call) *reply {
	u, refusal := c.scimUser()
	if refusal != nil {
		return refusal
	}
	u.remove()
	return c.NoContent()
}

// scimBody decodes the body, which must name its schema.
func (c *call) scimBody(into any, schemas *[]string, schema string) *reply {
	if err := json.Unmarshal(c.Body, into); err != nil {
		return scimRefusal(http.StatusBadRequest, "invalidSyntax", "The body is not what the schema says")
	}
	for _, name := range *schemas {
		if strings.EqualFold(name, schema) {
			return nil
		}
	}
	return scimRefusal(http.StatusBadRequest, "invalidSyntax", "schemas does not hold "+schema)
}
