package ciconfig

import (
	"regexp"
	"slices"
	"strings"
)

// words splits a list of names.
func words(text string) []string { return strings.Fields(text) }

var (
	topKeys = words(`after_script before_script cache default image include services spec stages variables workflow`)
	ofJob   = words(`after_script allow_failure artifacts before_script cache coverage dast_configuration dependencies
		environment except extends hooks id_tokens identity image inherit interruptible manual_confirmation needs only
		pages parallel publish release resource_group retry rules run script secrets services stage start_in tags
		timeout trigger variables when`)
	ofDefault = words(`after_script artifacts before_script cache hooks id_tokens identity image interruptible retry
		services tags timeout`)
	ofWorkflow = words(`auto_cancel name rules`)
	whens      = words(`on_success on_failure always manual delayed never`)
)

// defaultStages are the stages of a configuration that names none.
var defaultStages = []string{"build", "test", "deploy"}

// notText matches strings that YAML takes for a number or a boolean.
var notText = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|[-+]?[0-9][0-9_]*(\.[0-9]*)?(e[-+]?[0-9]+)?|\.[0-9]+)$`)

// isString reports whether a value is a string and not a number, a boolean or null.
func isString(n *Node) bool {
	return n.isText() && !n.isNull() && (n.quoted || !notText.MatchString(n.text))
}

// areStrings reports whether a value is a list of strings.
func areStrings(n *Node) bool {
	return n != nil && n.isList && !slices.ContainsFunc(n.items, func(item *Node) bool { return !isString(item) })
}

// isScript reports whether a value is a string, or lists of strings.
func isScript(n *Node, levels int) bool {
	if n != nil && n.isList && levels > 0 {
		return !slices.ContainsFunc(n.items, func(item *Node) bool { return !isScript(item, levels-1) })
	}
	return isString(n)
}

const scriptLevels = 10

// lines returns the lines of a script.
func lines(n *Node) []string {
	all := []string{}
	for _, item := range many(n) {
		if item.isList {
			all = append(all, lines(item)...)
		} else {
			all = append(all, item.text)
		}
	}
	return all
}

// unknown reports the keys of a map that are not allowed.
func (c *checker) unknown(n *Node, where string, allowed []string) {
	var odd []string
	for _, key := range n.keys {
		if !slices.Contains(allowed, key) {
			odd = append(odd, key)
		}
	}
	if len(odd) > 0 {
		c.errorf("%s config contains unknown keys: %s", where, strings.Join(odd, ", "))
	}
}

// checkTop checks everything that is not a job.
func (c *checker) checkTop() {
	if stages := c.root.get("stages"); !stages.isNull() && !areStrings(stages) {
		c.errorf("stages config should be an array of strings")
	}
	c.checkVariables(c.root, "variables")
	c.checkScripts(c.root, "")
	for key, allowed := range map[string][]string{"default": ofDefault, "workflow": ofWorkflow} {
		switch n := c.root.get(key); {
		case n.isNull():
		case !n.isMap():
			c.errorf("%s config should be a hash", key)
		default:
			c.unknown(n, key, allowed)
			if key == "default" {
				c.checkScripts(n, "default:")
			}
		}
	}
	slices.Sort(c.Errors)
}

func (c *checker) checkVariables(in *Node, where string) {
	n := in.get("variables")
	if n.isNull() {
		return
	}
	valid := n.isMap()
	for _, key := range n.keys {
		value := n.values[key]
		valid = valid && (value.isText() || value.isMap())
	}
	if !valid {
		c.errorf("%s config should be a hash of key value pairs", where)
	}
}

// checkScripts checks the scripts of a job or of the top level.
func (c *checker) checkScripts(in *Node, where string) {
	for _, key := range []string{"before_script", "script", "after_script"} {
		n := in.get(key)
		if n == nil || key == "script" && where == "" || isScript(n, scriptLevels) {
			continue
		}
		c.errorf("%s%s config should be a string or a nested array of strings up to %d levels deep", where, key,
			scriptLevels)
	}
}

// checkJobs checks the jobs, and returns the visible ones.
func (c *checker) checkJobs() []Job {
	var jobs []Job
	var odd []string
	for _, name := range c.root.keys {
		n := c.root.values[name]
		switch {
		case slices.Contains(topKeys, name), strings.HasPrefix(name, "."):
		case !n.isMap():
			odd = append(odd, name)
		default:
			c.checkJob(name, n)
			jobs = append(jobs, c.job(name, n))
		}
	}
	if len(odd) > 0 {
		c.errorf("root config contains unknown keys: %s", strings.Join(odd, ", "))
	}
	if len(jobs) == 0 {
		c.errorf("jobs config should contain at least one visible job")
	}
	if len(c.Errors) == 0 {
		c.checkOrder(jobs)
	}
	return jobs
}

// checkJob checks a job by itself.
func (c *checker) checkJob(name string, n *Node) {
	where := "jobs:" + name
	c.unknown(n, where, ofJob)
	if n.get("script").isNull() && n.get("trigger").isNull() && n.get("run").isNull() {
		c.errorf("%s config should implement the script:, run:, or trigger: keyword", where)
	}
	c.checkScripts(n, where+":")
	c.checkVariables(n, where+":variables")
	for key, want := range map[string]struct {
		text string
		is   func(*Node) bool
	}{
		"stage":        {"should be a string", isString},
		"tags":         {"should be an array of strings", areStrings},
		"dependencies": {"should be an array of strings", areStrings},
		"rules":        {"should be an array of hashes", areMaps},
		"needs":        {"can only be a Hash or an Array", func(n *Node) bool { return n.isMap() || n.isList }},
		"environment":  {"should be a hash or a string", func(n *Node) bool { return n.isMap() || isString(n) }},
		"parallel":     {"should be an integer or a hash", func(n *Node) bool { return n.isMap() || n.isText() }},
	} {
		if value := n.get(key); !value.isNull() && !want.is(value) {
			c.errorf("%s:%s config %s", where, key, want.text)
		}
	}
	if when := n.get("when"); when != nil && !slices.Contains(whens, when.text) {
		c.errorf("%s when should be one of: %s", where, strings.Join(whens[:len(whens)-1], ", "))
	}
	if n.get("rules") != nil {
		for _, key := range []string{"only", "except"} {
			if n.get(key) != nil {
				c.errorf("%s config key may not be used with `rules`: %s", where, key)
			}
		}
	}
	slices.Sort(c.Errors)
}

func areMaps(n *Node) bool {
	return n.isList && !slices.ContainsFunc(n.items, func(item *Node) bool { return !item.isMap() && !item.isList })
}

// job returns a job with its defaults filled in.
func (c *checker) job(name string, n *Node) Job {
	from := func(key string) *Node {
		for _, in := range []*Node{n, c.root.get("default"), c.root} {
			if value := in.get(key); value != nil {
				return value
			}
		}
		return nil
	}
	job := Job{
		Name: name, Stage: textOf(n.get("stage"), "test"), When: textOf(n.get("when"), "on_success"),
		BeforeScript: lines(from("before_script")), Script: lines(n.get("script")),
		AfterScript: lines(from("after_script")),
		Tags:        lines(from("tags")),
		Environment: textOf(n.get("environment"), textOf(n.get("environment").get("name"), "")),
		Except:      plain(refs(n.get("except"))), Only: plain(refs(n.get("only"))), hasRules: n.get("rules") != nil,
		Needs: names(n.get("needs"), "job"),
	}
	if job.Only == nil && !job.hasRules {
		job.Only = map[string]any{"refs": []any{"branches", "tags"}}
	}
	allow := n.get("allow_failure")
	job.AllowFailure = allow.isMap() || textOf(allow,
		"") == "true" || allow == nil && job.When == "manual" && !job.hasRules
	c.warn(name, n)
	return job
}

// warn warns that a job may run for a push and again for its merge request.
func (c *checker) warn(name string, n *Node) {
	rules := n.get("rules")
	if rules == nil || len(rules.items) == 0 || c.root.get("workflow").get("rules") != nil {
		return
	}
	last := rules.items[len(rules.items)-1]
	conditional := last.get("if") != nil || last.get("changes") != nil || last.get("exists") != nil
	if last.get("when") != nil && last.get("when").text != "never" && !conditional {
		c.Warnings = append(c.Warnings, "jobs:"+name+" may allow multiple pipelines to run for a single action due to "+
			"`rules:when` clause with no `workflow:rules`")
	}
}

// checkOrder checks stages and what jobs need.
func (c *checker) checkOrder(jobs []Job) {
	stages := defaultStages
	if named := c.root.get("stages"); !named.isNull() {
		stages = lines(named)
	}
	stages = append(append([]string{".pre"}, slices.DeleteFunc(slices.Clone(stages), func(stage string) bool {
		return stage == ".pre" || stage == ".post"
	})...), ".post")
	place := map[string]int{}
	for _, job := range jobs {
		place[job.Name] = slices.Index(stages, job.Stage)
		if place[job.Name] < 0 {
			c.errorf("%s job: chosen stage %s does not exist; available stages are %s",
				job.Name, job.Stage, strings.Join(stages, ", "))
		}
	}
	for _, job := range jobs {
		for what, wanted := range map[string][]string{
			"need": job.Needs, "dependency": names(c.root.values[job.Name].get("dependencies"), ""),
		} {
			for _, name := range wanted {
				switch at, ok := place[name]; {
				case !ok:
					c.errorf("%s job: undefined %s: %s", job.Name, what, name)
				case at > place[job.Name]:
					c.errorf("%s job: %s %s is not defined in current or prior stages", job.Name, what, name)
				}
			}
		}
	}
}

// names returns the names in a list of strings and of maps with a key. Maps about
// another project or pipeline, and optional ones, name nothing.
func names(n *Node, key string) []string {
	found := []string{}
	for _, item := range many(n) {
		switch {
		case item.isText():
			found = append(found, item.text)
		case item.get("project") != nil, item.get("pipeline") != nil, textOf(item.get("optional"), "") == "true":
		case item.get(key).isText():
			found = append(found, item.get(key).text)
		}
	}
	return found
}

func textOf(n *Node, otherwise string) string {
	if n.isText() && !n.isNull() {
		return n.text
	}
	return otherwise
}

// refs returns the long form of only and except.
func refs(n *Node) *Node {
	if n.isNull() || n.isMap() {
		return n
	}
	long := newMap()
	long.set("refs", &Node{isList: true, items: many(n)})
	return long
}

// plain returns a value as encoding/json decodes it, with every scalar as a string.
func plain(n *Node) any {
	switch {
	case n.isNull():
		return nil
	case n.isMap():
		members := map[string]any{}
		for key, value := range n.values {
			members[key] = plain(value)
		}
		return members
	case n.isList:
		items := []any{}
		for _, item := range n.items {
			items = append(items, plain(item))
		}
		return items
	}
	return n.text
}
