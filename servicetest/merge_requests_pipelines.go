package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// pipelines returns the pipelines of the merge request's commits, newest first.
func (m *MergeRequest) pipelines() []*Pipeline {
	own := make(map[string]bool)
	for _, commit := range m.commits() {
		own[commit.SHA] = true
	}
	found := slices.DeleteFunc(slices.Clone(m.source.pipelines), func(p *Pipeline) bool {
		return p.ref != m.sourceBranch || p.tag || p.parent != nil || !own[p.commit.SHA]
	})
	slices.Reverse(found)
	return found
}

func listMergeRequestPipelines(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	return frame.ListOf(c, m.pipelines(), (*Pipeline).entry)
}

// createMergeRequestPipeline starts a pipeline at once or, if the caller does
// not want to wait, with the next request.
func createMergeRequestPipeline(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	async := c.Bool("async", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if m.state != "opened" || m.head() == nil {
		return notAllowed()
	}
	if problem := m.source.plan().problem; problem != "" {
		return frame.FieldErrors("base", problem)
	}
	user := c.user
	if async {
		c.svc.after(0, func() {
			defer c.svc.lock()()
			if m.head() != nil {
				m.startPipeline(user)
			}
		})
		return c.Accepted(nil)
	}
	return c.OK(m.startPipeline(user).object())
}

func (m *MergeRequest) startPipeline(user *User) *Pipeline {
	return m.source.startPipeline(m.sourceBranch, "merge_request_event", user, nil)
}
