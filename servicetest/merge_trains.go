package servicetest

import (
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A trainCar is a merge request on the merge train into its target branch.
type trainCar struct {
	record[*Project]

	request             *MergeRequest
	user                *User
	pipeline            *Pipeline // nil until there is one
	target, sha, status string
	mergedAt            time.Time
}

func (t *trainCar) active() bool { return t.status != "merged" && t.status != "skip_merged" }

func (t *trainCar) become(status string) { t.status, t.updatedAt = status, t.request.svc.now() }

func (t *trainCar) json() object {
	m, request := t.request, t.request.simple()
	request["id"], request["project_id"] = m.id, m.project.id
	request["created_at"], request["updated_at"] = jsonTime(m.createdAt), jsonTime(m.updatedAt)
	form := object{
		"id": t.id, "user": t.user.summary(), "pipeline": nil, "target_branch": t.target, "status": t.status,
		"created_at": jsonTime(t.createdAt), "updated_at": jsonTime(t.updatedAt), "merged_at": jsonTime(t.mergedAt),
		"duration": nil, "merge_request": request,
	}
	if t.pipeline != nil {
		form["pipeline"] = t.pipeline.entry()
	}
	if !t.mergedAt.IsZero() {
		form["duration"] = int64(t.mergedAt.Sub(t.createdAt).Seconds())
	}
	return form
}

// trainCars returns cars of a project, oldest first. An empty branch means all trains.
func (p *Project) trainCars(branch, scope string) []*trainCar {
	return only(recordsOf[trainCar](p.svc, p), func(t *trainCar) bool {
		return (branch == "" || t.target == branch) && (scope == "" || t.active() == (scope == "active"))
	})
}

func listTrainCars(c *call, p *Project) *reply {
	cars := p.trainCars(c.PathString("target_branch"), c.StringIn("scope", "active", "complete"))
	return frame.ListOf(c, sorted(c, cars), (*trainCar).json)
}

func getTrainCar(c *call, m *MergeRequest) *reply {
	if m.car == nil {
		return frame.NotFound("Merge Train Merge Request")
	}
	return c.OK(m.car.json())
}

// addToTrain adds a merge request to a train, or lets it wait for its pipeline first.
func addToTrain(c *call, m *MergeRequest) *reply {
	wish, status := m.defaultWish(), http.StatusAccepted
	wish.squash, wish.sha, wish.byTrain = c.BoolOr("squash", wish.squash), c.String("sha"), true
	waits := c.BoolOr("auto_merge", c.Bool("when_pipeline_succeeds")) && m.headPipeline().unfinished()
	m.check()
	switch blocker := m.blocker(); {
	case c.Refusal() != nil:
		return c.Refusal()
	case !m.mayMerge(c.user):
		return frame.Unauthorized()
	case m.later != nil:
		return frame.Conflict("Merge request is already set to Auto-Merge")
	case wish.sha != "" && wish.sha != m.headSHA():
		return frame.Conflict("SHA does not match HEAD of source branch: " + m.headSHA())
	case !m.project.setting("merge_trains_enabled"), blocker != "" && !(waits && blocker == "ci_still_running"):
		return frame.BadRequest("Failed to merge")
	}
	if m.wait(wish, c.user); !waits {
		status = http.StatusCreated
		m.board()
	}
	answer := frame.ListOf(c, m.project.trainCars(m.targetBranch, ""), (*trainCar).json)
	answer.Status = status
	return answer
}

// board makes the last car of the train. It has a pipeline when the next request arrives.
func (m *MergeRequest) board() {
	car := &trainCar{request: m, user: m.mergeUser, target: m.targetBranch, sha: m.headSHA(), status: "idle"}
	m.car = shelve(m.svc, m.project, car)
	m.tell(m.mergeUser, "added this merge request to the merge train")
	m.svc.after(0, m.car.start)
}

// start gives a car a new pipeline if it is still on its train and the configuration is good.
func (t *trainCar) start() {
	m := t.request
	defer m.svc.lock()()
	if m.car == t && t.active() && m.source.plan().problem == "" && m.head() != nil {
		t.pipeline = m.source.startPipeline(m.sourceBranch, "merge_request_event", t.user, nil)
		t.become("fresh")
		m.project.moveTrain(t.target)
	}
}

// moveTrain merges those in front whose pipelines have succeeded. Whoever can no longer be merged
// leaves the train.
func (p *Project) moveTrain(target string) {
	first := true
	for _, t := range p.trainCars(target, "active") {
		m, fresh, reason := t.request, t.status == "fresh", ""
		switch {
		case t.sha != m.headSHA():
			reason = "the source branch has changed"
		case fresh && slices.Contains([]string{"failed", "canceled", "skipped"}, t.pipeline.status):
			reason = "its pipeline has not succeeded"
		case first && fresh && t.pipeline.status == "success":
			if t.become("merging"); m.blocker() != "" || m.mergeLater(*m.later, t.user) != nil {
				reason = "it cannot be merged"
			}
		default:
			first = false
		}
		if reason != "" {
			m.tell(m.svc.admin, "removed this merge request from the merge train because %s", reason)
			m.stopWaiting()
			m.mergeUser = nil
			m.change()
		}
	}
}

// leaveTrain ends the ride of a merge request. The pipelines of those behind it start anew after a
// second, unless its changes are in them or they are spared.
func (m *MergeRequest) leaveTrain(spared bool) {
	t := m.car
	switch {
	case t == nil || !t.active():
		return
	case m.state != "merged":
		m.car = nil
		state[shelf[*Project, trainCar]](m.svc).remove(m.project, t)
	case t.status == "merging":
		spared = true
		t.become("merged")
	default:
		t.become("skip_merged")
	}
	t.mergedAt = t.updatedAt
	for _, next := range m.project.trainCars(t.target, "active") {
		if next.id > t.id && !spared {
			next.become("stale")
			m.svc.after(time.Second, next.start)
		}
	}
}
