package servicetest

import (
	"fmt"
	"net/url"
)

// lookAtReleases tells of releases. Changes of their links are not told.
func (w *hookWatch) lookAtReleases() {
	for i := range w.svc.projects.len() {
		for _, r := range w.svc.projects.at(i).releases() {
			now := fmt.Sprint(r.name, "\x00", r.description, "\x00", r.releasedAt, r.milestones)
			before, known := w.saw(r, now)
			switch {
			case !known:
				w.tellRelease(r, "create")
			case before != now:
				w.tellRelease(r, "update")
			}
		}
	}
	for _, key := range w.was {
		if r, ok := key.(*Release); ok && w.next[r] == nil && w.svc.hasProject(r.project) {
			w.tellRelease(r, "delete")
		}
	}
}

func (w *hookWatch) tellRelease(r *Release, action string) {
	w.tell(hookEvent{header: "Release Hook", on: "releases_events", project: r.project, body: r.releaseBody(action)})
}

// releaseBody is the event about a release.
func (r *Release) releaseBody(action string) object {
	links := []object{}
	for _, l := range r.newestLinks() {
		links = append(links, object{"id": l.id, "link_type": l.kind, "name": l.name, "url": l.url})
	}
	o := object{
		"object_kind": "release", "id": r.id, "action": action, "name": r.name, "tag": r.tag,
		"description": jsonText(r.description), "created_at": hookTime(r.createdAt),
		"released_at": hookTime(r.releasedAt),
		"url":         r.project.webURL("-/releases", url.PathEscape(r.tag)), "project": r.project.hookProject(true),
		"commit": nil,
		"assets": object{"count": len(links) + 4, "links": links, "sources": r.sources()},
	}
	if tag := r.project.repository().Tag(r.tag); tag != nil {
		o["commit"] = r.project.hookCommit(tag.Commit)
	}
	return o
}
