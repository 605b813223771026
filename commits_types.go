package serviceapi

import (
	"bytes"
	"time"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
)

// Commit is a commit as lists return it. [CommitsService.Get] returns a
// [CommitDetails], which has more fields.
type Commit struct {
	// ID is the full hash.
	ID      string `json:"id"`
	ShortID string `json:"short_id"`
	// Title is the first line of Message.
	Title       string `json:"title"`
	Message     string `json:"message"`
	AuthorName  string `json:"author_name"`
	AuthorEmail string `json:"author_email"`
	// AuthoredDate is when the change was written, which may be long before
	// it was committed.
	AuthoredDate   time.Time `json:"authored_date"`
	CommitterName  string    `json:"committer_name"`
	CommitterEmail string    `json:"committer_email"`
	CommittedDate  time.Time `json:"committed_date"`
	// CreatedAt equals CommittedDate.
	CreatedAt time.Time `json:"created_at"`
	// ParentIDs are full hashes: none for a first commit, several for a merge.
	ParentIDs []string `json:"parent_ids"`
	WebURL    string   `json:"web_url"`
	// Stats is nil in lists unless [ListCommitsOptions.WithStats] asks for it, and in a
	// [CommitDetails] if [GetCommitOptions.Stats] or [CreateCommitOptions.Stats] was false.
	Stats *CommitStats `json:"stats"`
	// Status is the status of the last pipeline, empty if there was none. A [CommitDetails]
	// has it; in lists, only some releases send it, and others leave it empty.
	Status PipelineStatus `json:"status"`
	// Trailers are the lines at the end of the message, such as "Signed-off-by:
	// Ada", by name. They are set only if they were requested. If a name occurs
	// several times, this is one of its values; ExtendedTrailers has them all.
	Trailers map[string]string `json:"trailers"`
	// ExtendedTrailers are all values of the trailers, by name. Since about 15.11.
	ExtendedTrailers map[string][]string `json:"extended_trailers"`
}

// CommitDetails is a single commit. It has a [Commit] in it, and the fields that lists leave
// out.
type CommitDetails struct {
	Commit

	// LastPipeline is set only by Get. It is nil if there was no pipeline.
	LastPipeline *PipelineSummary `json:"last_pipeline"`
	// ProjectID is the ID of the project.
	ProjectID int64 `json:"project_id"`
}

// Ref identifies the commit by the ID of its project and its hash.
func (c *CommitDetails) Ref() CommitRef { return ProjectID(orZero(c).ProjectID).Commit(orZero(c).ID) }

// CommitStats counts the lines that a commit changed.
type CommitStats struct {
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	// Total is the sum of both.
	Total int `json:"total"`
}

// GitRefType is a kind of ref.
type GitRefType string

// Kinds of refs. GitRefTypeAll is only for [ListCommitRefsOptions].
const (
	GitRefTypeBranch GitRefType = "branch"
	GitRefTypeTag    GitRefType = "tag"
	GitRefTypeAll    GitRefType = "all"
)

// GitRef is a branch or a tag that contains a commit.
type GitRef struct {
	Type GitRefType `json:"type"`
	Name string     `json:"name"`
}

// CommitDiff is the change that a commit makes to one file.
type CommitDiff struct {
	// Diff is the change in the unified format, without the lines that name
	// the file.
	Diff string `json:"diff"`
	// OldPath and NewPath differ only where RenamedFile is true.
	OldPath string `json:"old_path"`
	NewPath string `json:"new_path"`
	// AMode and BMode are the file modes before and after, such as "100644".
	// AMode is empty if the service does not say.
	AMode       string `json:"a_mode"`
	BMode       string `json:"b_mode"`
	NewFile     bool   `json:"new_file"`
	RenamedFile bool   `json:"renamed_file"`
	DeletedFile bool   `json:"deleted_file"`
	// Collapsed and TooLarge report whether Diff is empty because the change is
	// large, or too large to be shown at all. Since 18.4.
	Collapsed bool `json:"collapsed"`
	TooLarge  bool `json:"too_large"`
}

// LineType says which side of a diff a line is on.
type LineType string

// Sides of a diff.
const (
	LineTypeNew LineType = "new"
	LineTypeOld LineType = "old"
)

// CommitSummary is the short form of a commit, as part of jobs and deployments. In jobs,
// older releases leave out ParentIDs and the fields after it.
type CommitSummary struct {
	// ID is the full commit hash.
	ID          string    `json:"id"`
	ShortID     string    `json:"short_id"`
	Title       string    `json:"title"`
	Message     string    `json:"message"`
	AuthorName  string    `json:"author_name"`
	AuthorEmail string    `json:"author_email"`
	CreatedAt   time.Time `json:"created_at"`

	ParentIDs []string `json:"parent_ids"`
	// AuthoredDate is when the change was made, nil except in deployments.
	AuthoredDate   *time.Time `json:"authored_date"`
	CommitterName  string     `json:"committer_name"`
	CommitterEmail string     `json:"committer_email"`
	// CommittedDate is when the commit was made, nil except in deployments.
	CommittedDate *time.Time `json:"committed_date"`
	WebURL        string     `json:"web_url"`
	// ExtendedTrailers are as in [Commit]. Since about 15.11.
	ExtendedTrailers map[string][]string `json:"extended_trailers"`
}

// CommitSignature is the signature of a commit. Which fields it has depends on its type.
type CommitSignature struct {
	SignatureType SignatureType `json:"signature_type"`
	// VerificationStatus says whether the signature could be verified.
	VerificationStatus SignatureStatus `json:"verification_status"`
	// CommitSource is the name of the component of the service that read the commit.
	CommitSource string `json:"commit_source"`

	// GPGKeyID is the ID of the key in the service, nil for signatures of other types.
	GPGKeyID *int64 `json:"gpg_key_id"`
	// GPGKeyPrimaryKeyID and GPGKeySubkeyID are the PGP IDs of the key. GPGKeySubkeyID is
	// empty if the commit was signed with the primary key.
	GPGKeyPrimaryKeyID string `json:"gpg_key_primary_keyid"`
	GPGKeySubkeyID     string `json:"gpg_key_subkey_id"`
	GPGKeyUserName     string `json:"gpg_key_user_name"`
	GPGKeyUserEmail    string `json:"gpg_key_user_email"`
	// X509Certificate is the certificate of an X.509 signature, nil for signatures of
	// other types.
	X509Certificate *X509Certificate `json:"x509_certificate"`
	// Key is the key of an SSH signature, nil for signatures of other types. Since 15.7.
	Key *SSHKey `json:"key"`
}

// SignatureType is a kind of signature.
type SignatureType string

// Kinds of signatures. SignatureTypeSSH was added in 15.7.
const (
	SignatureTypePGP  SignatureType = "PGP"
	SignatureTypeX509 SignatureType = "X509"
	SignatureTypeSSH  SignatureType = "SSH"
)

// SignatureStatus says whether a signature could be verified.
type SignatureStatus string

// Results of verifying a signature. SignatureStatusOtherUser is a good signature with the
// key of another user, and SignatureStatusSameUserDifferentEmail one with a key for
// another address of the author. SignatureStatusVerifiedSystem is a signature of the
// service itself. It and SignatureStatusRevokedKey exist in later releases.
const (
	SignatureStatusVerified               SignatureStatus = "verified"
	SignatureStatusUnverified             SignatureStatus = "unverified"
	SignatureStatusUnverifiedKey          SignatureStatus = "unverified_key"
	SignatureStatusUnknownKey             SignatureStatus = "unknown_key"
	SignatureStatusOtherUser              SignatureStatus = "other_user"
	SignatureStatusSameUserDifferentEmail SignatureStatus = "same_user_different_email"
	SignatureStatusMultipleSignatures     SignatureStatus = "multiple_signatures"
	SignatureStatusRevokedKey             SignatureStatus = "revoked_key"
	SignatureStatusVerifiedSystem         SignatureStatus = "verified_system"
)

// X509Certificate is the certificate of a signature.
type X509Certificate struct {
	ID                   int64             `json:"id"`
	Subject              string            `json:"subject"`
	SubjectKeyIdentifier string            `json:"subject_key_identifier"`
	Email                string            `json:"email"`
	SerialNumber         SerialNumber      `json:"serial_number"`
	CertificateStatus    CertificateStatus `json:"certificate_status"`
	// X509Issuer is the authority that issued the certificate, nil if the service does
	// not say.
	X509Issuer *X509Issuer `json:"x509_issuer"`
}

// X509Issuer is an issuer of certificates.
type X509Issuer struct {
	ID                   int64  `json:"id"`
	Subject              string `json:"subject"`
	SubjectKeyIdentifier string `json:"subject_key_identifier"`
	// CRLURL is the address of the list of revoked certificates.
	CRLURL string `json:"crl_url"`
}

// CertificateStatus says whether a certificate is still good.
type CertificateStatus string

// States of a certificate.
const (
	CertificateStatusGood    CertificateStatus = "good"
	CertificateStatusRevoked CertificateStatus = "revoked"
)

// SerialNumber is the serial number of a certificate in decimal digits, which can be too
// large for an int64.
type SerialNumber string

// MarshalJSON encodes the serial number as a number, or as a string if it is not one.
func (n SerialNumber) MarshalJSON() ([]byte, error) {
	if n.isNumber() {
		return []byte(n), nil
	}
	return json.Marshal(string(n))
}

// UnmarshalJSON decodes a number or a string.
func (n *SerialNumber) UnmarshalJSON(data []byte) error {
	*n = ""
	if jsonx.IsString(data) {
		return decodeString(data, (*string)(n))
	}
	if number := SerialNumber(bytes.TrimSpace(data)); number.isNumber() {
		*n = number
		return nil
	}
	return json.Unmarshal(data, (*string)(n)) // null, or an error
}

// isNumber reports whether the serial number is a valid JSON number.
func (n SerialNumber) isNumber() bool {
	for _, digit := range []byte(n) {
		if digit < '0' || digit > '9' {
			return false
		}
	}
	return n == "0" || n != "" && n[0] != '0'
}

// CommitSequence is the place of a commit in its history.
type CommitSequence struct {
	// Count is the number of commits that the commit can reach, with itself.
	Count int `json:"count"`
}
