package servicetest

import (
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An attestation is a signed statement about an artifact.
type attestation struct {
	record[*Project]

	iid    int64
	digest string
	bundle *content // nil if it could not be made
	build  *Job     // may be nil
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
	made := &attestation{iid: int64(len(p.attestations()) + 1), digest: strings.ToLower(digest), build: build}
	if bundle != "" {
		made.bundle = textContent([]byte(bundle), p.svc.now())
	}
	return shelve(p.svc, p, made).iid
}

func (p *Project) attestations() []*attestation { return recordsOf[attestation](p.svc, p) }

// attestationHome returns the project of the path. Lower tiers have no attestations.
var attestationHome = unless((*call).project, notFound, func(c *call, _ *Project) bool { return !c.hasTier(Ultimate) })

func listAttestations(c *call, p *Project) *reply {
	digest := c.PathString("subject_digest")
	if !sha256Digits.MatchString(digest) {
		return frame.NotFound("")
	}
	found := only(p.attestations(), func(a *attestation) bool { return strings.EqualFold(a.digest, digest) })
	return frame.ListOf(c, found, func(a *attestation) object {
		return object{
			"id": a.id, "iid": a.iid, "project_id": p.id, "build_id": idOf(a.build), "expire_at": nil,
			"status":         map[bool]string{true: "success", false: "error"}[a.bundle != nil],
			"predicate_kind": "provenance", "predicate_type": "https://slsa.dev/provenance/v1",
			"subject_digest": a.digest, "created_at": jsonTime(a.createdAt), "updated_at": jsonTime(a.updatedAt),
			"download_url": c.svc.address() + "/api/v4/projects/" + frame.Itoa(p.id) + "/attestations/" +
				frame.Itoa(a.iid) + "/download",
		}
	})
}

func downloadAttestation(c *call, p *Project) *reply {
	iid := c.PathInt64("attestation_iid")
	a := one(p.attestations(), func(a *attestation) bool { return a.iid == iid && a.bundle != nil })
	if a == nil {
		return frame.NotFound("")
	}
	return a.bundle.reply(c, "attestation.json", "text/json")
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
	release := p.releaseOf(version)
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case release == nil:
		return frame.NotFound("")
	}
	var problems []string
	refuse := func(broken bool, problem string) {
		if broken {
			problems = append(problems, problem)
		}
	}
	refuse(release.inCatalog, "Release has already been published")
	refuse(release.author != c.user, "Published by must be the same as the release author")
	refuse(p.readmeURL() == "", "Project must have a README")
	refuse(p.description == "", "Project must have a description")
	refuse(len(components) == 0 && !p.hasComponents(version),
		"Project must contain components. Ensure you are using the correct directory structure")
	if len(problems) > 0 {
		return frame.Unprocessable(strings.Join(problems, ", "))
	}
	release.inCatalog = true
	return c.Created(object{"catalog_url": c.svc.address() + "/explore/catalog/" + p.fullPath()})
}
