// Names lists the parameters and the members that a description of the service has, in OpenAPI 3
// as YAML or JSON: the lines of testdata/product-names.tsv. From the folder tools:
//
//	go run ./names -old ../testdata/product-names.tsv description.yaml >new.tsv
//
// The description is the one that the service publishes with a release. It is generated, and wrong
// in places: the head of the old list says where, and which names it leaves out. Read the
// difference, and keep what the old list knows better.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	oldName := flag.String("old", "", "the list of an earlier release, whose order, paths and kinds are kept")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: names [-old list] description")
	}
	if err := run(os.Stdout, *oldName, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

// run writes the list of a description.
func run(w io.Writer, oldName, name string) error {
	old := &list{}
	if oldName != "" {
		data, err := os.ReadFile(oldName)
		if err != nil {
			return err
		}
		if old, err = readList(string(data)); err != nil {
			return fmt.Errorf("%s: %w", oldName, err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	endpoints, err := readDescription(data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out := bufio.NewWriter(w)
	old.write(out, endpoints)
	return out.Flush()
}

// An endpoint has the names that the description has for a method and a path.
type endpoint struct {
	method, path string
	query, body  []string
	old          []string // deprecated parameters
	members      []string
}

// key identifies an endpoint whatever its arguments are called.
func (e *endpoint) key() string { return e.method + " " + argument.ReplaceAllString(e.path, ":") }

var argument = regexp.MustCompile(`:\w+|\{\w+\}`)

// A list is what an earlier release had.
type list struct {
	head      []string            // the comments
	endpoints []string            // "GET\t/jobs", in order
	kinds     map[string][]string // names, by the endpoint, a tab and the kind
}

// Kinds of parameters that only a person can tell: no description marks them.
var chosenKinds = []string{"old", "hidden", "credential"}

func readList(text string) (*list, error) {
	l := &list{kinds: map[string][]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			l.head = append(l.head, line)
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) != 4 {
			return nil, fmt.Errorf("%q has not four columns", line)
		}
		at := columns[0] + "\t" + columns[1]
		if !slices.Contains(l.endpoints, at) {
			l.endpoints = append(l.endpoints, at)
		}
		l.kinds[at+"\t"+columns[2]] = strings.Fields(columns[3])
	}
	if len(l.endpoints) == 0 {
		return nil, errors.New("the list is empty")
	}
	return l, nil
}

// write writes the endpoints of a description: first those of the list, in its order and with its
// paths, then the others.
func (l *list) write(w io.Writer, endpoints []*endpoint) {
	for _, line := range l.head {
		fmt.Fprintln(w, line)
	}
	byKey := map[string]*endpoint{}
	for _, e := range endpoints {
		byKey[e.key()] = e
	}
	p := &printer{w: w, seen: map[string]string{}}
	written := map[string]bool{}
	for _, at := range l.endpoints {
		method, path, _ := strings.Cut(at, "\t")
		named := endpoint{method: method, path: path}
		if e := byKey[named.key()]; e != nil {
			named.query, named.body, named.old, named.members = e.query, e.body, e.old, e.members
			p.print(l.classified(at, &named))
			written[e.key()] = true
		}
	}
	for _, e := range endpoints {
		if !written[e.key()] {
			p.print(e, nil)
		}
	}
}

// classified returns an endpoint without the parameters that the list has chosen another kind for,
// and those parameters by kind.
func (l *list) classified(at string, e *endpoint) (*endpoint, map[string][]string) {
	chosen := map[string][]string{}
	for _, kind := range chosenKinds {
		for _, name := range l.kinds[at+"\t"+kind] {
			if slices.Contains(e.query, name) || slices.Contains(e.body, name) || slices.Contains(e.old, name) {
				chosen[kind] = append(chosen[kind], name)
			}
			is := func(other string) bool { return other == name }
			e.query, e.body = slices.DeleteFunc(e.query, is), slices.DeleteFunc(e.body, is)
			e.old = slices.DeleteFunc(e.old, is)
		}
	}
	return e, chosen
}

// A printer writes lines, and refers to an earlier one with the same members.
type printer struct {
	w    io.Writer
	seen map[string]string
}

func (p *printer) print(e *endpoint, chosen map[string][]string) {
	lines := 0
	line := func(kind string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(p.w, "%s\t%s\t%s\t%s\n", e.method, e.path, kind, strings.Join(names, " "))
			lines++
		}
	}
	line("query", e.query)
	line("body", e.body)
	line("old", slices.Concat(e.old, chosen["old"]))
	line("hidden", chosen["hidden"])
	line("credential", chosen["credential"])
	members := strings.Join(e.members, " ")
	switch like, known := p.seen[members]; {
	case known:
		line("member", []string{"=" + like})
	default:
		line("member", e.members)
		if len(e.members) > 1 { // a single name is as short as the reference
			p.seen[members] = e.method + " " + e.path
		}
	}
	if lines == 0 {
		fmt.Fprintf(p.w, "%s\t%s\tnone\t\n", e.method, e.path)
	}
}
