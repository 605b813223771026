package page

import (
	"fmt"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest"
)

// mostChildren is how many merge requests and how many pipelines of a project are shown.
const mostChildren = 25

// A stateView is what the page shows besides requests and deliveries.
type stateView struct {
	Objects []*node     `json:"objects"`
	Faults  []faultView `json:"faults"`
	Running int         `json:"running"` // jobs
}

type faultView struct {
	ID     int64  `json:"id"`
	Text   string `json:"text"`
	Hits   int    `json:"hits"`
	UsedUp bool   `json:"usedUp"`
}

// A node is an object of the tree. Its key is the ID of its element, which links name.
type node struct {
	Key      string  `json:"key"`
	Kind     string  `json:"kind"`
	ID       int64   `json:"id"`
	Label    string  `json:"label"`
	Status   string  `json:"status,omitempty"`
	Note     string  `json:"note,omitempty"`
	Links    []link  `json:"links,omitempty"`
	Children []*node `json:"children,omitempty"`
	Older    int     `json:"older,omitempty"` // children that are left out
}

// A link leads to another object. Its key is "" if that is not shown.
type link struct {
	Key   string `json:"key"`
	Label string `json:"label"`
}

func (p *Page) state() stateView {
	view := stateView{Objects: []*node{}, Faults: []faultView{}}
	for _, fault := range p.service.Faults() {
		view.Faults = append(view.Faults, faultView{fault.ID(), fault.String(), fault.Hits(), fault.UsedUp()})
	}
	nodes := make(map[any]*node)
	objects := p.service.Objects()
	for _, object := range objects {
		made := nodeOf(object)
		nodes[object.Handle] = made
		if parent := nodes[object.Parent]; parent != nil {
			parent.Children = append(parent.Children, made)
		} else {
			view.Objects = append(view.Objects, made)
		}
		if made.Kind == "job" && made.Status == "running" {
			view.Running++
		}
	}
	for _, made := range nodes {
		if made.Kind == "project" {
			made.shorten()
		}
	}
	connect(objects, nodes)
	return view
}

func nodeOf(o servicetest.Object) *node {
	n := &node{ID: o.ID, Label: o.Name, Status: o.Status}
	switch o.Handle.(type) {
	case *servicetest.Group:
		n.Kind = "group"
	case *servicetest.Project:
		n.Kind = "project"
	case *servicetest.MergeRequest:
		n.Kind, n.Label, n.Note = "merge request", fmt.Sprintf("!%d %s", o.IID, o.Name), o.Ref+" → "+o.Target
	case *servicetest.Pipeline:
		n.Kind, n.Label, n.Note = "pipeline", fmt.Sprintf("#%d %s", o.ID, o.Name), o.Ref
	case *servicetest.Job:
		n.Kind, n.Note = "job", o.Stage
	}
	n.Key = fmt.Sprintf("%s-%d", strings.ReplaceAll(n.Kind, " ", "-"), o.ID)
	return n
}

// shorten sorts the merge requests and the pipelines of a project, newest first, and
// leaves out old ones.
func (n *node) shorten() {
	slices.Reverse(n.Children)
	slices.SortStableFunc(n.Children, func(a, b *node) int { return rank[a.Kind] - rank[b.Kind] })
	kept := make(map[string]int)
	n.Children = slices.DeleteFunc(n.Children, func(child *node) bool {
		kept[child.Kind]++
		if kept[child.Kind] <= mostChildren {
			return false
		}
		n.Older++
		child.Key = ""
		return true
	})
}

var rank = map[string]int{"merge request": 1, "pipeline": 2}

// connect links merge requests and their pipelines, both ways.
func connect(objects []servicetest.Object, nodes map[any]*node) {
	for _, object := range objects {
		from := nodes[object.Handle]
		for _, pipeline := range object.Pipelines {
			to := nodes[pipeline]
			if to == nil {
				continue
			}
			from.Links = append(from.Links, link{to.Key, fmt.Sprintf("pipeline #%d", pipeline.ID())})
			to.Links = append(to.Links, link{from.Key, fmt.Sprintf("!%d", object.IID)})
		}
	}
}
