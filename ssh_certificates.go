package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// SSHCertificatesService manages the authorities whose SSH certificates a group at the top accepts. Premium,
// only in the hosted offering: elsewhere, the calls return [ErrNotFound]. They require the Owner role. Since
// 16.9. A certificate cannot be changed.
//
// Its options are [CreateSSHCertificateOptions] and [ListOptions]. See the example of
// [SSHCertificatesService.Create].
type SSHCertificatesService service

const sshCertificates = "/groups/:id/ssh_certificates"

// List returns one page of the certificates of a group.
//
//	GET /groups/:id/ssh_certificates
func (s *SSHCertificatesService) List(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) ([]*SSHCertificate, *Response, error) {
	return list[*SSHCertificate](ctx, using(s), Route(sshCertificates, group), queryOf(options), opts)
}

// All returns every certificate of a group.
//
//	GET /groups/:id/ssh_certificates
func (s *SSHCertificatesService) All(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*SSHCertificate, error] {
	return all[*SSHCertificate](ctx, using(s), Route(sshCertificates, group), queryOf(options), opts)
}

// Create adds an authority. The call returns [ErrUnprocessable] for a key that is invalid, or that any
// group has already, and [ErrForbidden] for a subgroup.
//
//	POST /groups/:id/ssh_certificates
func (s *SSHCertificatesService) Create(
	ctx context.Context, group GroupRef, options CreateSSHCertificateOptions, opts ...RequestOption,
) (*SSHCertificate, *Response, error) {
	return do[SSHCertificate](ctx, using(s), http.MethodPost, Route(sshCertificates, group), jsonOf(options), opts)
}

// Delete removes an authority.
//
//	DELETE /groups/:id/ssh_certificates/:ssh_certificate_id
func (s *SSHCertificatesService) Delete(
	ctx context.Context, group GroupRef, certificateID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(sshCertificates+"/:ssh_certificate_id", group, certificateID), nil, opts)
}

// SSHCertificate is an authority whose SSH certificates a group accepts.
type SSHCertificate struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	// Key is the public key of the authority.
	Key       string    `json:"key"`
	CreatedAt time.Time `json:"created_at"`
}

// CreateSSHCertificateOptions describes an authority. Title and Key are required.
type CreateSSHCertificateOptions struct {
	// Title has at most 255 characters.
	Title string `json:"title" required:"true"`
	// Key is the public key of the authority, of at most 5,000 characters.
	Key string `json:"key" required:"true"`
}
