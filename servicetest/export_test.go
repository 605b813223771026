package servicetest

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

// AdministratorTemplates returns the templates of the routes for administrators alone.
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

// TouchAll marks all records as changed, so that no encoding that was kept is sent again.
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
