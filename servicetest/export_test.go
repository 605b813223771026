package servicetest

// Templates returns the templates of all routes, for tests from outside.
func Templates() []string {
	var templates []string
	for _, served := range endpoints() {
		templates = append(templates, served.template)
	}
	return templates
}
