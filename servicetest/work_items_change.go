package servicetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
	"unicode"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/graphql"
)

// rest serves a call of the REST API on behalf of a mutation, with everything that the call
// causes. It returns the messages of a refusal, and noResource for one that must not say more.
func (c *call) rest(method, path string, params map[string]any) ([]string, error) {
	found := c.svc.router.Load().Find(method, "/api/v4"+path)
	framed, refusal := frame.NewCall(c.Request, found.Params())
	if refusal != nil {
		return nil, noResource
	}
	framed.Touch = c.Touch
	maps.Copy(framed.Values, params)
	maps.Copy(framed.Values, framed.Path)
	inner := &call{Call: framed, svc: c.svc, route: found.Route, user: c.user, token: c.token}
	for _, check := range []func() *reply{
		func() *reply { return inner.requireTier(inner.route.tier) }, inner.projectNotArchived, inner.partTurnedOn,
		func() *reply { return inner.route.handle(inner) },
	} {
		if refusal := check(); refusal != nil && refusal.Status >= http.StatusBadRequest {
			return refusalTexts(refusal, c.Request)
		}
	}
	return nil, nil
}

// refusalTexts returns the messages of a refusal by the REST API.
func refusalTexts(refusal *reply, r *http.Request) ([]string, error) {
	if refusal.Status == http.StatusNotFound || refusal.Status == http.StatusForbidden {
		return nil, noResource
	}
	w := httptest.NewRecorder()
	refusal.Write(w, r)
	var said struct {
		Message, Error any
	}
	_ = json.Unmarshal(w.Body.Bytes(), &said)
	if fields, ok := said.Message.(map[string]any); ok {
		var texts []string
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			for _, message := range textsOf(fields[field]) {
				texts = append(texts, frame.Sentence(field, message))
			}
		}
		return texts, nil
	}
	if said.Message != nil {
		return []string{fmt.Sprint(said.Message)}, nil
	}
	return []string{fmt.Sprint(said.Error)}, nil
}

// A workItemPayload is the result of a mutation of a work item.
type workItemPayload struct {
	item      *workItem
	namespace *workItemNamespace
	problems  []string
	clientID  any
}

// workItemMutations returns the mutations of work items.
func (t *gqlTypes) workItemMutations() map[string]*gqlField {
	payload := func(name string) *gqlType {
		return &gqlType{Name: name, Fields: map[string]*gqlField{
			"workItem":         graphql.Object(t.workItem, func(p *workItemPayload) any { return orNull(p.item) }),
			"errors":           gqlScalar(func(p *workItemPayload) any { return p.problems }),
			"clientMutationId": gqlScalar(func(p *workItemPayload) any { return p.clientID }),
		}}
	}
	deleted := payload("WorkItemDeletePayload")
	delete(deleted.Fields, "workItem")
	deleted.Fields["namespace"] = graphql.Object(t.namespace,
		func(p *workItemPayload) any { return orNull(p.namespace) })
	type changer = func(*call, workItemInput) (*workItemPayload, error)
	mutation := func(typ *gqlType, input string, change changer) *gqlField {
		return &gqlField{Type: typ, Args: map[string]string{"input": input},
			Resolve: func(c *call, _ any, args graphql.Args) (any, error) {
				in, _ := args["input"].(map[string]any)
				made, err := change(c, in)
				if err != nil {
					return nil, err
				}
				made.problems, made.clientID = append([]string{}, made.problems...), in["clientMutationId"]
				return made, nil
			}}
	}
	return map[string]*gqlField{
		"workItemCreate": mutation(payload("WorkItemCreatePayload"), "WorkItemCreateInput!", (*call).createWorkItem),
		"workItemUpdate": mutation(payload("WorkItemUpdatePayload"), "WorkItemUpdateInput!", (*call).updateWorkItem),
		"workItemDelete": mutation(deleted, "WorkItemDeleteInput!", (*call).deleteWorkItem),
	}
}

// workItemInput is the input of a mutation.
type workItemInput map[string]any

// widget returns the members of a widget, nil if it is absent.
func (in workItemInput) widget(name string) workItemInput {
	widget, _ := in[name].(map[string]any)
	return widget
}

// has reports whether a member is there, even if it is null.
func (in workItemInput) has(name string) bool {
	_, ok := in[name]
	return ok
}

func (in workItemInput) word(name string) string {
	text, _ := in[name].(string)
	return text
}

// widgetKeys are the widgets of the input by the names of the features.
var widgetKeys = map[string]string{
	"descriptionWidget": "description", "assigneesWidget": "assignees", "labelsWidget": "labels",
	"milestoneWidget": "milestone", "hierarchyWidget": "hierarchy", "linkedItemsWidget": "linkedItems",
	"startAndDueDateWidget": "startAndDueDate", "notesWidget": "notes", "notificationsWidget": "notifications",
	"awardEmojiWidget": "awardEmoji", "timeTrackingWidget": "timeTracking", "weightWidget": "weight",
	"healthStatusWidget": "healthStatus", "iterationWidget": "iteration", "colorWidget": "color",
	"currentUserTodosWidget": "currentUserTodos",
}

// plainMembers are the members of the input that are no widgets.
var plainMembers = []string{
	"clientMutationId", "confidential", "createSource", "createdAt", "id", "namespacePath", "stateEvent", "title",
	"workItemTypeId",
}

// unsupported returns what the type does not support, or nothing.
func (in workItemInput) unsupported(t *workItemType) []string {
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(in)) {
		widget := widgetKeys[name]
		if !slices.Contains(plainMembers, name) && (widget == "" || !t.has(widget)) {
			keys = append(keys, ":"+snake(name))
		}
	}
	if keys == nil {
		return nil
	}
	return []string{fmt.Sprintf("Following widget keys are not supported by %s type: [%s]", t.name,
		strings.Join(keys, ", "))}
}

// snake turns "colorWidget" into "color_widget".
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

func (c *call) createWorkItem(in workItemInput) (*workItemPayload, error) {
	if !in.has("namespacePath") {
		return nil, graphql.Failure("One and only one of [namespacePath, projectPath] arguments is required")
	}
	n, _ := c.findNamespace(in.word("namespacePath")).(*workItemNamespace)
	if n == nil {
		return nil, noResource
	}
	number, err := c.svc.numberOf(in.word("workItemTypeId"), "WorkItems::Type")
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(workItemTypes, func(t *workItemType) bool { return t.number == number })
	if at < 0 {
		return nil, noResource
	}
	typ := workItemTypes[at]
	if !typ.isOf(n) {
		return &workItemPayload{problems: []string{typ.name + " is not allowed in this namespace"}}, nil
	}
	if problem := in.unsupported(typ); problem != nil {
		return &workItemPayload{problems: problem}, nil
	}
	in = maps.Clone(in)
	params, err := c.workItemParams(in, n.group != nil)
	if err != nil {
		return nil, err
	}
	path := "/projects/" + frame.Itoa(n.idInREST()) + "/issues"
	if n.group != nil {
		path = "/groups/" + frame.Itoa(n.idInREST()) + "/epics"
	} else {
		params["issue_type"] = typ.kind
	}
	if labels, ok := params["add_labels"]; ok {
		params["labels"] = labels
	}
	if at := in.word("createdAt"); at != "" {
		params["created_at"] = at
	}
	problems, err := c.rest("POST", path, params)
	if err != nil || problems != nil {
		return &workItemPayload{problems: problems}, err
	}
	made := slices.MaxFunc(c.svc.workItems(n.owns), func(a, b *workItem) int {
		return cmp.Compare(a.number(), b.number())
	})
	problems, err = c.finishWorkItem(made, in)
	return &workItemPayload{item: made, problems: problems}, err
}

func (n *workItemNamespace) idInREST() int64 {
	if n.group != nil {
		return n.group.id
	}
	return n.project.id
}

// workItemWithID returns the work item with the global ID in a member of an input.
func (c *call) workItemWithID(id string) (*workItem, error) {
	number, err := c.svc.numberOf(id, "WorkItem")
	if err != nil {
		return nil, err
	}
	w := &workItem{}
	if number < epicNumbers {
		w.issue, _ = state[issueState](c.svc).issues.get(number)
	} else {
		w.epic, _ = state[epicState](c.svc).epics.get(number - epicNumbers)
	}
	if w.issue == nil && w.epic == nil || !w.shownTo(c.user) {
		return nil, noResource
	}
	return w, nil
}

func (c *call) updateWorkItem(in workItemInput) (*workItemPayload, error) {
	w, err := c.workItemWithID(in.word("id"))
	if err != nil {
		return nil, err
	}
	if !c.mayUpdate(w, in) {
		return nil, noResource
	}
	if problem := in.unsupported(w.typ()); problem != nil {
		return &workItemPayload{problems: problem}, nil
	}
	params, err := c.workItemParams(in, w.epic != nil)
	if err != nil {
		return nil, err
	}
	if event := in.word("stateEvent"); event != "" {
		params["state_event"] = strings.ToLower(event)
	}
	if len(params) > 0 {
		if problems, err := c.rest("PUT", w.pathInREST(), params); err != nil || problems != nil {
			return &workItemPayload{problems: problems}, err
		}
	}
	problems, err := c.finishWorkItem(w, in)
	if !in.isOwn() {
		c.Touch(w.record())
		w.subject().updatedAt = c.now()
	}
	return &workItemPayload{item: w, problems: problems}, err
}

// isOwn reports whether the input changes only what belongs to the caller.
func (in workItemInput) isOwn() bool {
	own := []string{"id", "clientMutationId", "notificationsWidget", "awardEmojiWidget", "currentUserTodosWidget"}
	for name := range in {
		if !slices.Contains(own, name) {
			return false
		}
	}
	return true
}

// mayUpdate reports whether the caller may change a work item. Everyone who can see it may
// change what is the caller's own.
func (c *call) mayUpdate(w *workItem, in workItemInput) bool {
	switch {
	case c.user == nil, w.issue != nil && w.issue.project.archived:
		return false
	case w.epic != nil && c.svc.groupLevel(c.user, w.epic.group) >= Reporter,
		w.issue != nil && w.issue.mayChange(c.user):
		return true
	}
	return in.isOwn()
}

func (w *workItem) pathInREST() string {
	kind := "/projects/" + frame.Itoa(w.namespace().idInREST()) + "/issues/"
	if w.epic != nil {
		kind = "/groups/" + frame.Itoa(w.namespace().idInREST()) + "/epics/"
	}
	return kind + frame.Itoa(w.iid())
}

func (c *call) deleteWorkItem(in workItemInput) (*workItemPayload, error) {
	w, err := c.workItemWithID(in.word("id"))
	if err != nil {
		return nil, err
	}
	if w.issue != nil && w.issue.project.archived {
		return nil, noResource
	}
	if w.subject().author == c.user && c.user != nil { // who may delete it without a role
		c.Touch(w.record())
		made := &workItemPayload{namespace: w.namespace()}
		if w.epic != nil {
			w.epic.remove()
		} else {
			w.issue.remove()
		}
		return made, nil
	}
	problems, err := c.rest("DELETE", w.pathInREST(), nil)
	return &workItemPayload{namespace: w.namespace(), problems: problems}, err
}

// workItemParams returns the parameters of the REST API that stand for an input.
func (c *call) workItemParams(in workItemInput, isEpic bool) (map[string]any, error) {
	params := make(map[string]any)
	for _, name := range []string{"title", "confidential"} {
		if in.has(name) {
			params[name] = in[name]
		}
	}
	copyMember := func(widget, member, param string, convert func(any) (any, error)) error {
		if !in.widget(widget).has(member) {
			return nil
		}
		value, err := convert(in.widget(widget)[member])
		params[param] = value
		return err
	}
	start, due := "start_date", "due_date"
	if isEpic {
		start, due = "start_date_fixed", "due_date_fixed"
	}
	asIs := func(value any) (any, error) { return value, nil }
	for _, err := range []error{
		copyMember("descriptionWidget", "description", "description", asIs),
		copyMember("assigneesWidget", "assigneeIds", "assignee_ids", c.numbersOf("User")),
		copyMember("labelsWidget", "labelIds", "add_labels", c.labelNames),
		copyMember("labelsWidget", "addLabelIds", "add_labels", c.labelNames),
		copyMember("labelsWidget", "removeLabelIds", "remove_labels", c.labelNames),
		copyMember("milestoneWidget", "milestoneId", "milestone_id", c.optionalNumber("Milestone")),
		copyMember("startAndDueDateWidget", "startDate", start, orEmpty),
		copyMember("startAndDueDateWidget", "dueDate", due, orEmpty),
		copyMember("notesWidget", "discussionLocked", "discussion_locked", asIs),
		copyMember("weightWidget", "weight", "weight", orEmpty),
		copyMember("colorWidget", "color", "color", asIs),
	} {
		if err != nil {
			return nil, err
		}
	}
	delete(params, "start_date")
	if isEpic && in.widget("startAndDueDateWidget") != nil {
		params["start_date_is_fixed"], params["due_date_is_fixed"] = true, true
	}
	return params, nil
}

// orEmpty turns null into "", which removes a value.
func orEmpty(value any) (any, error) {
	if value == nil {
		return "", nil
	}
	return value, nil
}

// optionalNumber reads a global ID, or null, which is 0.
func (c *call) optionalNumber(kinds ...string) func(any) (any, error) {
	return func(value any) (any, error) {
		if value == nil {
			return json.Number("0"), nil
		}
		n, err := c.svc.numberOf(fmt.Sprint(value), kinds...)
		return json.Number(frame.Itoa(n)), err
	}
}

// numbersOf reads a list of global IDs.
func (c *call) numbersOf(kinds ...string) func(any) (any, error) {
	return func(value any) (any, error) {
		numbers := []any{}
		for _, id := range textsOf(value) {
			n, err := c.svc.numberOf(id, kinds...)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, json.Number(frame.Itoa(n)))
		}
		return numbers, nil
	}
}

// labelNames returns the names of labels by their global IDs, separated by commas.
func (c *call) labelNames(value any) (any, error) {
	var names []string
	for _, id := range textsOf(value) {
		n, err := c.svc.numberOf(id, "Label", "ProjectLabel", "GroupLabel")
		if err != nil {
			return nil, err
		}
		l, ok := state[labelState](c.svc).labels.get(n)
		if !ok {
			return nil, noResource
		}
		names = append(names, l.name)
	}
	return strings.Join(names, ","), nil
}

// finishWorkItem applies what calls of the REST API for issues and epics do not take.
func (c *call) finishWorkItem(w *workItem, in workItemInput) ([]string, error) {
	more := w.more()
	dates := in.widget("startAndDueDateWidget")
	if dates.has("startDate") {
		more.startDate = time.Time{}
		if dates["startDate"] != nil {
			at, err := timeOf(dates["startDate"])
			if err != nil {
				return nil, err
			}
			more.startDate = at
		}
	}
	if fixed, ok := dates["isFixed"].(bool); ok {
		more.fixed = fixed
	}
	if health := in.widget("healthStatusWidget"); health != nil {
		more.health = health.word("healthStatus")
	}
	w.keep(more)
	for _, step := range []func(*workItem, workItemInput) ([]string, error){
		c.setHierarchy, c.linkWorkItems, c.setIteration, c.setForCaller, c.trackTime,
	} {
		if problems, err := step(w, in); err != nil || problems != nil {
			return problems, err
		}
	}
	return nil, nil
}
