package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const tagsPath = "/projects/acme%2Fapp/repository/tags"

// wholeTag is tags/tag.json.
func wholeTag(t testing.TB) *serviceapi.Tag {
	return &serviceapi.Tag{
		Name: "v1.0", Message: "The first", Target: "2695effb5807a22ff3d138d593fd856244e155e7",
		Commit:  sanitizeCommit(t),
		Release: &serviceapi.TagRelease{TagName: "v1.0", Description: "Everything is new."}, Protected: true,
		CreatedAt: at(t, "2026-03-01T10:00:00.880Z"),
	}
}

const plainTag = `{"name":"v0.9","message":null,"target":"1","commit":null,"release":null,"protected":false,` +
	`"created_at":null}`

func TestTagsLists(t *testing.T) {
	reply := "[" + fixture(t, "tags/tag.json") + "," + plainTag + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: tagsPath, Body: reply},
		exchange{Method: "GET", Path: tagsPath,
			Query: "order_by=version&pagination=keyset&per_page=5&search=%5Ev1&sort=asc", Body: reply},
		exchange{Method: "GET", Path: tagsPath, Query: "per_page=100", Body: reply},
	)
	want := []*serviceapi.Tag{wholeTag(t), {Name: "v0.9", Target: "1"}}
	s, ctx, app := client.Tags, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range []*serviceapi.ListTagsOptions{nil, {
		ListOptions: serviceapi.ListOptions{PerPage: 5}, OrderBy: serviceapi.TagOrderByVersion,
		Sort: serviceapi.SortAscending, Search: "^v1",
		Pagination: serviceapi.PaginationKeyset,
	}} {
		tags, _, err := s.List(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, want, tags)
	}
	tags, err := serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, tags)
}

func TestTagsGetCreateDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: tagsPath + "/v1.0", Fixture: "tags/tag.json"},
		exchange{Method: "POST", Path: tagsPath, JSON: `{"tag_name":"v1.0","ref":"main","message":"The first"}`,
			Status: 201, Fixture: "tags/tag.json"},
		exchange{Method: "POST", Path: tagsPath, JSON: `{"tag_name":"v0.9","ref":"main"}`, Status: 201, Body: plainTag},
		exchange{Method: "POST", Path: tagsPath, JSON: `{"tag_name":"v0.9","ref":"main"}`, Status: 405,
			Body: `{"message":"Tag v0.9 already exists"}`},
		exchange{Method: "DELETE", Path: tagsPath + "/rel%2F1", Status: 204},
	)
	s, ctx, app := client.Tags, t.Context(), serviceapi.ProjectPath("acme/app")
	tag, _, err := s.Get(ctx, app, "v1.0")
	require.NoError(t, err)
	assert.Equal(t, wholeTag(t), tag)
	tag, resp, err := s.Create(
		ctx,
		app,
		serviceapi.CreateTagOptions{TagName: "v1.0", Ref: "main", Message: new("The first")},
	)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, wholeTag(t), tag)
	tag, _, err = s.Create(ctx, app, serviceapi.CreateTagOptions{TagName: "v0.9", Ref: "main"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Tag{Name: "v0.9", Target: "1"}, tag)
	_, _, err = s.Create(ctx, app, serviceapi.CreateTagOptions{TagName: "v0.9", Ref: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
	resp, err = s.Delete(ctx, app, "rel/1")
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestTagsArguments(t *testing.T) {
	s, ctx := onWire(t).Tags, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, all := serviceapi.Collect(s.All(ctx, serviceapi.ProjectPath("a//b"), nil))
	_, deleted := s.Delete(ctx, serviceapi.ProjectID(1), "..")
	for name, err := range map[string]error{
		"list":   failed(s.List(ctx, serviceapi.ProjectRef{}, nil)),
		"all":    all,
		"get":    failed(s.Get(ctx, serviceapi.ProjectID(1), "")),
		"create": failed(s.Create(ctx, serviceapi.ProjectID(0), serviceapi.CreateTagOptions{})),
		"delete": deleted,
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}

func TestTagsGetSignature(t *testing.T) {
	const path = tagsPath + "/rel%2F1/signature"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "tags/signature.json"},
		exchange{Method: "GET", Path: path, Body: `{"signature_type":"SSH"}`},
	)
	s, ctx, app := client.Tags, t.Context(), serviceapi.ProjectPath("acme/app")
	signature, _, err := s.GetSignature(ctx, app, "rel/1")
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TagSignature{
		SignatureType: serviceapi.SignatureTypeX509, VerificationStatus: serviceapi.SignatureStatusUnverified,
		X509Certificate: &serviceapi.X509Certificate{
			ID: 3, Subject: "CN=Ada", SubjectKeyIdentifier: "BC:BD", Email: "ada@example.com",
			SerialNumber:      "278969561018901340486471282831158785578",
			CertificateStatus: serviceapi.CertificateStatusGood,
			X509Issuer: &serviceapi.X509Issuer{ID: 4, Subject: "CN=CA", SubjectKeyIdentifier: "AB:AC",
				CRLURL: "http://ca.test/ca.crl"},
		},
	}, signature)
	signature, _, err = s.GetSignature(ctx, app, "rel/1")
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TagSignature{SignatureType: serviceapi.SignatureTypeSSH}, signature)
	assertRefused(t, "tag_name", errorOf(s.GetSignature(ctx, app, "")))
}
