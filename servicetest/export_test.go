package servicetest

import (
	"fmt"
	"maps"
	"reflect"
	"runtime"
)

// Templates returns the templates of all routes, for tests from outside.
func Templates() []string {
	var templates []string
	for _, served := range endpoints() {
		templates = append(templates, served.template)
	}
	return templates
}

// Lock locks the state and returns the function that unlocks it.
func (s *Service) Lock() (unlock func()) { return s.lock() }

// AdministratorTemplates returns the templates of the routes that only administrators
// may call.
func AdministratorTemplates() []string {
	var templates []string
	for _, served := range endpoints() {
		if served.admins {
			templates = append(templates, served.template)
		}
	}
	return templates
}

// Subscribers returns the number of subscriptions that have not ended.
func (s *Service) Subscribers() int { return s.recorder.Feeds.Len() }

// RolesOfTemplates returns the least role of the routes that have one, by template.
func RolesOfTemplates() map[string]AccessLevel {
	roles := make(map[string]AccessLevel)
	for _, served := range endpoints() {
		if served.role != 0 {
			roles[served.template] = served.role
		}
	}
	return roles
}

// TouchAll marks all records as changed, so that no kept encoding is sent again.
func (s *Service) TouchAll() {
	defer s.lock()()
	for _, u := range s.users.all(nil) {
		s.touch(u)
	}
	for _, g := range s.groups.all(nil) {
		s.touch(g)
	}
	for _, p := range s.projects.all(nil) {
		s.touch(p)
		for _, pipeline := range p.pipelines {
			s.touch(pipeline)
		}
		for _, j := range p.jobs {
			s.touch(j)
		}
	}
	for _, r := range state[runnerState](s).runners.all(nil) {
		s.touch(r)
	}
}

// Guard reports changes that nothing has touched. Each time after hooks or follow have
// looked at the change set, they look at everything, and must find nothing new.
func (s *Service) Guard(report func(problem string)) {
	defer s.lock()()
	s.guard = func(watcher any) {
		switch w := watcher.(type) {
		case *hookWatch:
			if w.changed.empty() {
				w.missed(report)
			}
		case *activity:
			if s.unfollowed.empty() {
				f := &follower{activity: w, svc: s, changed: changeSet{all: true}}
				f.look()
				for _, step := range f.steps {
					report("follow has missed " + runtime.FuncForPC(reflect.ValueOf(step.take).Pointer()).Name())
				}
			}
		}
	}
}

// missed reports changes that hooks do not know of because nothing touched the record.
func (w *hookWatch) missed(report func(problem string)) {
	full := &hookWatch{svc: w.svc, quiet: true, known: maps.Clone(w.known), changed: changeSet{all: true}}
	full.look()
	for key, now := range full.known {
		before := w.known[key]
		if _, isRef := key.(gitRef); isRef && before == nil && now == "" || reflect.DeepEqual(before, now) {
			continue
		}
		form, isForm := object(nil), false
		old, known := object(nil), before != nil
		if i, isIssue := now.(Issue); isIssue && known {
			was := before.(Issue)
			form, old, isForm = i.hookForm(), was.hookForm(), true
		}
		if m, isRequest := now.(seenMergeRequest); isRequest && before != nil {
			other := before.(seenMergeRequest)
			form, old, isForm = m.form, other.form, m.head == other.head && m.whole == other.whole
		}
		if known && isForm {
			changes := changesBetween(old, form) // leaves out objects, which are not changes
			if len(changes) > 0 || !reflect.DeepEqual(old["labels"], form["labels"]) {
				report(fmt.Sprintf("hooks have missed a change of a %T: %v", key, changes))
			}
			continue
		}
		report(fmt.Sprintf("hooks have missed a change of a %T: it was %v, and is %v", key, before, now))
	}
	for key := range w.known {
		if _, still := full.known[key]; !still {
			report(fmt.Sprintf("hooks have missed the removal of a %T", key))
		}
	}
}
