package servicetest

import (
	"regexp"
	"slices"
	"strconv"

	"example.com/serviceapi/servicetest/internal/collection"
)

var (
	closing  = regexp.MustCompile(`(?i)\b(?:clos(?:e|es|ed|ing)|fix(?:es|ed|ing)?|resolv(?:e|es|ed|ing)|implement(?:s|ed|ing)?):? +`)
	issueRef = regexp.MustCompile(`^(?:#(\d+)|([A-Z][A-Z0-9_]*-\d+))(?:,? *(?:and +)?)`)
)

// closingRefs returns the issues that a string closes: the numbers and keys in
// phrases such as "Closes #1", "Fixes #1, #2 and #3" and "Closes #1, closes
// #2".
func closingRefs(text string) []string {
	var refs []string
	for _, keyword := range closing.FindAllStringIndex(text, -1) {
		for rest := text[keyword[1]:]; ; {
			ref := issueRef.FindStringSubmatch(rest)
			if ref == nil {
				break
			}
			refs = append(refs, ref[1]+ref[2])
			rest = rest[len(ref[0]):]
		}
	}
	return refs
}

// closingTexts are the strings of a merge request that can close issues.
func (m *MergeRequest) closingTexts() []string {
	texts := []string{m.description}
	refs := m.refs()
	if refs.head != nil && refs.base != nil {
		for _, c := range m.project.repository().Between(refs.base, refs.head) {
			texts = append(texts, c.Message)
		}
	}
	return texts
}

// mentioned returns the issues that merging closes, as written.
func (m *MergeRequest) mentioned() []string {
	var refs []string
	for _, text := range m.closingTexts() {
		for _, ref := range closingRefs(text) {
			if !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

// closes returns the issues of the built-in tracker that merging into the
// default branch closes.
func (m *MergeRequest) closes() []*Issue {
	if m.targetBranch != m.project.defaultBranch || !m.project.has("issues") {
		return nil
	}
	var issues []*Issue
	for _, ref := range m.mentioned() {
		iid, err := strconv.ParseInt(ref, 10, 64)
		if err != nil {
			continue
		}
		if issue, ok := m.project.issues().get(iid); ok && issue.state == "opened" {
			issues = append(issues, issue)
		}
	}
	return issues
}

// externalIssue is the JSON of an issue in an external tracker.
type externalIssue struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// closesExternal returns the issues of the external tracker that merging
// closes.
func (m *MergeRequest) closesExternal(titles map[string]string) []externalIssue {
	var issues []externalIssue
	for _, ref := range m.mentioned() {
		if title, ok := titles[ref]; ok {
			issues = append(issues, externalIssue{ref, title})
		}
	}
	return issues
}

// closedIssue is the JSON of an issue of the built-in tracker.
type closedIssue struct {
	ID             int64            `json:"id"`
	IID            int64            `json:"iid"`
	ProjectID      int64            `json:"project_id"`
	Title          string           `json:"title"`
	Description    jsonText         `json:"description"`
	State          string           `json:"state"`
	Author         *userSummary     `json:"author"`
	Assignee       *userSummary     `json:"assignee"`
	Milestone      *collection.Form `json:"milestone"`
	Labels         []string         `json:"labels"`
	CreatedAt      jsonTime         `json:"created_at"`
	UpdatedAt      jsonTime         `json:"updated_at"`
	UserNotesCount int              `json:"user_notes_count"`
	ChangesCount   string           `json:"changes_count"`
}

func (i *Issue) closed(changes int) closedIssue {
	return closedIssue{
		ID: i.id, IID: i.iid, ProjectID: i.project.id, Title: i.title, Description: jsonText(i.description), State: i.state,
		Author: i.author.summary(), Assignee: first(i.assignees).summary(), Milestone: i.milestone.json(), Labels: texts(i.labels),
		CreatedAt: jsonTime(i.createdAt), UpdatedAt: jsonTime(i.updatedAt), UserNotesCount: i.userNotes(), ChangesCount: strconv.Itoa(changes),
	}
}
