package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"strconv"
	"strings"
)

// WorkItemsService manages work items: the issues, tasks, incidents and tickets of projects,
// and the epics of groups, in one form. It uses the GraphQL API:
//
//	item := serviceapi.ProjectPath("acme/app").WorkItem(12)
//	task, _, err := client.WorkItems.Get(ctx, item, nil)
//
// Experimental: the service makes no promise about this part of its schema, so the methods
// may change with it. An issue is also available from [IssuesService], by the same number, and
// an epic from [EpicsService].
//
// Projects and groups are identified by their paths: the GraphQL API accepts no IDs for them.
// A user's own namespace has no work items, but its projects have. Reading requires the scope
// "read_api", and everything else the scope "api".
//
// A call returns [ErrNotFound] for what does not exist or is hidden from the caller, and
// [ErrNotInSchema] if the release lacks what the call needs: [WorkItemsService.Get] needs
// 18.9, as [WorkItemsService.List] does. It returns [ErrUnprocessable] for a value that the
// service refuses, with its messages in [GraphQLError.Errors].
//
// Its options are [CreateWorkItemOptions], [GetWorkItemOptions],
// [ListWorkItemTypesOptions], [ListWorkItemsOptions] and [UpdateWorkItemOptions]. See
// recipe 23 of docs/cookbook.md, the example PrintPlan of
// [example.com/serviceapi/examples/recipes].
type WorkItemsService service

// WorkItemOwner is an owner of work items: a [ProjectRef] or a [GroupRef].
type WorkItemOwner interface{ hasWorkItems() }

func (ProjectRef) hasWorkItems() {}
func (GroupRef) hasWorkItems()   {}

// WorkItemRef identifies a work item of a project or a group. Make it with
// [ProjectRef.WorkItem] or [GroupRef.WorkItem], or take it from a result with its method Ref.
// Only the latter has the ID of the work item, which saves [WorkItemsService.Update] and
// [WorkItemsService.Delete] a request. The zero WorkItemRef is refused.
type WorkItemRef struct {
	owner WorkItemOwner
	iid   int64
	id    GlobalID
}

// WorkItem identifies the work item with this number in the project (IID), which must be
// positive. It is the number of the issue, too.
func (r ProjectRef) WorkItem(iid int64) WorkItemRef { return WorkItemRef{owner: r, iid: iid} }

// WorkItem identifies the work item with this number in the group (IID), which must be
// positive. It is the number of the epic, too.
func (r GroupRef) WorkItem(iid int64) WorkItemRef { return WorkItemRef{owner: r, iid: iid} }

// IsZero reports whether the reference is the zero value.
func (r WorkItemRef) IsZero() bool { return r == WorkItemRef{} }

// IID returns the number of the work item in its project or group.
func (r WorkItemRef) IID() int64 { return r.iid }

// String returns the owner and the number, such as "acme/shop#12", or "" for the zero value.
func (r WorkItemRef) String() string {
	if owner, ok := r.owner.(anyReference); ok {
		return numbered(owner.self(), "#", r.iid)
	}
	return string(r.id)
}

// field returns the field of the work item with a selection.
func (r WorkItemRef) field(selection string) graphQLField {
	if r.owner == nil {
		return graphQLField{err: badArgument("work item", "is missing: the reference is empty")}
	}
	f := namespaceField(r.owner, "workItem", selection)
	f.arguments = []graphQLArgument{{"iid", "String!", strconv.FormatInt(r.iid, 10)}}
	f.refuse(positive("iid", r.iid))
	return f
}

// Get returns a work item.
//
//	POST /api/graphql
func (s *WorkItemsService) Get(
	ctx context.Context, item WorkItemRef, options *GetWorkItemOptions, opts ...RequestOption,
) (*WorkItem, *Response, error) {
	selection, err := selectWorkItem(orZero(options).Parts)
	f := item.field(selection)
	f.refuse(err)
	node, resp, err := getBelow[workItemNode](ctx, using(s), f, opts)
	return node.workItem(), resp, err
}

// List returns one page of the work items of a project or a group, the newest first. Those of
// a group do not include those of its projects and subgroups, unless the options ask for them.
//
//	POST /api/graphql
func (s *WorkItemsService) List(
	ctx context.Context, owner WorkItemOwner, options *ListWorkItemsOptions, opts ...RequestOption,
) ([]*WorkItem, *Response, error) {
	return s.itemsOf(owner, options).list(ctx, using(s), opts)
}

// All returns all work items of a project or a group. See [WorkItemsService.List].
//
//	POST /api/graphql
func (s *WorkItemsService) All(
	ctx context.Context, owner WorkItemOwner, options *ListWorkItemsOptions, opts ...RequestOption,
) iter.Seq2[*WorkItem, error] {
	return s.itemsOf(owner, options).all(ctx, using(s), opts)
}

// itemsOf is the list of the work items that the options select.
func (s *WorkItemsService) itemsOf(
	owner WorkItemOwner, options *ListWorkItemsOptions,
) graphQLList[workItemNode, WorkItem] {
	o := orZero(options)
	selection, err := selectWorkItem(o.Parts)
	f := namespaceField(owner, "workItems", selection)
	f.arguments = graphQLArguments(*o)
	f.refuse(err)
	f.refuse(checkFields(using(s), o))
	return graphQLList[workItemNode, WorkItem]{f, o.GraphQLListOptions, (*workItemNode).workItem}
}

// namespaceField is a field of the namespace that is an owner of work items.
func namespaceField(owner WorkItemOwner, name, selection string) graphQLField {
	switch o := owner.(type) {
	case ProjectRef:
		return fieldOf("namespace", o, name, selection)
	case GroupRef:
		return fieldOf("namespace", o, name, selection)
	}
	return graphQLField{err: badArgument("owner", "is missing")} // nil, or a pointer
}

// ListTypes returns one page of the types that work items of a project or a group can have,
// sorted by name, with those that are disabled there.
//
//	POST /api/graphql
func (s *WorkItemsService) ListTypes(
	ctx context.Context, owner WorkItemOwner, options *ListWorkItemTypesOptions, opts ...RequestOption,
) ([]*WorkItemType, *Response, error) {
	return workItemTypesOf(owner, options).list(ctx, using(s), opts)
}

// AllTypes returns all types that work items of a project or a group can have. See
// [WorkItemsService.ListTypes].
//
//	POST /api/graphql
func (s *WorkItemsService) AllTypes(
	ctx context.Context, owner WorkItemOwner, options *ListWorkItemTypesOptions, opts ...RequestOption,
) iter.Seq2[*WorkItemType, error] {
	return workItemTypesOf(owner, options).all(ctx, using(s), opts)
}

func workItemTypesOf(
	owner WorkItemOwner, options *ListWorkItemTypesOptions,
) graphQLList[WorkItemType, WorkItemType] {
	o := orZero(options)
	selection := "id name"
	if o.WithEnabled {
		selection += " enabled"
	}
	f := namespaceField(owner, "workItemTypes", selection)
	f.arguments = graphQLArguments(*o)
	return listOf[WorkItemType](f, &o.GraphQLListOptions)
}

// Create creates a work item in a project or a group, which requires the Guest role, and the
// Reporter role for an incident. The caller is its author.
//
// Unless the options have the ID of the type, Create first reads the types of the owner, to
// find it by its name: programs that create many take it from [WorkItemsService.AllTypes].
// Create is not repeated after an error if the service may have created the work item.
//
//	POST /api/graphql
func (s *WorkItemsService) Create(
	ctx context.Context, owner WorkItemOwner, options CreateWorkItemOptions, opts ...RequestOption,
) (*WorkItem, *Response, error) {
	selection, err := selectWorkItem(options.Parts)
	f := namespaceField(owner, "", "")
	f.refuse(err)
	f.refuse(checkFields(using(s), &options))
	if f.err != nil {
		return nil, nil, unasked(ctx, using(s), f.err, opts)
	}
	if options.TypeID == "" {
		typ, resp, err := s.typeNamed(ctx, owner, options.Type, opts)
		if err != nil {
			return nil, resp, err
		}
		options.TypeID = typ.ID
	}
	node, resp, err := mutate[workItemNode](ctx, using(s), graphQLMutation{
		name: "workItemCreate", inputType: "WorkItemCreateInput", input: options.input(f.path),
		result: "workItem", selection: selection,
	}, opts)
	return node.workItem(), resp, err
}

// typeNamed returns the type of a work item with this name.
func (s *WorkItemsService) typeNamed(
	ctx context.Context, owner WorkItemOwner, name WorkItemTypeName, opts []RequestOption,
) (*WorkItemType, *Response, error) {
	l := workItemTypesOf(owner, &ListWorkItemTypesOptions{GraphQLListOptions: GraphQLListOptions{First: maxFirst}})
	types, resp, err := l.list(ctx, using(s), opts)
	if err != nil {
		return nil, resp, err
	}
	for _, typ := range types {
		if strings.EqualFold(string(typ.Name), string(name)) {
			return typ, resp, nil
		}
	}
	err = badArgument("Type", "is no type of work items here: WorkItems.AllTypes returns them")
	return nil, resp, unasked(ctx, using(s), err, opts)
}

// Update changes a work item, which requires the Reporter role, or to be its author or
// assignee. It first reads the ID of the work item, unless the reference is that of a result.
//
//	POST /api/graphql
func (s *WorkItemsService) Update(
	ctx context.Context, item WorkItemRef, options UpdateWorkItemOptions, opts ...RequestOption,
) (*WorkItem, *Response, error) {
	selection, err := selectWorkItem(options.Parts)
	if err := cmp.Or(err, checkFields(using(s), &options)); err != nil {
		return nil, nil, unasked(ctx, using(s), err, opts)
	}
	id, resp, err := s.idOf(ctx, item, opts)
	if err != nil {
		return nil, resp, err
	}
	node, resp, err := mutate[workItemNode](ctx, using(s), graphQLMutation{
		name: "workItemUpdate", inputType: "WorkItemUpdateInput", input: options.input(id),
		result: "workItem", selection: selection,
	}, opts)
	return node.workItem(), resp, err
}

// workItemID is a work item of which only the ID was read.
type workItemID struct {
	ID GlobalID `json:"id"`
}

// idOf returns the ID of a work item, which a reference may have.
func (s *WorkItemsService) idOf(
	ctx context.Context, item WorkItemRef, opts []RequestOption,
) (GlobalID, *Response, error) {
	id, resp := item.id, (*Response)(nil)
	if id == "" {
		found, answer, err := getBelow[workItemID](ctx, using(s), item.field("id"), opts)
		if err != nil {
			return "", answer, err
		}
		id, resp = found.ID, answer
	}
	if err := id.check("ID of the work item"); err != nil {
		return "", resp, unasked(ctx, using(s), err, opts)
	}
	return id, resp, nil
}

// Delete deletes a work item. It requires the Owner role, or to be its author. It first reads
// the ID of the work item, unless the reference is that of a result.
//
//	POST /api/graphql
func (s *WorkItemsService) Delete(
	ctx context.Context, item WorkItemRef, opts ...RequestOption,
) (*Response, error) {
	id, resp, err := s.idOf(ctx, item, opts)
	if err != nil {
		return resp, err
	}
	_, resp, err = mutate[workItemNode](ctx, using(s), graphQLMutation{
		name: "workItemDelete", inputType: "WorkItemDeleteInput", input: map[string]GlobalID{"id": id},
	}, opts)
	return resp, err
}
