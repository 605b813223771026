package servicetest

// secureProject returns the project of the path. Developers may read secure
// files, Maintainers may change them. Without the feature flag, the path does
// not exist.
func (c *call) secureProject() (*Project, *reply) {
	if !c.svc.feature("ci_secure_files") {
		return nil, notFound("")
	}
	return c.project()
}

func (c *call) secureFile() (*SecureFile, *reply) {
	project, refusal := c.secureProject()
	if refusal != nil {
		return nil, refusal
	}
	f, ok := state[secureFileState](c.svc).files.get(c.pathID("id"))
	if !ok || f.project != project {
		return nil, notFound("")
	}
	return f, nil
}

func listSecureFiles(c *call) *reply {
	project, refusal := c.secureProject()
	if refusal != nil {
		return refusal
	}
	return listOf(c, project.secureFiles(), (*SecureFile).form)
}

func getSecureFile(c *call) *reply {
	f, refusal := c.secureFile()
	if refusal != nil {
		return refusal
	}
	return c.ok(f.form())
}

func createSecureFile(c *call) *reply {
	project, refusal := c.secureProject()
	if refusal != nil {
		return refusal
	}
	name, file := c.required("name"), c.fileNamed("file")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	switch {
	case file.size >= maxSecureFileSize:
		return fieldErrors("file", "must be smaller than 5 MB")
	case project.secureFileNamed(name) != nil:
		return fieldErrors("name", "has already been taken")
	case len(project.secureFiles()) >= maxSecureFiles:
		return fieldErrors("base", "Maximum number of secure files (100) exceeded")
	}
	f := project.newSecureFile(name, file.content)
	f.store()
	return c.created(f.form())
}

func downloadSecureFile(c *call) *reply {
	f, refusal := c.secureFile()
	if refusal != nil {
		return refusal
	}
	return f.content.reply(c, f.name, "application/octet-stream")
}

func deleteSecureFile(c *call) *reply {
	f, refusal := c.secureFile()
	if refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(f.createdAt); refusal != nil {
		return refusal
	}
	state[secureFileState](c.svc).files.remove(f.id)
	return c.noContent()
}
