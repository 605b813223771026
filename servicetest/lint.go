package servicetest

import (
	"strings"

	"example.com/serviceapi/servicetest/internal/ciconfig"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// lintStored checks the configuration in the repository.
func lintStored(c *call, project *Project) *reply {
	c.Exclusive("sha", "content_ref")
	c.Exclusive("ref", "dry_run_ref")
	from := either(either(c.String("content_ref"), c.String("sha")), project.defaultBranch)
	dryRef := either(c.String("dry_run_ref"), c.String("ref"))
	dry, jobs := c.Bool("dry_run"), c.Bool("include_jobs")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	if len(r.Branches()) == 0 {
		return frame.NotFound("Repository")
	}
	commit := r.Resolve(from)
	if commit == nil {
		return frame.NotFound("Commit")
	}
	result := &ciconfig.Result{Errors: []string{project.plan().problem}}
	if !project.plan().broken {
		content, _ := contentAt(commit, project.ciFile())
		result = project.lint(content, commit)
	}
	return c.OK(project.lintAnswer(result, commit, jobs, dry, dryRef))
}

// lintContent checks a configuration for a project.
func lintContent(c *call, project *Project) *reply {
	c.RequireGiven("content")
	content, dryRef := c.String("content"), c.String("ref")
	dry, jobs := c.Bool("dry_run"), c.Bool("include_jobs")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	head := project.repository().Branch(project.defaultBranch)
	return c.OK(project.lintAnswer(project.lint(content, head), head, jobs, dry, dryRef))
}

// lintGlobally checks a configuration without a project.
func lintGlobally(c *call) *reply {
	c.RequireGiven("content")
	content := c.String("content")
	showMerged, jobs := c.Bool("include_merged_yaml"), c.Bool("include_jobs")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	result := ciconfig.Check(content, c.svc.settings.ciFile(), nil)
	answer := object{
		"status": "valid", "errors": append([]string{}, result.Errors...),
		"warnings": append([]string{}, result.Warnings...),
	}
	if len(result.Errors) > 0 {
		answer["status"] = "invalid"
	}
	if showMerged {
		answer["merged_yaml"] = jsonText(result.Merged)
	}
	if jobs {
		answer["jobs"] = lintJobs(result)
	}
	return c.OK(answer)
}

// ciFile returns the default name of the configuration file.
func (s *settings) ciFile() string {
	return "." + strings.ToLower(either(s.vendor, "Service")) + "-ci.yml"
}

// ciFile returns the name of the project's configuration file.
func (p *Project) ciFile() string {
	return either(p.preferences.choice(projectPreferences, "ci_config_path"), p.svc.settings.ciFile())
}

// lint checks a configuration. Its local includes are in a commit.
func (p *Project) lint(content string, commit *gitrepo.Commit) *ciconfig.Result {
	return ciconfig.Check(content, p.ciFile(), func(path string) (string, bool) { return contentAt(commit, path) })
}

// contentAt returns the content of a file in a commit, which may be nil.
func contentAt(commit *gitrepo.Commit, path string) (string, bool) {
	if commit == nil || commit.Tree[path].Blob == nil {
		return "", false
	}
	return string(commit.Tree[path].Data), true
}

// lintAnswer returns the response for a result. A dry run also needs its ref.
func (p *Project) lintAnswer(result *ciconfig.Result, commit *gitrepo.Commit, jobs, dry bool, ref string) object {
	if r := p.repository(); dry && ref != "" && r.Branch(ref) == nil && r.Tag(ref) == nil {
		result.Errors = append(result.Errors, "Reference not found")
	}
	includes := []object{}
	for _, include := range result.Includes {
		shown := object{
			"type": include.Type, "location": include.Location, "blob": nil, "raw": nil, "extra": object{},
			"context_project": p.fullPath(), "context_sha": nil,
		}
		if commit != nil {
			path := strings.TrimPrefix(include.Location, "/")
			shown["context_sha"] = commit.SHA
			shown["blob"], shown["raw"] = p.webURL("-/blob", commit.SHA, path), p.webURL("-/raw", commit.SHA, path)
		}
		includes = append(includes, shown)
	}
	answer := object{
		"valid": len(result.Errors) == 0, "errors": append([]string{}, result.Errors...),
		"warnings": append([]string{}, result.Warnings...), "merged_yaml": jsonText(result.Merged),
		"includes": includes,
	}
	if jobs {
		answer["jobs"] = lintJobs(result)
	}
	return answer
}

func lintJobs(result *ciconfig.Result) []object {
	shown := []object{}
	for _, job := range result.Jobs {
		needs := mapped(job.Needs, func(name string) object { return object{"name": name} })
		shown = append(shown, object{
			"name": job.Name, "stage": job.Stage, "before_script": job.BeforeScript, "script": job.Script,
			"after_script": job.AfterScript, "tag_list": job.Tags, "environment": jsonText(job.Environment),
			"when":          job.When,
			"allow_failure": job.AllowFailure, "only": job.Only, "except": job.Except, "needs": needs,
		})
	}
	return shown
}
