package servicetest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// groupExports keeps the exports of groups, at most one for each group.
type groupExports struct{ of map[*Group]*groupExport }

// A groupExport is the state of a group's exports.
type groupExport struct {
	running bool
	archive *content // of the last finished export, or nil
	name    string   // of the archive
}

// scheduleGroupExport starts an export. While one is in progress, another call changes
// nothing.
func scheduleGroupExport(c *call, group *Group) *reply {
	if e := kept(&state[groupExports](c.svc).of, group); !e.running {
		e.running = true
		c.svc.later(ExportQueuedFor+ExportStartedFor, func() { e.finish(group) })
	}
	return c.Accepted(object{"message": "202 Accepted"})
}

// finish writes the archive of a group, unless the group is gone.
func (e *groupExport) finish(g *Group) {
	if found, _ := g.svc.groups.get(g.id); found != g {
		return
	}
	now := g.svc.now()
	e.running, e.archive = false, textContent(g.archive(), now)
	e.name = now.Format("2006-01-02_15-04-05_") + strings.ReplaceAll(g.fullPath(), "/", "_") + "_group_export.tar.gz"
}

func downloadGroupExport(c *call, group *Group) *reply {
	e := state[groupExports](c.svc).of[group]
	if e == nil || e.archive == nil {
		return frame.Message(http.StatusNotFound, "404 Not found - The group export file does not exist yet")
	}
	return e.archive.reply(c, e.name, gzipType)
}

const archiveGroups = "tree/groups.json"

// An archivedGroup is a group in an archive. The first one is the group that was
// exported, and the others are below it, parents before their children.
type archivedGroup struct {
	Path        string              `json:"path"` // below the first group
	Name        string              `json:"name"`
	Description string              `json:"description"`
	Visibility  string              `json:"visibility"`
	Labels      []archivedLabel     `json:"labels"`
	Milestones  []archivedMilestone `json:"milestones"`
}

type archivedLabel struct {
	Name        string `json:"name"`
	Color       string `json:"color"`
	Description string `json:"description"`
}

type archivedMilestone struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Closed      bool   `json:"closed"`
}

// archive returns a gzipped tar file with the group and those below it.
func (g *Group) archive() []byte {
	var groups []archivedGroup
	for _, in := range g.svc.groups.all(func(in *Group) bool { return in.within(g) }) {
		groups = append(groups, in.archived(strings.TrimPrefix(strings.TrimPrefix(in.fullPath(), g.fullPath()), "/")))
	}
	slices.SortFunc(groups, func(a, b archivedGroup) int { return strings.Compare(a.Path, b.Path) })
	var buffer bytes.Buffer
	zip := gzip.NewWriter(&buffer)
	w := &archiveWriter{tar: tar.NewWriter(zip), modified: g.svc.now()}
	w.add("VERSION", []byte("0.2.4\n"))
	w.add(archiveGroups, frame.Encode(groups))
	must(errors.Join(w.err, w.tar.Close(), zip.Close()))
	return buffer.Bytes()
}

func (g *Group) archived(path string) archivedGroup {
	made := archivedGroup{Path: path, Name: g.name, Description: g.description, Visibility: g.visibility}
	for _, l := range state[labelState](g.svc).labels.all(func(l *label) bool { return l.group == g }) {
		made.Labels = append(made.Labels, archivedLabel{l.name, l.color, l.description})
	}
	for _, m := range state[milestoneState](g.svc).milestones.all(func(m *Milestone) bool { return m.group == g }) {
		made.Milestones = append(made.Milestones, archivedMilestone{m.title, m.description, m.closed})
	}
	return made
}

// importGroup starts the import of a group. The group appears when the import has
// finished.
func importGroup(c *call) *reply {
	c.Require("name", "path")
	name, path, file := c.String("name"), c.String("path"), c.RequiredFile("file")
	parent, refusal := c.parentGroup()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal != nil {
		return refusal
	}
	if refusal := c.groupNameFree(parent, path, nil); refusal != nil {
		return refusal
	}
	owner := c.user
	c.svc.after(ImportScheduledFor+ImportStartedFor, func() {
		groups, err := readGroups(file.Content)
		defer c.svc.lock()()
		if err == nil && c.groupNameFree(parent, path, nil) == nil {
			c.svc.importGroups(parent, path, name, owner, groups)
		}
	})
	return c.Accepted(object{"message": "202 Accepted"})
}

// readGroups reads an archive of groups.
func readGroups(data []byte) (groups []archivedGroup, err error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(io.LimitReader(unzipped, maxUnpacked)); ; {
		header, err := r.Next()
		if err != nil {
			return nil, err
		}
		if header.Name != archiveGroups {
			continue
		}
		content, err := readEntry(r, header.Size)
		if err == nil {
			err = json.Unmarshal(content, &groups)
		}
		if err == nil {
			err = checkArchived(groups)
		}
		return groups, err
	}
}

// checkArchived refuses an archive that no service has exported: one without groups,
// with a group twice, with a group before its parent, or with an unknown visibility.
func checkArchived(groups []archivedGroup) error {
	known := make(map[string]bool)
	for i, g := range groups {
		parent, last := split(g.Path)
		isInPlace := i == 0 && g.Path == "" || known[parent] && last != ""
		if !isInPlace || known[g.Path] || !slices.Contains(visibilities, g.Visibility) {
			return fmt.Errorf("the group %q is none that was exported", g.Path)
		}
		known[g.Path] = true
	}
	if len(known) == 0 {
		return errors.New("the archive has no group")
	}
	return nil
}

// importGroups makes the groups of an archive. The first one gets a new path and name.
func (s *Service) importGroups(parent *Group, path, name string, owner *User, groups []archivedGroup) {
	made := make(map[string]*Group)
	for _, from := range groups {
		above, last := split(from.Path)
		in := made[above]
		if from.Path == "" {
			in, last, from.Name = parent, path, name
		}
		g := s.newGroup(in, last, []GroupOption{Name(from.Name), Description(from.Description)})
		if in != nil {
			g.visibility = narrower(from.Visibility, in.visibility, in)
		}
		if from.Path == "" {
			g.visibility = "private"
			if parent != nil {
				g.visibility = parent.visibility
			}
			s.addMember(&g.members, owner, Owner)
		}
		made[from.Path] = g
		for _, l := range from.Labels {
			s.newLabel(label{group: g, name: l.Name, color: l.Color, description: l.Description})
		}
		for _, m := range from.Milestones {
			iid := nextIID(&state[milestoneState](s).groupIIDs, g)
			(&Milestone{svc: s, group: g, iid: iid, title: m.Title, description: m.Description,
				closed: m.Closed}).store(nil)
		}
	}
}
