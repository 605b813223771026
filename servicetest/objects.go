package servicetest

import "time"

// An Object describes a group, a project, a merge request, a pipeline or a job at the
// time of the call of Objects.
type Object struct {
	// Handle is the *Group, *Project, *MergeRequest, *Pipeline or *Job.
	Handle any
	// Parent is the handle of the object's parent: a *Group for a group or a project, a
	// *Project for a merge request or a pipeline, a *Pipeline for a job. It is nil for
	// a top-level group and for a personal project. The parent of a child pipeline is
	// its project, too.
	Parent any
	ID     int64
	IID    int64 // of a merge request or a pipeline; 0 for others
	// Name is the full path of a group or a project, the title of a merge request, or
	// the name of a job or a pipeline. The name of a pipeline may be "".
	Name string
	// Status is the state of a merge request and the status of a pipeline or a job. It is
	// "" for others.
	Status string
	// Ref is the branch or tag of a pipeline, and the source branch of a merge request.
	Ref string
	// Target is the target branch of a merge request.
	Target string
	Stage  string // of a job
	// Pipelines are the pipelines of a merge request's commits, newest first.
	Pipelines []*Pipeline
	CreatedAt time.Time
}

// Objects returns all groups, projects, merge requests, pipelines and jobs, but no
// bridges, in a consistent state. Each object comes after its parent. Objects of one
// kind with the same parent are in ascending order of ID.
func (s *Service) Objects() []Object {
	defer s.lock()()
	var objects []Object
	add := func(o Object) { objects = append(objects, o) }
	for _, g := range s.inOrder() {
		add(Object{Handle: g, Parent: orNull(g.parent), ID: g.id, Name: g.fullPath(), CreatedAt: g.createdAt})
	}
	for _, p := range s.projects.all(nil) {
		add(Object{Handle: p, Parent: orNull(p.group), ID: p.id, Name: p.fullPath(), CreatedAt: p.createdAt})
		for _, m := range p.mergeRequests().all(nil) {
			add(Object{Handle: m, Parent: p, ID: m.id, IID: m.iid, Name: m.title, Status: m.state,
				Ref: m.sourceBranch, Target: m.targetBranch, Pipelines: m.pipelines(), CreatedAt: m.createdAt})
		}
		for _, l := range p.pipelines {
			l.settle()
			add(Object{Handle: l, Parent: p, ID: l.id, IID: l.iid, Name: l.name, Status: l.status, Ref: l.ref,
				CreatedAt: l.createdAt})
			for _, j := range l.jobs {
				add(Object{Handle: j, Parent: l, ID: j.id, Name: j.name, Status: j.status, Stage: j.stage,
					CreatedAt: j.createdAt})
			}
		}
	}
	return objects
}

// inOrder returns the groups, each after its parent.
func (s *Service) inOrder() []*Group {
	inside := make(map[*Group][]*Group)
	for _, g := range s.groups.all(nil) {
		inside[g.parent] = append(inside[g.parent], g)
	}
	var ordered []*Group
	var add func(parent *Group)
	add = func(parent *Group) {
		for _, g := range inside[parent] {
			ordered = append(ordered, g)
			add(g)
		}
	}
	add(nil)
	return ordered
}

// SucceedJobs ends all running jobs of all projects as Job.Succeed does, and returns
// them, oldest first. Jobs that start as a result keep running.
func (s *Service) SucceedJobs() []*Job { return s.endJobs("success", "") }

// FailJobs ends all running jobs of all projects as Job.Fail does, for a reason such as
// script_failure, and returns them, oldest first. Jobs that start as a result keep
// running.
func (s *Service) FailJobs(reason string) []*Job { return s.endJobs("failed", reason) }

func (s *Service) endJobs(status, reason string) []*Job {
	defer s.lock()()
	running := state[jobState](s).jobs.all(func(j *Job) bool {
		return j.status == "running" && !j.bridge && j.external == nil
	})
	for _, j := range running {
		j.end(status, reason)
	}
	return running
}
