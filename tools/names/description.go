package main

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The parts of an OpenAPI description that have names. JSON is YAML, too.
type (
	description struct {
		OpenAPI    string                 `yaml:"openapi"`
		Paths      map[string]pathItem    `yaml:"paths"`
		Components components             `yaml:"components"`
		Servers    []struct{ URL string } `yaml:"servers"`
	}
	components struct {
		Schemas       map[string]*schema      `yaml:"schemas"`
		Parameters    map[string]*parameter   `yaml:"parameters"`
		RequestBodies map[string]*requestBody `yaml:"requestBodies"`
		Responses     map[string]*response    `yaml:"responses"`
	}
	pathItem struct {
		Parameters []*parameter `yaml:"parameters"`
		Get        *operation   `yaml:"get"`
		Head       *operation   `yaml:"head"`
		Post       *operation   `yaml:"post"`
		Put        *operation   `yaml:"put"`
		Patch      *operation   `yaml:"patch"`
		Delete     *operation   `yaml:"delete"`
	}
	operation struct {
		Parameters  []*parameter         `yaml:"parameters"`
		RequestBody *requestBody         `yaml:"requestBody"`
		Responses   map[string]*response `yaml:"responses"`
	}
	parameter struct {
		Ref        string `yaml:"$ref"`
		Name       string `yaml:"name"`
		In         string `yaml:"in"`
		Deprecated bool   `yaml:"deprecated"`
	}
	requestBody struct {
		Ref     string             `yaml:"$ref"`
		Content map[string]content `yaml:"content"`
	}
	response struct {
		Ref     string             `yaml:"$ref"`
		Content map[string]content `yaml:"content"`
	}
	content struct {
		Schema *schema `yaml:"schema"`
	}
	schema struct {
		Ref        string     `yaml:"$ref"`
		Properties properties `yaml:"properties"`
		Items      *schema    `yaml:"items"`
		AllOf      []*schema  `yaml:"allOf"`
		AnyOf      []*schema  `yaml:"anyOf"`
		OneOf      []*schema  `yaml:"oneOf"`
		Deprecated bool       `yaml:"deprecated"`
	}
	property struct {
		name   string
		schema *schema
	}
	// properties keep their order.
	properties []property
)

func (p *properties) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return errors.New("properties are no object")
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		s := new(schema)
		if err := node.Content[i+1].Decode(s); err != nil {
			return err
		}
		*p = append(*p, property{node.Content[i].Value, s})
	}
	return nil
}

// pages are parameters of every list.
var pages = []string{"page", "per_page", "pagination", "cursor"}

// depth is how many levels of objects the list has.
const depth = 4

// readDescription returns the endpoints of a description, sorted by path.
func readDescription(data []byte) ([]*endpoint, error) {
	d := new(description)
	if err := yaml.Unmarshal(data, d); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(d.OpenAPI, "3.") || len(d.Paths) == 0 {
		return nil, errors.New("it is no description in OpenAPI 3")
	}
	var endpoints []*endpoint
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		item := d.Paths[path]
		for _, o := range []struct {
			method string
			*operation
		}{
			{"GET", item.Get}, {"HEAD", item.Head}, {"POST", item.Post}, {"PUT", item.Put}, {"PATCH", item.Patch},
			{"DELETE", item.Delete},
		} {
			if o.operation != nil {
				endpoints = append(endpoints, d.endpoint(o.method, path, slices.Concat(item.Parameters, o.Parameters),
					o.operation))
			}
		}
	}
	return endpoints, nil
}

// endpoint returns the names of an operation. Its path is written as in the list: below /api/v4,
// and with colons before arguments.
func (d *description) endpoint(method, path string, parameters []*parameter, o *operation) *endpoint {
	e := &endpoint{method: method, path: strings.NewReplacer("{", ":", "}", "").Replace(
		strings.TrimPrefix(path, "/api/v4"))}
	for _, p := range parameters {
		if p == nil {
			continue
		}
		if found := d.Components.Parameters[last(p.Ref)]; found != nil {
			p = found
		}
		switch name := strings.TrimSuffix(p.Name, "[]"); {
		case p.In != "query" || slices.Contains(pages, name):
		case p.Deprecated:
			e.old = append(e.old, name)
		default:
			e.query = append(e.query, name)
		}
	}
	if body := o.RequestBody; body != nil {
		if found := d.Components.RequestBodies[last(body.Ref)]; found != nil {
			body = found
		}
		for _, kind := range slices.Sorted(maps.Keys(body.Content)) {
			d.names(body.Content[kind].Schema, "", depth, func(name string, deprecated bool) {
				switch {
				case deprecated:
					e.old = addOnce(e.old, name)
				default:
					e.body = addOnce(e.body, name)
				}
			})
		}
	}
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		r := o.Responses[status]
		if r == nil || !strings.HasPrefix(status, "2") {
			continue
		}
		if found := d.Components.Responses[last(r.Ref)]; found != nil {
			r = found
		}
		for _, kind := range slices.Sorted(maps.Keys(r.Content)) {
			d.names(r.Content[kind].Schema, "", depth, func(name string, _ bool) {
				e.members = addOnce(e.members, name)
			})
		}
	}
	return e
}

// names calls add with the name of each property of a schema, and of those within it, which have
// dots before them. Lists have the names of their items.
func (d *description) names(s *schema, prefix string, levels int, add func(name string, deprecated bool)) {
	for _, p := range d.propertiesOf(s, maxParts) {
		name := prefix + strings.TrimSuffix(p.name, "[]")
		add(name, p.schema.Deprecated)
		if levels > 1 {
			d.names(p.schema, name+".", levels-1, add)
		}
	}
}

// maxParts limits how far schemas consist of others, for a description in which one is a part of
// itself.
const maxParts = 8

// propertiesOf returns the properties of a schema, of what it refers to, and of its parts.
func (d *description) propertiesOf(s *schema, parts int) properties {
	if s == nil || parts == 0 {
		return nil
	}
	if found := d.Components.Schemas[last(s.Ref)]; found != nil {
		return d.propertiesOf(found, parts-1)
	}
	if s.Items != nil {
		return d.propertiesOf(s.Items, parts-1)
	}
	var all properties
	for _, part := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
		all = append(all, d.propertiesOf(part, parts-1)...)
	}
	return append(all, s.Properties...)
}

// last returns the end of a reference such as "#/components/schemas/Job".
func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func addOnce(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}
