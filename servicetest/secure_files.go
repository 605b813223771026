package servicetest

import "example.com/serviceapi/servicetest/internal/frame"

// secureProject returns the project of the path. Developers may read secure
// files, Maintainers may change them. Without the feature flag, the path does
// not exist.
func (c *call) secureProject() (*Project, *reply) {
	if !c.svc.feature("ci_secure_files") {
		return nil, frame.NotFound("")
	}
	return c.project()
}

func (c *call) secureFile() (*SecureFile, *reply) {
	project, refusal := c.secureProject()
	if refusal != nil {
		return nil, refusal
	}
	f, ok := state[secureFileState](c.svc).files.get(c.PathID("id"))
	if !ok || f.project != project {
		return nil, frame.NotFound("")
	}
	return f, nil
}

func listSecureFiles(c *call) *reply {
	project, refusal := c.secureProject()
	if refusal != nil {
		return refusal
	}
	return frame.ListOf(c, project.secureFiles(), (*SecureFile).form)
}

func getSecureFile(c *call) *reply {
	f, refusal := c.secureFile()
	if refusal != nil {
		return refusal
	}
	return c.OK(f.form())
}

func createSecureFile(c *call) *reply {
	project, refusal := c.secureProject()
	if refusal != nil {
		return refusal
	}
	name, file := c.Required("name"), c.FileNamed("file")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	switch {
	case file.Size >= maxSecureFileSize:
		return frame.FieldErrors("file", "must be smaller than 5 MB")
	case project.secureFileNamed(name) != nil:
		return frame.FieldErrors("name", "has already been taken")
	case len(project.secureFiles()) >= maxSecureFiles:
		return frame.FieldErrors("base", "Maximum number of secure files (100) exceeded")
	}
	f := project.newSecureFile(name, file.Content)
	f.store()
	return c.Created(f.form())
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
	if refusal := c.Unchanged(f.createdAt); refusal != nil {
		return refusal
	}
	state[secureFileState](c.svc).files.remove(f.id)
	return c.NoContent()
}
