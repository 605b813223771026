package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

// optionsOfServices returns the names of the options that the methods of each service take.
func optionsOfServices(source *inventory.Source) map[string][]string {
	options := map[string][]string{}
	for _, f := range source.Funcs {
		if f.Recv == nil || !ast.IsExported(f.Name.Name) || !strings.HasSuffix(inventory.Receiver(f), "Service") {
			continue
		}
		for _, param := range f.Type.Params.List {
			name := strings.TrimPrefix(inventory.TypeText(param.Type), "*")
			if service := inventory.Receiver(f); strings.HasSuffix(name, "Options") {
				options[service] = append(options[service], name)
			}
		}
	}
	for service, names := range options {
		slices.Sort(names)
		options[service] = slices.Compact(names)
	}
	return options
}

var (
	// paragraphOfOptions matches the end of the comment of a service, because go doc cuts long
	// signatures, where options cannot be seen.
	paragraphOfOptions = regexp.MustCompile(`(?m)^// Its options are (?:.*\n// )*.*\n(?:type (\w+) )`)
	listOfOptions      = regexp.MustCompile(`Its options are ([^.]*)\.`)
)

// nameOptions returns the source of a file in which the comments of services link the options
// of their methods. A comment that links them already is not wrapped again.
func nameOptions(text string, options map[string][]string) string {
	return paragraphOfOptions.ReplaceAllStringFunc(text, func(found string) string {
		names := options[paragraphOfOptions.FindStringSubmatch(found)[1]]
		if len(names) == 0 {
			return found
		}
		comment, typ := found[:strings.LastIndex(found, "type ")], found[strings.LastIndex(found, "type "):]
		line := strings.Join(strings.Fields(strings.ReplaceAll(comment, "// ", " ")), " ")
		links := "[" + strings.Join(names, "], [") + "]"
		if last := strings.LastIndex(links, ", "); last > 0 {
			links = links[:last] + " and" + links[last+1:]
		}
		named := listOfOptions.ReplaceAllString(line, "Its options are "+links+".")
		if named == line {
			return found
		}
		return wrapped(named) + typ
	})
}

// wrapped writes text as lines of a comment.
func wrapped(text string) string {
	lines := []string{"//"}
	for word := range strings.FieldsSeq(text) {
		if last := lines[len(lines)-1]; len(last)+len(word) > 90 {
			lines = append(lines, "//")
		}
		lines[len(lines)-1] += " " + word
	}
	return strings.Join(lines, "\n") + "\n"
}
