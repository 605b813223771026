package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// with makes a handler of one that needs what the path names. If find refuses the call, the
// handler does not run.
func with[T any](find func(*call) (T, *reply), handle func(*call, T) *reply) handler {
	return func(c *call) *reply {
		found, refusal := find(c)
		if refusal != nil {
			return refusal
		}
		return handle(c, found)
	}
}

// withRecord makes a handler of one that needs the record of a table that the path names.
func withRecord[H, T any](t *collection.Table[*call, H, T], handle func(*call, H, *T) *reply) handler {
	return withBoth(t.One, handle)
}

// withBoth is like with, for what find returns together: an object and where it is.
func withBoth[H, T any](find func(*call) (H, T, *reply), handle func(*call, H, T) *reply) handler {
	return func(c *call) *reply {
		home, found, refusal := find(c)
		if refusal != nil {
			return refusal
		}
		return handle(c, home, found)
	}
}

// unless makes a look-up of another one. It refuses a call for which is returns true.
func unless[T any](find func(*call) (T, *reply), refuse func() *reply, is func(*call, T) bool) func(*call) (T, *reply) {
	return func(c *call) (T, *reply) {
		found, refusal := find(c)
		if refusal == nil && is(c, found) {
			refusal = refuse()
		}
		return found, refusal
	}
}

// These refuse without a word on what is missing, or why.

func notFound() *reply  { return frame.NotFound("") }
func forbidden() *reply { return frame.Forbidden("") }

// service is the look-up of what belongs to the whole instance.
func (c *call) service() (*Service, *reply) { return c.svc, nil }

// These are the usual ones.

func withProject(handle func(*call, *Project) *reply) handler { return with((*call).project, handle) }
func withGroup(handle func(*call, *Group) *reply) handler     { return with((*call).group, handle) }
func withUser(handle func(*call, *User) *reply) handler       { return with((*call).pathUser, handle) }
func withJob(handle func(*call, *Job) *reply) handler         { return with((*call).findJob, handle) }
func withPipeline(handle func(*call, *Pipeline) *reply) handler {
	return with((*call).findPipeline, handle)
}
func withIssue(handle func(*call, *Issue) *reply) handler { return with((*call).findIssue, handle) }
func withMergeRequest(handle func(*call, *MergeRequest) *reply) handler {
	return with((*call).findMergeRequest, handle)
}
func withCommit(handle func(*call, *repository, *gitrepo.Commit) *reply) handler {
	return withBoth((*call).commitOf, handle)
}
func withBranch(handle func(*call, *repository, string) *reply) handler {
	return withBoth((*call).findBranch, handle)
}
func withTag(handle func(*call, *repository, string) *reply) handler {
	return withBoth((*call).findTag, handle)
}
func withFile(handle func(*call, foundFile) *reply) handler { return with((*call).fileAtRef, handle) }
func withProjectMembers(handle func(*call, *home) *reply) handler {
	return with((*call).projectMembers, handle)
}
func withGroupMembers(handle func(*call, *home) *reply) handler {
	return with((*call).groupMembers, handle)
}

// What handlers read and respond with:

// given sets a field to a parameter, if the call has it.
//
//	given(c, "description", c.String, &draft.description)
func given[T any](c *call, name string, get func(name string) T, field *T) {
	if c.Has(name) {
		*field = get(name)
	}
}

// inOrder returns a JSON object of names and values, in this order.
func inOrder(pairs ...any) *collection.Form { return collection.NewForm(pairs...) }

// mapped returns what a function makes of the records, never nil.
func mapped[T, U any](records []T, one func(T) U) []U {
	made := make([]U, 0, len(records))
	for _, record := range records {
		made = append(made, one(record))
	}
	return made
}

// first returns the first record, or nil if there is none.
func first[T any](records []*T) *T {
	if len(records) == 0 {
		return nil
	}
	return records[0]
}

// one returns the first record that a function accepts, or nil if there is none.
func one[T any](records []*T, is func(*T) bool) *T {
	if at := slices.IndexFunc(records, is); at >= 0 {
		return records[at]
	}
	return nil
}
