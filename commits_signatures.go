package serviceapi

import (
	"bytes"
	"context"
	"net/http"

	"github.com/go-json-experiment/json"

	"example.com/serviceapi/internal/jsonx"
)

// GetSignature returns the signature of a commit, which can be given by its hash, a
// branch or a tag. The call returns [ErrNotFound] if the commit is not signed.
//
//	GET /projects/:id/repository/commits/:sha/signature
func (s *CommitsService) GetSignature(
	ctx context.Context, project ProjectRef, sha string, opts ...RequestOption,
) (*CommitSignature, *Response, error) {
	return do[CommitSignature](ctx, s.client, http.MethodGet,
		Route("/projects/:id/repository/commits/:sha/signature", project, sha), nil, opts)
}

// CommitSignature is the signature of a commit. Which fields it has depends on its type.
type CommitSignature struct {
	SignatureType SignatureType `json:"signature_type"`
	// VerificationStatus says whether the commit is from who it says.
	VerificationStatus SignatureStatus `json:"verification_status"`
	// CommitSource is the name of the component of the service that read the commit.
	CommitSource string `json:"commit_source"`

	// GPGKeyID is the ID of the key in the service. Nil for another type.
	GPGKeyID *int64 `json:"gpg_key_id"`
	// GPGKeyPrimaryKeyID and GPGKeySubkeyID are the IDs that PGP gives the key, the
	// second one "" if the commit was signed with the primary key.
	GPGKeyPrimaryKeyID string `json:"gpg_key_primary_keyid"`
	GPGKeySubkeyID     string `json:"gpg_key_subkey_id"`
	GPGKeyUserName     string `json:"gpg_key_user_name"`
	GPGKeyUserEmail    string `json:"gpg_key_user_email"`
	// X509Certificate is nil for another type.
	X509Certificate *X509Certificate `json:"x509_certificate"`
	// Key is the key of an SSH signature, nil for another type. Since 15.7.
	Key *SSHKey `json:"key"`
}

// SignatureType is a kind of signature.
type SignatureType string

// Kinds of signatures. SignatureTypeSSH exists since 15.7.
const (
	SignatureTypePGP  SignatureType = "PGP"
	SignatureTypeX509 SignatureType = "X509"
	SignatureTypeSSH  SignatureType = "SSH"
)

// SignatureStatus says whether a signature could be verified.
type SignatureStatus string

// Results of verifying a signature. SignatureStatusOtherUser and
// SignatureStatusSameUserDifferentEmail are good signatures with a key of another user,
// or of another address of the author. SignatureStatusVerifiedSystem is one of the service
// itself. It and SignatureStatusRevokedKey exist in later releases.
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
	// X509Issuer is who issued the certificate, nil if the service does not say.
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

// MarshalJSON encodes a number, or a string if it is none.
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

// isNumber reports whether JSON has the digits as a number.
func (n SerialNumber) isNumber() bool {
	for _, digit := range []byte(n) {
		if digit < '0' || digit > '9' {
			return false
		}
	}
	return len(n) == 1 || len(n) > 1 && n[0] != '0'
}
