package bench

import (
	"fmt"
	"maps"
	"strings"
)

// What differs between real objects differs here, too. A decoder may have a
// cache of strings, and a list that repeats one object would flatter it.

// Jobs returns a list of this many jobs of one project, with IDs from first on.
func Jobs(first, n int) string { return list(first, n, jobNumber()) }

// MergeRequests returns a list of this many merge requests of one project, with
// IDs from first on.
func MergeRequests(first, n int) string { return list(first, n, mergeRequestNumber()) }

// Users returns a list of this many users, with IDs from first on.
func Users(first, n int) string {
	usual := UserJSON()
	return list(first, n, func(id int) string {
		p := member(id)
		return replace(usual, members{
			"/id": id, "/name": p.Name, "/username": p.Username, "/email": p.Username + "@example.com",
			"/web_url": p.WebURL, "/created_at": moment(id),
		})
	})
}

func list(first, n int, object func(id int) string) string {
	objects := make([]string, n)
	for i := range objects {
		objects[i] = object(first + i)
	}
	return "[" + strings.Join(objects, ",") + "]"
}

const projectURL = "https://service.test/acme/app"

// jobNumber returns a function that makes jobs, eight of each pipeline.
func jobNumber() func(id int) string {
	usual := JobJSON()
	return func(id int) string {
		status := one(id, "success", "success", "failed", "running", "success", "canceled", "success", "manual")
		changes := jobMembers(id, status)
		maps.Copy(changes, profile(id/8))
		maps.Copy(changes, jobCommit(id/8))
		return replace(usual, changes)
	}
}

func jobMembers(id int, status string) members {
	pipeline, started, ended := id/8, status != "manual", status != "manual" && status != "running"
	return members{
		"/id": id, "/name": fmt.Sprintf("%s: [%s, %d]", one(id, "lint", "unit", "race", "build", "fuzz", "pack", "sign",
			"deploy"), one(id/3, "linux", "darwin", "windows"), id%17),
		"/stage": one(id, "test", "test", "test", "build", "test", "package", "package", "deploy"), "/status": status,
		"/failure_reason": unless(status != "failed", one(id/8, "script_failure", "runner_system_failure",
			"job_execution_timeout")),
		"/ref": branch(pipeline), "/coverage": unless(id%4 != 1, float64(id%1000)/10),
		"/allow_failure": id%7 == 0,
		"/created_at":    moment(pipeline * 11), "/started_at": unless(!started, moment(pipeline*11+1+id%8)),
		"/finished_at":         unless(!ended, moment(pipeline*11+4+id%8)),
		"/duration":            unless(!ended, 60+float64(id*7919%200_000)/1000),
		"/queued_duration":     unless(!started, float64(id*104729%30_000)/1000),
		"/artifacts_expire_at": unless(!ended, moment(pipeline*11+43200)), "/artifacts_file/size": 1000 + id*37,
		"/artifacts/0/size": 1000 + id*37, "/artifacts/1/size": 186 + id%100, "/artifacts/2/size": 1500 + id*13,
		"/artifacts/3/size": 750 + id%900,
		"/tag_list": one(id, []string{"docker", "linux"}, []string{}, []string{"large", "linux", "arm64"},
			[]string{"docker"}),
		"/runner/id": 32 + id%12, "/runner/description": fmt.Sprintf("shared runner %d", id%12),
		"/runner/ip_address": fmt.Sprintf("10.0.%d.7", id%12),
		"/runner_manager/id": 1 + id%24, "/runner_manager/system_id": "s_" + hash("runner", id%24)[:12],
		"/runner_manager/ip_address":   fmt.Sprintf("10.0.%d.7", id%12),
		"/runner_manager/contacted_at": moment(pipeline*11 + 5 + id%8),
		"/pipeline/id":                 9000 + pipeline, "/pipeline/iid": 300 + pipeline,
		"/pipeline/ref": branch(pipeline), "/pipeline/sha": hash("commit", pipeline),
		"/web_url":   fmt.Sprintf(projectURL+"/-/jobs/%d", id),
		"/erased_at": unless(id%50 != 0, moment(pipeline*11+9000)), "/archived": id%50 == 0,
	}
}

func jobCommit(n int) members {
	sha, author, title := hash("commit", n), member(n+5), title(n)
	return members{
		"/commit/id": sha, "/commit/short_id": sha[:8], "/commit/title": title,
		"/commit/message": strings.Replace(commitMessage, "Test the CI integration on every supported platform",
			title, 1) + "Change-Id: " + sha + "\n",
		"/commit/author_name": author.Name, "/commit/author_email": author.Username + "@example.com",
		"/commit/created_at": moment(n*11 - 7),
		"/commit/web_url":    projectURL + "/-/commit/" + sha,
	}
}

func branch(n int) string {
	return one(n, "main", fmt.Sprintf("%s-%d", one(n/2, "bernoulli", "fix-carry", "faster-mill", "print-cards"), n))
}

// title is the first line of a commit or of a merge request.
func title(n int) string {
	return fmt.Sprintf("%s the %s of %s %d",
		one(n, "Compute", "Test", "Print", "Document", "Repair", "Speed up", "Simplify"),
		one(n/7, "Bernoulli numbers", "carry", "cards", "mill", "store"), one(n/3, "engine", "table", "note", "model"),
		n)
}

// mergeRequestNumber returns a function that makes merge requests: two thirds
// merged, some closed, and the others open.
func mergeRequestNumber() func(id int) string {
	usual := MergeRequestJSON()
	return func(id int) string {
		state := one(id, "merged", "opened", "merged", "merged", "closed", "merged")
		changes := mergeRequestMembers(id, state)
		maps.Copy(changes, mergeRequestPeople(id, state))
		maps.Copy(changes, mergeRequestPlan(id))
		return replace(usual, changes)
	}
}

func mergeRequestMembers(id int, state string) members {
	merged, url := state == "merged", fmt.Sprintf(projectURL+"/-/merge_requests/%d", id)
	sha, number := hash("head", id), fmt.Sprintf("!%d", id)
	return members{
		"/id": id, "/iid": id, "/title": title(id), "/state": state, "/draft": id%9 == 1,
		"/work_in_progress": id%9 == 1,
		"/description":      fmt.Sprintf("%s\nThis is change %d, of %s.\n", mergeRequestDescription, id, day(id*53)),
		"/merged_at":        unless(!merged, moment(id*53+700)),
		"/closed_at":        unless(state != "closed", moment(id*53+600)),
		"/created_at":       moment(id * 53), "/updated_at": moment(id*53 + 701),
		"/target_branch":     one(id, "main", "main", "main", "stable-2"),
		"/source_branch":     fmt.Sprintf("%s-%d", one(id, "bernoulli", "fix-carry", "faster-mill"), id),
		"/source_project_id": 5 + id%6,
		"/upvotes":           id % 4, "/downvotes": id % 2, "/merge_when_pipeline_succeeds": id%8 == 1,
		"/merge_status":  one(id, "can_be_merged", "cannot_be_merged", "checking"),
		"/has_conflicts": id%8 == 4, "/sha": sha, "/merge_commit_sha": unless(!merged, hash("merge", id)),
		"/squash_commit_sha": unless(!merged || id%2 == 0, hash("squash", id)),
		"/user_notes_count":  id % 23, "/discussion_locked": unless(id%10 != 0, true),
		"/should_remove_source_branch": unless(id%3 == 0, true),
		"/web_url":                     url, "/reference": number, "/references/short": number,
		"/references/relative": "app" + number,
		"/references/full":     "acme/app" + number,
		"/squash":              id%2 == 1, "/task_completion_status/count": id % 6,
		"/task_completion_status/completed_count": id % 3,
		"/approvals_before_merge":                 unless(id%2 == 0, id%3), "/rebase_in_progress": false,
		"/merge_error":   unless(id%40 != 0, "Rebase failed: conflict in card "+number),
		"/changes_count": unless(id%30 == 1, fmt.Sprint(1+id%60)), "/latest_build_started_at": moment(id*53 + 2),
		"/latest_build_finished_at":        unless(state == "opened", moment(id*53+12)),
		"/first_deployed_to_production_at": unless(!merged, moment(id*53+2000)),
		"/pipeline":                        unless(id%12 == 1, mergeRequestPipeline(id, sha)),
		"/diff_refs/base_sha":              hash("base", id/3), "/diff_refs/head_sha": sha,
		"/diff_refs/start_sha":    hash("base", id/3),
		"/diverged_commits_count": id % 5,
	}
}

type pipeline struct {
	ID     int    `json:"id"`
	SHA    string `json:"sha"`
	Ref    string `json:"ref"`
	Status string `json:"status"`
	WebURL string `json:"web_url"`
}

func mergeRequestPipeline(id int, sha string) pipeline {
	n := 29_626_725 + 3*id
	return pipeline{n, sha, fmt.Sprintf("refs/merge-requests/%d/head", id),
		one(id, "success", "success", "failed", "running"), fmt.Sprintf(projectURL+"/-/pipelines/%d", n)}
}

func mergeRequestPeople(id int, state string) members {
	author, second := member(id), member(id*3+1)
	assignees, reviewers := []person{second}, []person{member(id*5 + 2), member(id*7 + 3)}
	if id%4 == 0 {
		assignees, reviewers = []person{}, reviewers[:id%8/4]
	}
	return members{
		"/author": author, "/assignee": unless(id%4 == 0, second), "/assignees": assignees, "/reviewers": reviewers,
		"/merged_by": unless(state != "merged", second), "/merge_user": unless(state != "merged", second),
		"/closed_by": unless(state != "closed", author),
	}
}

// mergeRequestPlan has the planning members of a merge request: its labels, its
// milestone and its time.
func mergeRequestPlan(id int) members {
	labels := []string{}
	for n := range id % 5 {
		labels = append(labels, fmt.Sprintf("%s::%d", one(id+n, "engine", "urgent", "team", "type", "cards"),
			(id*(n+3))%12))
	}
	m := members{
		"/labels":                   labels,
		"/time_stats/time_estimate": 600 * (id % 40), "/time_stats/total_time_spent": 300 * (id % 30),
		"/time_stats/human_time_estimate":    unless(id%40 == 0, fmt.Sprintf("%dm", 10*(id%40))),
		"/time_stats/human_total_time_spent": unless(id%30 == 0, fmt.Sprintf("%dm", 5*(id%30))),
	}
	if n := id % 9; n < 3 {
		m["/milestone"] = nil
	} else {
		m["/milestone/id"], m["/milestone/iid"], m["/milestone/title"] = 500+n, n, fmt.Sprintf("v2.%d", n)
		m["/milestone/description"] = unless(n%2 == 0, fmt.Sprintf("The engine number %d.", n))
		m["/milestone/due_date"], m["/milestone/start_date"] = unless(n%4 == 3, day(n*40_000)),
			unless(n == 5, day((n-1)*40_000))
		m["/milestone/created_at"], m["/milestone/updated_at"] = moment(-n*3000), moment(n*2000)
		m["/milestone/web_url"] = fmt.Sprintf(projectURL+"/-/milestones/%d", n)
	}
	return m
}
