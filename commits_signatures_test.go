package serviceapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCommitsGetSignature(t *testing.T) {
	const path = commitPath + "/signature"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "commits/signature_pgp.json"},
		exchange{Method: "GET", Path: path, Fixture: "commits/signature_x509.json"},
		exchange{Method: "GET", Path: path, Fixture: "commits/signature_ssh.json"},
		exchange{Method: "GET", Path: "/projects/7/repository/commits/rel%2F1/signature", Status: 404,
			Body: `{"message":"404 GPG Signature Not Found"}`})
	s, ctx := client.Commits, t.Context()
	for _, want := range []*CommitSignature{
		{
			SignatureType: SignatureTypePGP, VerificationStatus: SignatureStatusUnverifiedKey, CommitSource: "storage",
			GPGKeyID: new(int64(1)), GPGKeyPrimaryKeyID: "8254AAB3FBD54AC9", GPGKeySubkeyID: "8254AAB3FBD54ACA",
			GPGKeyUserName: "Ada Lovelace", GPGKeyUserEmail: "ada@example.com",
		},
		{
			SignatureType: SignatureTypeX509, VerificationStatus: SignatureStatusVerified, CommitSource: "storage",
			X509Certificate: &X509Certificate{
				ID: 1, Subject: "CN=Ada", SubjectKeyIdentifier: "BC:BC", Email: "ada@example.com",
				SerialNumber: "278969561018901340486471282831158785578", CertificateStatus: CertificateStatusRevoked,
				X509Issuer: &X509Issuer{
					ID: 2, Subject: "CN=CA", SubjectKeyIdentifier: "AB:AB", CRLURL: "http://ca.test/ca.crl",
				},
			},
		},
		{
			SignatureType: SignatureTypeSSH, VerificationStatus: SignatureStatusVerified, CommitSource: "storage",
			Key: &SSHKey{
				ID: 11, Title: "Laptop", Key: "ssh-ed25519 AAAA", CreatedAt: *at(t, "2025-12-21T13:14:24.077Z"),
				ExpiresAt: at(t, "2027-12-21T13:14:24.077Z"), UsageType: SSHKeyUsageAuthAndSigning,
			},
		},
	} {
		signature, _, err := s.GetSignature(ctx, ProjectID(7), commitSHA)
		require.NoError(t, err)
		assert.Equal(t, want, signature)
	}
	_, _, err := s.GetSignature(ctx, ProjectID(7), "rel/1")
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestCommitsGetSignatureArguments(t *testing.T) {
	s, ctx := onWire(t).Commits, t.Context()
	assertRefused(t, "id", errorOf(s.GetSignature(ctx, ProjectRef{}, commitSHA)))
	assertRefused(t, "sha", errorOf(s.GetSignature(ctx, ProjectID(7), "")))
}

func TestSerialNumber(t *testing.T) {
	for data, want := range map[string]string{
		`278969561018901340486471282831158785578`: "278969561018901340486471282831158785578", `0`: "0",
		`"bc:01"`: "bc:01", `"7"`: "7", `null`: "",
	} {
		n := SerialNumber("before")
		require.NoError(t, n.UnmarshalJSON([]byte(data)), data)
		assert.Equal(t, SerialNumber(want), n, data)
	}
	for _, data := range []string{``, `{}`, `1.5`, `-7`, `1e3`, `true`, `007`} {
		assert.Error(t, new(SerialNumber).UnmarshalJSON([]byte(data)), data)
	}
	for n, want := range map[SerialNumber]string{
		"27896956101890134048": "27896956101890134048", "bc:01": `"bc:01"`, "": `""`, "007": `"007"`,
	} {
		data, err := json.Marshal(n)
		require.NoError(t, err)
		assert.Equal(t, want, string(data))
	}
}
