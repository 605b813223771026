// Package ciconfig checks CI/CD configurations, as the lint calls of the API do.
//
// It reads the YAML that configurations usually have: maps, lists, strings on one or
// several lines with and without quotes, block strings, brackets and braces, comments,
// anchors, aliases and merge keys. It refuses tags such as !reference, several
// documents in one file, complex keys and directives, and says so.
//
// It merges local includes and what jobs extend. Then it checks the keys of jobs and of
// the top level, the kinds of the usual values, and that stages, needs and dependencies
// exist. At least one visible job must have something to run. Other includes are not
// fetched and are errors. Rules, only, except and variables are not evaluated, parallel
// jobs are not expanded, and artifacts, caches, images, services and secrets are not
// checked.
package ciconfig

import (
	"fmt"
	"slices"
	"strings"
)

// A Result is the outcome of a check.
type Result struct {
	Errors, Warnings []string
	Merged           string // YAML; "" if the configuration cannot be read
	Includes         []Include
	Jobs             []Job // only visible ones; none if there are errors
}

// An Include is a file that a configuration includes.
type Include struct{ Type, Location string }

// A Job is a job of a configuration, with its defaults filled in.
type Job struct {
	Name, Stage, Environment, When          string
	BeforeScript, Script, AfterScript, Tags []string
	AllowFailure                            bool
	Only, Except                            any // nil if none
	Needs                                   []string
	hasRules                                bool
}

// A checker collects problems.
type checker struct {
	*Result

	read func(path string) (content string, ok bool)
	seen []string // files that were included
	root *Node
}

// Check checks a configuration. Errors call it file. read returns other files of its
// repository, and is nil without a repository.
func Check(content, file string, read func(path string) (string, bool)) *Result {
	c := &checker{Result: &Result{}, read: read}
	if strings.TrimSpace(content) == "" {
		c.errorf("Please provide content of %s", file)
		return c.Result
	}
	root, err := Parse(content)
	if err != nil {
		c.errorf("%v", err)
		return c.Result
	}
	if !root.isMap() {
		c.errorf("Invalid configuration format")
		return c.Result
	}
	if c.root = c.withIncludes(root, 0); len(c.Errors) > 0 || !c.extendAll() {
		return c.Result
	}
	c.Merged = Print(c.root)
	c.checkTop()
	jobs := c.checkJobs()
	if len(c.Errors) == 0 {
		c.Jobs = jobs
	}
	return c.Result
}

func (c *checker) errorf(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.Errors, text) {
		c.Errors = append(c.Errors, text)
	}
}

// merged lays one value over another. Maps are merged.
func merged(under, over *Node) *Node {
	if !under.isMap() || !over.isMap() {
		return over
	}
	all := newMap()
	for _, key := range under.keys {
		all.set(key, under.values[key])
	}
	for _, key := range over.keys {
		all.set(key, merged(all.get(key), over.values[key]))
	}
	return all
}

// many returns the items of a list, or a single value as a list.
func many(n *Node) []*Node {
	switch {
	case n.isNull():
		return nil
	case n.isList:
		return n.items
	}
	return []*Node{n}
}

const maxIncludes = 150

// withIncludes returns a configuration laid over the files that it includes.
func (c *checker) withIncludes(root *Node, depth int) *Node {
	under := newMap()
	for _, item := range many(root.get("include")) {
		kind, location := includeOf(item)
		c.Includes = append(c.Includes, Include{kind, location})
		switch {
		case len(c.Includes) > maxIncludes || depth > maxDepth:
			c.errorf("Maximum of %d nested includes are allowed!", maxIncludes)
			return root
		case kind != "local":
			c.errorf("servicetest does not fetch includes of the type %s", kind)
		case item.get("rules") != nil:
			c.errorf("%v", notUnderstood("rules of includes"))
		case c.read == nil:
			c.errorf("Local file `%s` does not have project!", location)
		case !slices.Contains(c.seen, location):
			c.seen = append(c.seen, location)
			under = merged(under, c.included(location, depth))
		}
	}
	return without(merged(under, root), "include")
}

// includeOf returns the type and the location of an include.
func includeOf(item *Node) (kind, location string) {
	if item.isText() {
		if strings.Contains(item.text, "://") {
			return "remote", item.text
		}
		return "local", item.text
	}
	for _, kind := range []string{"local", "remote", "template", "component"} {
		if value := item.get(kind); value != nil {
			return kind, value.text
		}
	}
	if value := item.get("file"); value.isText() {
		return "file", value.text
	}
	return "file", ""
}

// included returns the content of a local file.
func (c *checker) included(location string, depth int) *Node {
	content, ok := c.read(strings.TrimPrefix(location, "/"))
	if !ok {
		c.errorf("Local file `%s` does not exist!", location)
		return newMap()
	}
	root, err := Parse(content)
	switch {
	case err != nil:
		c.errorf("%s: %v", location, err)
		return newMap()
	case !root.isMap():
		c.errorf("Included file `%s` does not have valid YAML syntax!", location)
		return newMap()
	}
	return without(c.withIncludes(root, depth+1), "include")
}

// without returns a map without a key.
func without(n *Node, key string) *Node {
	less := newMap()
	for _, other := range n.keys {
		if other != key {
			less.set(other, n.values[other])
		}
	}
	return less
}

// maxExtends is the longest chain of jobs that extend each other.
const maxExtends = 11

// extendAll merges what jobs extend into them. It reports whether nothing was missing.
func (c *checker) extendAll() bool {
	all := newMap()
	for _, name := range c.root.keys {
		extended := c.extended(name, nil)
		if extended == nil {
			return false
		}
		all.set(name, extended)
		if all.size > maxSize {
			c.errorf("the aliases stand for too much")
			return false
		}
	}
	c.root = all
	return true
}

// extended returns an entry with what it extends, or nil after an error.
func (c *checker) extended(name string, below []string) *Node {
	n := c.root.values[name]
	if n.get("extends") == nil {
		return n
	}
	switch {
	case slices.Contains(below, name):
		c.errorf("%s: circular dependency detected in `extends`", below[0])
		return nil
	case len(below) >= maxExtends:
		c.errorf("%s: nesting too deep in `extends`", below[0])
		return nil
	}
	under, below := newMap(), append(below, name)
	for _, base := range many(n.get("extends")) {
		if !base.isText() || !c.root.get(base.text).isMap() {
			c.errorf("%s: unknown keys in `extends` (%s)", name, base.text)
			return nil
		}
		extended := c.extended(base.text, below)
		if extended == nil {
			return nil
		}
		under = merged(under, without(extended, "extends"))
	}
	return merged(under, n)
}
