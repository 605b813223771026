package servicetest

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/graphql"
)

// workItemFields returns the fields of the type WorkItem.
func (t *gqlTypes) workItemFields() map[string]*gqlField {
	return map[string]*gqlField{
		"id":           gqlScalar(func(w *workItem) any { return w.id() }),
		"iid":          gqlScalar(func(w *workItem) any { return frame.Itoa(w.iid()) }),
		"title":        gqlScalar(func(w *workItem) any { return w.subject().title }),
		"description":  gqlScalar(func(w *workItem) any { return jsonText(w.subject().description) }),
		"state":        gqlScalar(func(w *workItem) any { return w.state() }),
		"confidential": gqlScalar(func(w *workItem) any { return w.confidential() }),
		"createdAt":    gqlScalar(func(w *workItem) any { return jsonTime(w.subject().createdAt) }),
		"updatedAt":    gqlScalar(func(w *workItem) any { return jsonTime(w.subject().updatedAt) }),
		"closedAt":     gqlScalar(func(w *workItem) any { return jsonTime(w.subject().closedAt) }),
		"webUrl":       gqlScalar(func(w *workItem) any { return w.webURL() }),
		"lockVersion":  gqlScalar(func(w *workItem) any { return w.changes() }),
		"author":       graphql.Object(t.user, func(w *workItem) any { return orNull(w.subject().author.shown()) }),
		"workItemType": graphql.Object(t.itemType, func(w *workItem) any { return typeOf{w.typ(), w.namespace()} }),
		"namespace":    graphql.Object(t.namespace, func(w *workItem) any { return w.namespace() }),
		"features": graphql.Object(&gqlType{Name: "WorkItemFeatures", Fields: t.workItemFeatures()},
			func(w *workItem) any { return w }),
	}
}

// state returns the state in results.
func (w *workItem) state() string {
	if w.isOpen() {
		return "OPEN"
	}
	return "CLOSED"
}

// changes counts the changes that a system note tells of.
func (w *workItem) changes() int {
	count := 0
	for _, n := range w.subject().notes {
		if n.system {
			count++
		}
	}
	return count
}

func (w *workItem) namespace() *workItemNamespace {
	if w.epic != nil {
		return &workItemNamespace{group: w.epic.group}
	}
	return &workItemNamespace{project: w.issue.project}
}

// typeOf is a type in a namespace.
type typeOf struct {
	*workItemType
	in *workItemNamespace
}

func workItemTypeFields() map[string]*gqlField {
	return map[string]*gqlField{
		"id":      gqlScalar(func(t typeOf) any { return t.in.svc().gid("WorkItems::Type", t.number) }),
		"name":    gqlScalar(func(t typeOf) any { return t.name }),
		"enabled": gqlScalar(func(t typeOf) any { return t.isOf(t.in) }),
	}
}

// workItemFeatures returns the fields of the type WorkItemFeatures: a widget each, which is
// null if the type of the work item does not have it.
func (t *gqlTypes) workItemFeatures() map[string]*gqlField {
	fields := make(map[string]*gqlField)
	for name, of := range t.workItemWidgets() {
		typ := &gqlType{Name: "WorkItem" + strings.ToUpper(name[:1]) + name[1:], Fields: of}
		fields[name] = graphql.Object(typ, func(w *workItem) any {
			if !w.typ().has(name) {
				return nil
			}
			return w
		})
	}
	return fields
}

// workItemWidgets returns the fields of each widget.
func (t *gqlTypes) workItemWidgets() map[string]map[string]*gqlField {
	widgets := map[string]map[string]*gqlField{
		"assignees": {"assignees": gqlList(t.user, func(_ *call, w *workItem) []*User {
			return w.subject().assignees
		})},
		"labels":          {"labels": gqlList(workItemLabelType(), workItemLabels)},
		"milestone":       {"milestone": graphql.Object(workItemMilestoneType(), workItemMilestone)},
		"hierarchy":       t.workItemHierarchy(),
		"linkedItems":     t.workItemLinks(),
		"startAndDueDate": workItemDates(),
		"timeTracking": {
			"timeEstimate":   gqlScalar(func(w *workItem) any { return int64(w.subject().estimate.Seconds()) }),
			"totalTimeSpent": gqlScalar(func(w *workItem) any { return int64(w.subject().spent.Seconds()) }),
		},
		"notes": {"discussionLocked": gqlScalar(func(w *workItem) any { return w.subject().lockedFlag() })},
		"notifications": {"subscribed": {Resolve: func(c *call, of any, _ graphql.Args) (any, error) {
			return c.user != nil && of.(*workItem).subject().subscribed(c.user), nil
		}}},
		"awardEmoji": {
			"upvotes":   gqlScalar(func(w *workItem) any { return w.subject().count("thumbsup") }),
			"downvotes": gqlScalar(func(w *workItem) any { return w.subject().count("thumbsdown") }),
		},
	}
	if t.premium {
		maps.Copy(widgets, premiumWidgets())
	}
	return widgets
}

// premiumWidgets returns the fields of widgets that the Free edition does not know. Nothing
// here has a status or a progress.
func premiumWidgets() map[string]map[string]*gqlField {
	nothing := func(*workItem) any { return nil }
	iteration := &gqlType{Name: "Iteration", Fields: map[string]*gqlField{
		"id":        gqlScalar(func(w *workItem) any { return w.svc().gid("Iteration", w.issue.iteration.ID) }),
		"title":     gqlScalar(func(w *workItem) any { return jsonText(w.issue.iteration.Title) }),
		"startDate": gqlScalar(func(w *workItem) any { return jsonDate(w.issue.iteration.Start) }),
		"dueDate":   gqlScalar(func(w *workItem) any { return jsonDate(w.issue.iteration.Due) }),
	}}
	status := &gqlType{Name: "WorkItemStatusValue", Fields: map[string]*gqlField{
		"id": gqlScalar(nothing), "name": gqlScalar(nothing), "category": gqlScalar(nothing),
		"color": gqlScalar(nothing),
	}}
	return map[string]map[string]*gqlField{
		"weight": {"weight": gqlScalar(func(w *workItem) any {
			if w.issue == nil {
				return nil
			}
			return w.issue.weight
		})},
		"healthStatus": {"healthStatus": gqlScalar(func(w *workItem) any { return jsonText(w.more().health) })},
		"iteration": {"iteration": graphql.Object(iteration, func(w *workItem) any {
			if w.issue == nil || w.issue.iteration == nil {
				return nil
			}
			return w
		})},
		"status": {"status": graphql.Object(status, nothing)},
		"color": {
			"color":     gqlScalar(func(w *workItem) any { return w.epic.color }),
			"textColor": gqlScalar(func(w *workItem) any { return textColor(w.epic.color) }),
		},
		"progress": {
			"progress": gqlScalar(nothing), "currentValue": gqlScalar(nothing), "startValue": gqlScalar(nothing),
			"endValue": gqlScalar(nothing),
		},
	}
}

// gqlList defines a field that is a connection to the items of a work item.
func gqlList[T any](typ *gqlType, items func(*call, *workItem) []T) *gqlField {
	return &gqlField{Type: graphql.Connection(typ), Args: graphql.PageArgs(),
		Resolve: func(c *call, of any, args graphql.Args) (any, error) {
			return graphql.PageInOrder(args, items(c, of.(*workItem)))
		}}
}

func workItemLabels(_ *call, w *workItem) []*label {
	var home any = w.namespace().group
	if w.epic == nil {
		home = w.issue.project
	}
	var labels []*label
	for _, name := range w.subject().labels {
		if l := w.svc().label(name, usableIn(home)); l != nil {
			labels = append(labels, l)
		}
	}
	return labels
}

func workItemLabelType() *gqlType {
	return &gqlType{Name: "Label", Fields: map[string]*gqlField{
		"id":              {Resolve: labelID},
		"title":           gqlScalar(func(l *label) any { return l.name }),
		"color":           gqlScalar(func(l *label) any { return l.color }),
		"textColor":       gqlScalar(func(l *label) any { return textColor(l.color) }),
		"description":     gqlScalar(func(l *label) any { return jsonText(l.description) }),
		"descriptionHtml": gqlScalar(func(l *label) any { return jsonText(l.description) }),
	}}
}

// labelID returns the ID of a label, whose kind says whether it is that of a project.
func labelID(c *call, of any, _ graphql.Args) (any, error) {
	l := of.(*label)
	if l.project != nil {
		return c.svc.gid("ProjectLabel", l.id), nil
	}
	return c.svc.gid("GroupLabel", l.id), nil
}

func workItemMilestone(w *workItem) any { return orNull(w.subject().milestone) }

func workItemMilestoneType() *gqlType {
	return &gqlType{Name: "Milestone", Fields: map[string]*gqlField{
		"id":      gqlScalar(func(m *Milestone) any { return m.svc.gid("Milestone", m.id) }),
		"iid":     gqlScalar(func(m *Milestone) any { return frame.Itoa(m.iid) }),
		"title":   gqlScalar(func(m *Milestone) any { return m.title }),
		"state":   gqlScalar(func(m *Milestone) any { return m.state() }),
		"dueDate": gqlScalar(func(m *Milestone) any { return jsonDate(m.dueDate) }),
	}}
}

func workItemDates() map[string]*gqlField {
	return map[string]*gqlField{
		"startDate": gqlScalar(func(w *workItem) any { return jsonDate(w.start()) }),
		"dueDate":   gqlScalar(func(w *workItem) any { return jsonDate(w.due()) }),
		"isFixed":   gqlScalar(func(w *workItem) any { return w.datesAreFixed() }),
	}
}

func (t *gqlTypes) workItemHierarchy() map[string]*gqlField {
	return map[string]*gqlField{
		"hasParent":   gqlScalar(func(w *workItem) any { return w.parent() != nil }),
		"hasChildren": gqlScalar(func(w *workItem) any { return len(w.children()) > 0 }),
		"parent": {Type: t.workItem, Resolve: func(c *call, of any, _ graphql.Args) (any, error) {
			return c.visibleItem(of.(*workItem).parent()), nil
		}},
		"children": gqlList(t.workItem, func(c *call, w *workItem) []*workItem {
			return slices.DeleteFunc(w.children(), func(child *workItem) bool { return !child.shownTo(c.user) })
		}),
	}
}

// visibleItem returns a work item if the caller can see it, and null otherwise.
func (c *call) visibleItem(w *workItem) any {
	if w == nil || !w.shownTo(c.user) {
		return nil
	}
	return w
}

// A workItemLink is a link of an issue, from its side.
type workItemLink struct {
	id    int64
	kind  string
	other *workItem
}

// workItemLinks are the fields of links, which only issues have here.
func (t *gqlTypes) workItemLinks() map[string]*gqlField {
	link := &gqlType{Name: "LinkedWorkItem", Fields: map[string]*gqlField{
		"linkId":   {Resolve: func(c *call, of any, _ graphql.Args) (any, error) { return c.linkID(of) }},
		"linkType": gqlScalar(func(l workItemLink) any { return l.kind }),
		"workItem": {Type: t.workItem, Resolve: func(c *call, of any, _ graphql.Args) (any, error) {
			return c.visibleItem(of.(workItemLink).other), nil
		}},
	}}
	return map[string]*gqlField{
		"linkedItems":    gqlList(link, func(_ *call, w *workItem) []workItemLink { return w.links("") }),
		"blocked":        gqlScalar(func(w *workItem) any { return len(w.links(isBlockedBy)) > 0 }),
		"blockedByCount": gqlScalar(func(w *workItem) any { return len(w.links(isBlockedBy)) }),
		"blockingCount":  gqlScalar(func(w *workItem) any { return len(w.links(blocks)) }),
	}
}

func (c *call) linkID(of any) (any, error) {
	return c.svc.gid("WorkItems::RelatedWorkItemLink", of.(workItemLink).id), nil
}

// links returns the links of a kind, or all of them for "".
func (w *workItem) links(kind string) []workItemLink {
	if w.issue == nil {
		return nil
	}
	var found []workItemLink
	for _, l := range w.issue.links() {
		if other, is := l.from(w.issue); kind == "" || is == kind && other.state == "opened" {
			found = append(found, workItemLink{l.id, is, ofIssue(other)})
		}
	}
	return found
}

// namespaceFields returns the fields of the type Namespace.
func (t *gqlTypes) namespaceFields() map[string]*gqlField {
	return map[string]*gqlField{
		"id":       gqlScalar(func(n *workItemNamespace) any { return n.id() }),
		"fullPath": gqlScalar(func(n *workItemNamespace) any { path, _, _ := n.names(); return path }),
		"path":     gqlScalar(func(n *workItemNamespace) any { _, path, _ := n.names(); return path }),
		"name":     gqlScalar(func(n *workItemNamespace) any { _, _, name := n.names(); return name }),
		"workItem": {Type: t.workItem, Args: map[string]string{"iid": "String!"}, Resolve: getWorkItem},
		"workItems": {Type: graphql.Connection(t.workItem), Args: workItemArgs(t.premium),
			Resolve: func(c *call, of any, args graphql.Args) (any, error) {
				return c.listWorkItems(of.(*workItemNamespace), args)
			}},
		"workItemTypes": {Type: graphql.Connection(t.itemType),
			Args: graphql.PageArgs("name", "IssueType", "onlyAvailable", "Boolean"), Resolve: listWorkItemTypes},
	}
}

// findNamespace returns the user, the project or the group with a path, if the caller can see
// it.
func (c *call) findNamespace(path string) any {
	for _, u := range c.svc.users.all(func(u *User) bool { return strings.EqualFold(u.username, path) }) {
		return &workItemNamespace{user: u}
	}
	if g := c.svc.findGroup(path); g != nil && strings.EqualFold(g.fullPath(), path) {
		if !c.svc.canSeeGroup(c.user, g) {
			return nil
		}
		return &workItemNamespace{group: g}
	}
	p := c.svc.findProject(path)
	if p == nil || !strings.EqualFold(p.fullPath(), path) || !c.svc.canSeeProject(c.user, p) {
		return nil
	}
	return &workItemNamespace{project: p}
}

func getWorkItem(c *call, of any, args graphql.Args) (any, error) {
	text, err := args.String("iid")
	iid, _ := strconv.ParseInt(text, 10, 64)
	n := of.(*workItemNamespace)
	if n.project != nil {
		if i, ok := n.project.issues().get(iid); ok {
			return c.visibleItem(ofIssue(i)), nil
		}
		return nil, err
	}
	isIt := func(e *Epic) bool { return e.group == n.group && e.iid == iid }
	for _, e := range state[epicState](c.svc).epics.all(isIt) {
		return c.visibleItem(ofEpic(e)), nil
	}
	return nil, err
}

func listWorkItemTypes(_ *call, of any, args graphql.Args) (any, error) {
	name, err := args.String("name")
	n := of.(*workItemNamespace)
	var found []typeOf
	for _, t := range workItemTypes {
		if (name == "" || t.constant() == name) && (args["onlyAvailable"] != true || t.isOf(n)) {
			found = append(found, typeOf{t, n})
		}
	}
	page, wrong := graphql.PageInOrder(args, found)
	return page, errors.Join(err, wrong)
}
