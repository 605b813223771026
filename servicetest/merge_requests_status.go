package servicetest

import "time"

// PreparingTakes sets how long the service takes, by its clock, to compute the
// diff of a merge request that is opened through the API. By default, the diff
// is ready when the next request arrives.
func PreparingTakes(d time.Duration) Option {
	return func(s *settings) { s.preparing = d }
}

// prepare computes the diff of a merge request that was just opened.
func (m *MergeRequest) prepare() {
	m.preparing = true
	m.svc.after(m.svc.settings.preparing, func() {
		defer m.svc.lock()()
		m.preparing, m.preparedAt = false, m.svc.now()
		m.check()
	})
}

func (m *MergeRequest) mergeStatus() string {
	switch {
	case m.preparing:
		return "unchecked"
	case m.conflicts:
		return "cannot_be_merged"
	}
	return "can_be_merged"
}

// detailedMergeStatus says what prevents the merge request from being merged.
func (m *MergeRequest) detailedMergeStatus() string {
	return either(m.blocker(), "mergeable")
}
