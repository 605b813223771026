package servicetest

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// hookTime is a time in the format of most members of events.
type hookTime time.Time

// MarshalJSON implements json.Marshaler.
func (t hookTime) MarshalJSON() ([]byte, error) {
	if time.Time(t).IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(time.Time(t).UTC().Format("2006-01-02 15:04:05 UTC"))
}

var visibilityLevels = map[string]int{"private": 0, "internal": 10, "public": 20}

// hookProject returns a project as events show it. Only some of them have the old
// names.
func (p *Project) hookProject(oldNames bool) object {
	ssh, web := p.svc.sshURL(p.fullPath()+".git"), p.webURL()
	o := object{
		"id": p.id, "name": p.name, "description": jsonText(p.description), "web_url": web, "avatar_url": nil,
		"git_ssh_url": ssh, "git_http_url": web + ".git", "namespace": p.namespaceName(),
		"visibility_level": visibilityLevels[p.visibility], "path_with_namespace": p.fullPath(),
		"default_branch": jsonText(p.defaultBranch),
		"ci_config_path": jsonText(p.preferences.choice(projectPreferences, "ci_config_path")),
	}
	if p.avatar.name != "" {
		o["avatar_url"] = p.svc.webURL("uploads/-/system/project/avatar", frame.Itoa(p.id), p.avatar.name)
	}
	if oldNames {
		o["homepage"], o["url"], o["ssh_url"], o["http_url"] = web, ssh, ssh, web+".git"
	}
	return o
}

// namespaceName returns the name of the group or the user that the project belongs to.
func (p *Project) namespaceName() string {
	switch {
	case p.group != nil:
		return p.group.name
	case p.owner != nil:
		return p.owner.name
	}
	return ""
}

// hookRepository returns the older form of a project. Events of pushes and jobs show
// more of it.
func (p *Project) hookRepository(more bool) object {
	ssh, web := p.svc.sshURL(p.fullPath()+".git"), p.webURL()
	o := object{"name": p.name, "url": ssh, "description": jsonText(p.description), "homepage": web}
	if more {
		o["git_http_url"], o["git_ssh_url"], o["visibility_level"] = web+".git", ssh, visibilityLevels[p.visibility]
	}
	return o
}

// hookUser returns a user as events show it, or null.
func (u *User) hookUser() any {
	if u = u.shown(); u == nil {
		return nil
	}
	return object{
		"id": u.id, "name": u.name, "username": u.username, "avatar_url": u.summary().AvatarURL,
		"email": either(u.publicEmail, "[REDACTED]"),
	}
}

func hookUsers(users []*User) []any { return mapped(users, (*User).hookUser) }

func userIDs(users []*User) []int64 { return mapped(users, (*User).ID) }

// hookCommit returns a commit as events show it, or null.
func (p *Project) hookCommit(c *gitrepo.Commit) any {
	if c == nil {
		return nil
	}
	return object{
		"id": c.SHA, "message": c.Message, "title": c.Title(), "timestamp": c.Author.At.Format(time.RFC3339),
		"url": p.webURL("-/commit", c.SHA), "author": object{"name": c.Author.Name, "email": c.Author.Email},
	}
}

// hookedLabels are labels as events show them. Two lists are equal if their titles are:
// a new color, for example, does not change the objects that have the label.
type hookedLabels []object

func (l hookedLabels) equal(other hookedLabels) bool {
	return slices.EqualFunc(l, other, func(a, b object) bool { return a["title"] == b["title"] })
}

// hookLabels returns the labels with these names as events show them.
func (p *Project) hookLabels(names []string) hookedLabels {
	all := hookedLabels{}
	for _, name := range names {
		l := p.svc.label(name, func(l *label) bool { return l.isOf(p) })
		if l == nil {
			l = &label{name: name, color: defaultLabelColor, project: p}
		}
		o := object{
			"id": l.id, "title": l.name, "color": l.color, "project_id": nil, "group_id": nil,
			"created_at": hookTime(p.createdAt), "updated_at": hookTime(p.createdAt), "template": false,
			"description": jsonText(l.description), "type": "ProjectLabel",
		}
		if l.group != nil {
			o["group_id"], o["type"] = l.group.id, "GroupLabel"
		} else if l.project != nil {
			o["project_id"] = l.project.id
		}
		all = append(all, o)
	}
	return all
}

// hookMembers adds the members that events about all topics have.
func (t *topic) hookMembers(o object) {
	o["updated_by_id"], o["last_edited_by_id"], o["last_edited_at"] = idOf(t.updatedBy), idOf(t.editedBy),
		hookTime(t.editedAt)
	stats := t.timeStats()
	o["time_estimate"], o["total_time_spent"], o["time_change"] = stats.TimeEstimate, stats.TotalTimeSpent, 0
	o["human_time_estimate"], o["human_total_time_spent"] = stats.HumanTimeEstimate, stats.HumanTotalTimeSpent
	o["human_time_change"] = nil
}

// hookLocked is null unless the discussion is locked. It does not change with the
// topic.
func (t *topic) hookLocked() any {
	if !t.locked {
		return nil
	}
	return true
}

func milestoneID(m *Milestone) any {
	if m == nil {
		return nil
	}
	return m.id
}

// hookForm returns the object_attributes of an event about the issue, without action.
func (i *Issue) hookForm() object {
	o := object{
		"id": i.id, "iid": i.iid, "title": i.title, "description": jsonText(i.description), "project_id": i.project.id,
		"author_id": idOf(i.author), "assignee_ids": userIDs(i.assignees), "assignee_id": idOf(first(i.assignees)),
		"milestone_id": milestoneID(i.milestone), "state": i.state, "state_id": 1, "type": titled(i.kind),
		"confidential": i.confidential, "discussion_locked": i.hookLocked(), "due_date": jsonDate(i.dueDate),
		"closed_at": hookTime(i.closedAt), "created_at": hookTime(i.createdAt), "updated_at": hookTime(i.updatedAt),
		"relative_position": i.id,
		"moved_to_id":       nil, "duplicated_to_id": nil, "weight": i.weight, "health_status": nil,
		"severity": "unknown",
		"labels":   i.project.hookLabels(i.labels), "customer_relations_contacts": []any{},
		"url": i.project.webURL("-/issues", frame.Itoa(i.iid)),
	}
	if i.state == "closed" {
		o["state_id"] = 2
	}
	if i.movedTo != nil {
		o["moved_to_id"] = i.movedTo.id
	}
	if i.kind == "incident" {
		o["escalation_status"], o["escalation_policy"] = "triggered", nil
	}
	i.hookMembers(o)
	return o
}

// hookParams says how the merge request will be merged.
func (m *MergeRequest) hookParams() object {
	o := object{"force_remove_source_branch": m.removeSource}
	if wish := m.later; wish != nil {
		o["should_remove_source_branch"], o["commit_message"] = wish.removeSource, wish.message
		o["squash_commit_message"], o["auto_merge_strategy"] = wish.squashMessage, "merge_when_pipeline_succeeds"
	}
	return o
}

var mergeStateIDs = map[string]int{"opened": 1, "closed": 2, "merged": 3, "locked": 4}

// hookForm returns the object_attributes of an event about the merge request, without
// action and oldrev.
func (m *MergeRequest) hookForm() object {
	o := object{
		"id": m.id, "iid": m.iid, "title": m.title, "description": jsonText(m.description), "state": m.state,
		"state_id": mergeStateIDs[m.state], "source_branch": m.sourceBranch, "target_branch": m.targetBranch,
		"source_project_id": nil, "target_project_id": m.project.id, "source": nil,
		"target":    m.project.hookProject(true),
		"author_id": idOf(m.author), "assignee_ids": userIDs(m.assignees), "assignee_id": idOf(first(m.assignees)),
		"reviewer_ids":  userIDs(m.reviewers),
		"merge_user_id": idOf(m.mergeUser), "milestone_id": milestoneID(m.milestone), "head_pipeline_id": nil,
		"created_at": hookTime(m.createdAt), "updated_at": hookTime(m.updatedAt),
		"prepared_at": hookTime(m.preparedAt), "draft": m.isDraft(), "work_in_progress": m.isDraft(),
		"merge_status": m.mergeStatus(), "detailed_merge_status": m.detailedMergeStatus(),
		"merged_at": hookTime(m.mergedAt), "squash_commit_sha": jsonText(shaOf(m.squashCommit)),
		"target_branch_protected": m.project.protects("refs/heads/" + m.targetBranch),
		"merge_commit_sha":        jsonText(shaOf(m.mergeCommit)), "merge_error": jsonText(m.mergeError),
		"merge_when_pipeline_succeeds": m.later != nil, "merge_params": m.hookParams(),
		"blocking_discussions_resolved": m.discussionsResolved(), "first_contribution": m.isFirst(),
		"last_commit": m.source.hookCommit(m.head()), "labels": m.project.hookLabels(m.labels),
		"url": m.project.webURL("-/merge_requests", frame.Itoa(m.iid)), "approval_rules": []any{},
	}
	if m.svc.hasProject(m.source) {
		o["source_project_id"], o["source"] = m.source.id, m.source.hookProject(true)
	}
	if p := m.headPipeline(); p != nil {
		o["head_pipeline_id"] = p.id
	}
	m.hookMembers(o)
	return o
}

// hookReviewers returns the reviewers as events show them.
func (m *MergeRequest) hookReviewers() []any {
	all := []any{}
	for _, u := range m.reviewers {
		o, ok := u.hookUser().(object)
		if !ok {
			continue
		}
		o["state"], o["re_requested"] = m.reviewState(u), false
		all = append(all, o)
	}
	return all
}

// hookForm returns the object_attributes of an event about the comment.
func (n *Note) hookForm(kind string, id any, p *Project, url string) object {
	o := object{
		"id": n.id, "note": n.body, "description": n.body, "noteable_type": kind, "noteable_id": id,
		"commit_id": jsonText(n.commitID), "author_id": idOf(n.author), "project_id": p.id,
		"created_at": hookTime(n.createdAt), "updated_at": hookTime(n.updatedAt), "system": false,
		"internal": n.confidential, "attachment": nil, "line_code": n.lineCode(), "discussion_id": n.threadID(),
		"type":    nil,
		"st_diff": nil, "position": n.hookPosition(), "original_position": n.hookPosition(), "change_position": nil,
		"resolved_at": hookTime(n.resolvedAt), "resolved_by_id": idOf(n.resolvedBy), "resolved_by_push": nil,
		"updated_by_id": idOf(n.editedBy), "url": url + "#note_" + frame.Itoa(n.id),
	}
	if n.resolvedBy != nil {
		o["resolved_by_push"] = false
	}
	switch {
	case n.position != nil:
		o["type"] = "DiffNote"
	case n.threaded:
		o["type"] = "DiscussionNote"
	}
	return o
}

// lineCode returns the older form of the comment's place in a diff, or null.
func (n *Note) lineCode() any {
	p := n.position
	if p == nil || p.PositionType != "text" {
		return nil
	}
	line := func(n *int64) int64 {
		if n == nil {
			return 0
		}
		return *n
	}
	return fmt.Sprintf("%x_%d_%d", sha1.Sum([]byte(p.NewPath)), line(p.OldLine), line(p.NewLine))
}

// hookPosition returns the comment's place in a diff, or null.
func (n *Note) hookPosition() any {
	p := n.position
	if p == nil {
		return nil
	}
	return object{
		"base_sha": p.BaseSHA, "start_sha": p.StartSHA, "head_sha": p.HeadSHA, "old_path": p.OldPath,
		"new_path":      p.NewPath,
		"position_type": p.PositionType, "old_line": p.OldLine, "new_line": p.NewLine, "line_range": p.LineRange,
	}
}

// hookForm returns a snippet as events show it.
func (s *Snippet) hookForm() object {
	o := object{
		"id": s.id, "title": s.title, "description": jsonText(s.description), "content": "",
		"author_id":  idOf(s.author),
		"project_id": s.project.id, "created_at": hookTime(s.createdAt), "updated_at": hookTime(s.updatedAt),
		"file_name": "",
		"type":      "ProjectSnippet", "visibility_level": visibilityLevels[s.visibility],
		"url": s.webURL(),
	}
	if len(s.files) > 0 {
		o["file_name"], o["content"] = s.files[0].path, s.files[0].content
	}
	return o
}

// equalValues reports whether two values are the same. Most values are plain, and each
// call compares all of them, so it compares plain values without reflection.
func equalValues(a, b any) bool {
	switch a := a.(type) {
	case nil, bool, int, int64, string, jsonText, hookTime:
		return a == b
	case hookedLabels:
		other, isLabels := b.(hookedLabels)
		return isLabels && a.equal(other)
	}
	return reflect.DeepEqual(a, b)
}

// changesBetween returns the members that differ, with both values. Without an object
// before, all previous values are null.
func changesBetween(before, now object) object {
	changes := object{}
	for name, value := range now {
		switch name {
		case "source", "target", "last_commit", "customer_relations_contacts", "approval_rules":
			continue // objects are not plain members
		}
		if before != nil && equalValues(before[name], value) {
			continue
		}
		if before == nil {
			if string(frame.Encode(value)) != "null" {
				changes[name] = object{"previous": nil, "current": value}
			}
		} else if !bytes.Equal(frame.Encode(before[name]), frame.Encode(value)) {
			changes[name] = object{"previous": before[name], "current": value}
		}
	}
	return changes
}
