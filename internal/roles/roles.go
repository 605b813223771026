// Package roles knows the least role that a call needs, for the text of errors. The list is
// derived from what the embedded service requires, whose tests try every role.
package roles

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed least.txt
var least string

// byCall is made when the first error needs it, so that nothing else pays for it.
var byCall = sync.OnceValue(func() map[string]string {
	roles, role := make(map[string]string), ""
	for line := range strings.Lines(least) {
		line = strings.TrimSuffix(line, "\n")
		if name, isHeading := strings.CutPrefix(line, "## "); isHeading {
			role = name
		} else if line != "" && line[0] != '#' {
			roles[line] = role
		}
	}
	return roles
})

// Of returns the least role that a call needs in the project or group of its path, such as
// "maintainer", or "administrator", by its method and the template of its path. It is "" if
// the role is not known, or depends on more.
func Of(method, template string) string { return byCall()[method+" "+template] }
