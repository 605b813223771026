package servicetest

import (
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An attributeHome is a user, a group or a project, with its custom attributes.
type attributeHome struct {
	attributes *map[string]string
	record     any
}

// attributeHome returns the owner of the custom attributes that the path names.
func (c *call) attributeHome() (attributeHome, *reply) {
	switch below, _, _ := strings.Cut(strings.TrimPrefix(c.route.template, c.route.method+" /"), "/"); below {
	case "groups":
		g, refusal := c.group()
		if refusal != nil {
			return attributeHome{}, refusal
		}
		return attributeHome{&g.attributes, g}, nil
	case "projects":
		p, refusal := c.project()
		if refusal != nil {
			return attributeHome{}, refusal
		}
		return attributeHome{&p.attributes, p}, nil
	}
	u, refusal := c.pathUser()
	if refusal != nil {
		return attributeHome{}, refusal
	}
	return attributeHome{&u.customAttributes, u}, nil
}

// onAttributes makes the handler of a call for the custom attributes of an owner.
func onAttributes(handle func(*call, attributeHome) *reply) handler {
	return func(c *call) *reply {
		home, refusal := c.attributeHome()
		if refusal != nil {
			return refusal
		}
		return handle(c, home)
	}
}

// listAttributes returns all attributes at once.
func listAttributes(c *call, home attributeHome) *reply {
	return c.OK(listOfAttributes(*home.attributes))
}

func getAttribute(c *call, home attributeHome) *reply {
	key := c.PathString("key")
	value, ok := (*home.attributes)[key]
	if !ok {
		return frame.NotFound("")
	}
	return c.OK(customAttribute{key, value})
}

func setAttribute(c *call, home attributeHome) *reply {
	c.RequireGiven("value")
	made := CustomAttributeOption{c.PathString("key"), c.String("value")}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if made.value == "" {
		return frame.FieldErrors("value", "can't be blank")
	}
	made.addTo(home.attributes)
	c.svc.touch(home.record)
	return c.OK(customAttribute{made.key, made.value})
}

func deleteAttribute(c *call, home attributeHome) *reply {
	key := c.PathString("key")
	if _, ok := (*home.attributes)[key]; !ok {
		return frame.NotFound("")
	}
	delete(*home.attributes, key)
	c.svc.touch(home.record)
	return c.NoContent()
}

// byAttributes returns the filter of a list by custom attributes.
func (c *call) byAttributes() func(attributes map[string]string) bool {
	asked := c.Sub("custom_attributes")
	return func(attributes map[string]string) bool {
		for key := range asked.Values {
			if value, ok := attributes[key]; !ok || value != asked.String(key) {
				return false
			}
		}
		return true
	}
}
