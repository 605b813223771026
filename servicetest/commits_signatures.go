package servicetest

import (
	"encoding/json"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A SignatureKind is a way to sign a commit.
type SignatureKind string

// The kinds of signatures.
const (
	PGP  SignatureKind = "PGP"
	X509 SignatureKind = "X509"
	SSH  SignatureKind = "SSH"
)

// A commitSignature is what the service found out about the signature of a commit.
type commitSignature struct {
	kind   SignatureKind
	status string
	number int64 // of the key or the certificate
}

// signatures holds the signatures of commits and tags by hash.
type signatures struct{ of map[string]*commitSignature }

// Signed makes a signed commit. The status is what the service says about the
// signature, such as verified, unverified or unknown_key.
func Signed(kind SignatureKind, status string) CommitOption {
	return commitOption(func(s *seededCommit) { s.signature = &commitSignature{kind: kind, status: status} })
}

// sign keeps the signature of a commit or a tag, if there is one.
func (s *Service) sign(sha string, signature *commitSignature) {
	if signature == nil {
		return
	}
	all := state[signatures](s)
	signature.number = int64(len(all.of)) + 1
	put(&all.of, sha, signature)
}

func getSignature(c *call, _ *repository, commit *gitrepo.Commit) *reply {
	found := state[signatures](c.svc).of[commit.SHA]
	if found == nil {
		return frame.NotFound("GPG Signature")
	}
	return c.OK(found.json(commit))
}

// SignTag makes a tag that is signed. An empty from means the default branch. The status is
// what the service says about the signature, as for Signed.
func (p *Project) SignTag(name, from string, kind SignatureKind, status string) {
	defer p.svc.lock()()
	by := p.svc.admin.signature(p.svc.now())
	tag, err := p.repository().CreateTag(name, p.revision(from), name, by)
	if err != nil {
		p.svc.fail("cannot make the tag %q: %v", name, err)
		return
	}
	p.svc.sign(tag.ID, &commitSignature{kind: kind, status: status})
}

func getTagSignature(c *call, r *repository, name string) *reply {
	tag := r.Tag(name)
	found := state[signatures](c.svc).of[tag.ID]
	if found == nil || !tag.Annotated() {
		return frame.NotFound("Signature")
	}
	form := found.json(tag.Commit)
	delete(form, "commit_source")
	if found.kind != X509 {
		form = object{"signature_type": found.kind}
	}
	return c.OK(form)
}

// json returns the JSON of a signature. Its members depend on its kind.
func (s *commitSignature) json(c *gitrepo.Commit) object {
	form := object{"signature_type": s.kind, "verification_status": s.status, "commit_source": "storage"}
	key := frame.SHA("key", c.Author.Email)
	switch s.kind {
	case X509:
		form["x509_certificate"] = object{
			"id": s.number, "subject": "CN=" + c.Author.Name, "subject_key_identifier": key, "email": c.Author.Email,
			"serial_number": json.Number("278969561018901340486471282831158785578"), "certificate_status": "good",
			"x509_issuer": object{
				"id": 1, "subject": "CN=Example CA", "subject_key_identifier": frame.SHA("ca"),
				"crl_url": "http://crl.example.com/ca.crl",
			},
		}
	case SSH:
		form["key"] = object{
			"id": s.number, "title": "Key of " + c.Author.Name, "key": "ssh-ed25519 " + key,
			"created_at": jsonTime(c.Author.At),
			"expires_at": jsonTime(time.Time{}), "usage_type": "auth_and_signing",
		}
	default:
		form["gpg_key_id"], form["gpg_key_primary_keyid"], form["gpg_key_subkey_id"] = s.number, key[:16], nil
		form["gpg_key_user_name"], form["gpg_key_user_email"] = c.Author.Name, c.Author.Email
	}
	return form
}
