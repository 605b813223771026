package servicetest

import "example.com/serviceapi/servicetest/internal/frame"

// missingSamples says why a switch cannot be tested without an object of its kind.
var missingSamples = map[string]string{
	"push_events":                  "Ensure the project has at least one commit.",
	"tag_push_events":              "Ensure the project has at least one commit.",
	"issues_events":                "Ensure the project has issues.",
	"confidential_issues_events":   "Ensure the project has issues.",
	"note_events":                  "Ensure the project has notes.",
	"confidential_note_events":     "Ensure the project has notes.",
	"merge_requests_events":        "Ensure the project has merge requests.",
	"job_events":                   "Ensure the project has CI jobs.",
	"pipeline_events":              "Ensure the project has CI pipelines.",
	"wiki_page_events":             "Ensure the wiki is enabled and has pages.",
	"releases_events":              "Ensure the project has releases.",
	"emoji_events":                 "Ensure the project has notes.",
	"milestone_events":             "Ensure the project has milestones.",
	"resource_access_token_events": "Ensure the project has an access token.",
	"project_events":               "Ensure the group has projects.",
}

// sampleEvent returns the event that a test of a switch sends, about an object of its
// kind. problem says why there is none.
func (s *Service) sampleEvent(by *User, h *Hook, trigger string) (event string, payload []byte, problem string) {
	problem, ok := missingSamples[trigger]
	if !ok {
		return "", nil, "Testing not available for this hook"
	}
	projects := []*Project{h.project}
	if h.group != nil {
		projects = s.projects.all(func(p *Project) bool { return p.within(h.group) })
	}
	for _, p := range projects {
		if event, body := s.sampleOf(by, p, trigger); body != nil {
			return event, frame.Encode(body), ""
		}
	}
	return "", nil, problem
}

// sampleOf returns the event about the first object of a project, or nil if there is
// none.
func (s *Service) sampleOf(by *User, p *Project, trigger string) (event string, body object) {
	switch trigger {
	case "push_events":
		if head := p.repository().Branch(p.defaultBranch); head != nil {
			return "Push Hook", p.pushBody(by, "refs/heads/"+p.defaultBranch, "", head.SHA)
		}
	case "tag_push_events":
		if head := p.repository().Branch(p.defaultBranch); head != nil {
			return "Tag Push Hook", p.pushBody(by, "refs/tags/test", "", head.SHA)
		}
	case "issues_events", "confidential_issues_events":
		for _, i := range p.issues().all(nil) {
			body := i.issueBody(by, "", nil)
			delete(body["object_attributes"].(object), "action")
			return "Issue Hook", body
		}
	case "merge_requests_events":
		for _, m := range p.mergeRequests().all(nil) {
			body := m.mergeRequestBody(by, "", nil, "")
			delete(body["object_attributes"].(object), "action")
			return "Merge Request Hook", body
		}
	case "note_events", "confidential_note_events":
		return s.sampleNote(p)
	case "emoji_events":
		return s.sampleReaction(by, p)
	case "pipeline_events":
		for _, pipeline := range p.pipelines {
			return "Pipeline Hook", pipeline.pipelineBody()
		}
	case "job_events":
		for _, j := range p.jobs {
			if j.external == nil {
				return "Job Hook", j.jobBody(j.status)
			}
		}
	case "milestone_events":
		for _, m := range state[milestoneState](s).milestones.all(func(m *Milestone) bool { return m.project == p }) {
			return "Milestone Hook", m.milestoneBody("create")
		}
	case "releases_events":
		for _, r := range p.releases() {
			return "Release Hook", r.releaseBody("create")
		}
	case "wiki_page_events":
		for _, page := range p.wiki().pages {
			return "Wiki Page Hook", page.pageBody(by, "create")
		}
	case "resource_access_token_events":
		for _, t := range s.tokens {
			if t.home == any(p) {
				return "Resource Access Token Hook", t.tokenBody()
			}
		}
	case "project_events":
		return "Project Hook", s.projectBody(p, "project_create")
	}
	return "", nil
}

// sampleNote returns the event about the first comment of a project.
func (s *Service) sampleNote(p *Project) (event string, body object) {
	w, n, target := s.firstNote(p)
	if n == nil {
		return "", nil
	}
	return "Note Hook", w.noteEvent(n, target, "create").body()
}

// sampleReaction returns the event about an invented reaction to that comment.
func (s *Service) sampleReaction(by *User, p *Project) (event string, body object) {
	w, n, target := s.firstNote(p)
	if n == nil {
		return "", nil
	}
	given := &award{user: by, name: "thumbsup", createdAt: s.now()}
	return "Emoji Hook", w.reactionBody(given, reactionTarget{target, n}, "award")
}

// firstNote returns the first comment of a project that a user wrote, and its target.
func (s *Service) firstNote(p *Project) (w *hookWatch, first *Note, on noteTarget) {
	w = &hookWatch{svc: s}
	s.everything(func(record any) {
		n, isNote := record.(*Note)
		if !isNote || first != nil || n.system {
			return
		}
		if target, told := noteTargetOf(n.on); told && target.project == p {
			first, on = n, target
		}
	})
	return w, first, on
}
