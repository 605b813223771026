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
