package servicetest

import (
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// attestationState keeps the attestations of projects, and the releases in the catalog.
type attestationState struct {
	shelf[*Project, attestation]

	published map[*Release]bool
}

// An attestation is a signed statement about an artifact.
type attestation struct {
	id, iid int64
	digest  string
	bundle  *content // nil if it could not be made
	build   *Job     // may be nil
	made    jsonTime
}

var sha256Digits = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// Attestation gives the project an attestation of an artifact, by the artifact's SHA-256
// checksum as 64 hexadecimal digits, and returns its IID. An empty bundle stands for an
// attestation that could not be made. build may be nil.
func (p *Project) Attestation(digest, bundle string, build *Job) int64 {
	defer p.svc.lock()()
	if !sha256Digits.MatchString(digest) {
		p.svc.fail("%q is no SHA-256 checksum", digest)
	}
	all := state[attestationState](p.svc)
	made := &attestation{
		iid: int64(len(all.of[p]) + 1), digest: strings.ToLower(digest), build: build, made: jsonTime(p.svc.now()),
	}
	if bundle != "" {
		made.bundle = textContent([]byte(bundle), p.svc.now())
	}
	made.id = all.add(p, made)
	return made.iid
}

// attestationHome returns the project of the path. Lower tiers have no attestations.
func (c *call) attestationHome() (*Project, *reply) {
	p, refusal := c.project()
	if refusal == nil && !c.hasTier(Ultimate) {
		refusal = frame.NotFound("")
	}
	return p, refusal
}

func listAttestations(c *call, p *Project) *reply {
	digest := c.PathString("subject_digest")
	if !sha256Digits.MatchString(digest) {
		return frame.NotFound("")
	}
	found := only(state[attestationState](c.svc).of[p], func(a *attestation) bool {
		return strings.EqualFold(a.digest, digest)
	})
	return frame.ListOf(c, found, func(a *attestation) object {
		form := object{
			"id": a.id, "iid": a.iid, "project_id": p.id, "build_id": nil, "status": "error",
			"predicate_kind": "provenance", "predicate_type": "https://slsa.dev/provenance/v1", "expire_at": nil,
			"subject_digest": a.digest, "created_at": a.made, "updated_at": a.made, "download_url": c.svc.address() +
				"/api/v4/projects/" + frame.Itoa(p.id) + "/attestations/" + frame.Itoa(a.iid) + "/download",
		}
		if a.build != nil {
			form["build_id"] = a.build.id
		}
		if a.bundle != nil {
			form["status"] = "success"
		}
		return form
	})
}

func downloadAttestation(c *call, p *Project) *reply {
	iid := c.PathInt64("attestation_iid")
	for _, a := range state[attestationState](c.svc).of[p] {
		if a.iid == iid && a.bundle != nil {
			return a.bundle.reply(c, "attestation.json", "text/json")
		}
	}
	return frame.NotFound("")
}

// hasComponents reports whether a tag has files of CI components.
func (p *Project) hasComponents(tag string) bool {
	commit := p.repository().Resolve(tag)
	return commit != nil && slices.ContainsFunc(commit.Tree.Paths(), func(path string) bool {
		return strings.HasPrefix(path, "templates/")
	})
}

// publishInCatalog publishes a release. Every project counts as marked for the catalog.
func publishInCatalog(c *call, p *Project) *reply {
	version, components := c.RequiredString("version"), c.Sub("metadata").Subs("components")
	c.RequireGiven("metadata")
	for _, component := range components {
		component.Require("name")
		frame.AcceptIn(component.StringIn, "component_type", "template")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	release, all := p.releaseOf(version), state[attestationState](c.svc)
	if release == nil {
		return frame.NotFound("")
	}
	var problems []string
	for _, rule := range []struct {
		broken bool
		text   string
	}{
		{all.published[release], "Release has already been published"},
		{release.author != c.user, "Published by must be the same as the release author"},
		{p.readmeURL() == "", "Project must have a README"},
		{p.description == "", "Project must have a description"},
		{len(components) == 0 && !p.hasComponents(version), "Project must contain components. " +
			"Ensure you are using the correct directory structure"},
	} {
		if rule.broken {
			problems = append(problems, rule.text)
		}
	}
	if len(problems) > 0 {
		return frame.Unprocessable(strings.Join(problems, ", "))
	}
	put(&all.published, release, true)
	return c.Created(object{"catalog_url": c.svc.address() + "/explore/catalog/" + p.fullPath()})
}
