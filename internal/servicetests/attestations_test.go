package servicetests

import (
	"io"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceAttestations(t *testing.T) {
	for _, tier := range []servicetest.Tier{servicetest.Premium, servicetest.Ultimate} {
		r := newReviewTeam(t, servicetest.WithTier(tier))
		digest := strings.Repeat("ab", 32)
		job := r.app.Pipeline("main").Job("build")
		failed := r.app.Attestation(digest, "", nil)
		signed := r.app.Attestation(strings.ToUpper(digest), `{"mediaType":"x"}`, job)
		r.app.Attestation(strings.Repeat("cd", 32), "{}", job)
		s, ctx := as(t, r.svc, r.eve).Attestations, t.Context()
		found, err := serviceapi.Collect(s.All(ctx, mergeApp, digest, nil))
		if tier < servicetest.Ultimate {
			assert.ErrorIs(t, err, serviceapi.ErrNotFound)
			continue
		}
		require.NoError(t, err)
		require.Len(t, found, 2)
		assert.Equal(t, []any{failed, serviceapi.AttestationStatusError, digest, (*int64)(nil)},
			[]any{found[0].IID, found[0].Status, found[0].SubjectDigest, found[0].BuildID})
		assert.Equal(t, []any{signed, serviceapi.AttestationStatusSuccess, digest, job.ID(), r.app.ID()},
			[]any{found[1].IID, found[1].Status, found[1].SubjectDigest, *found[1].BuildID, found[1].ProjectID})
		assert.True(t, strings.HasPrefix(found[1].DownloadURL, r.svc.URL()))
		bundle, _, err := s.Download(ctx, mergeApp, signed)
		require.NoError(t, err)
		text, err := io.ReadAll(bundle)
		require.NoError(t, err)
		require.NoError(t, bundle.Close())
		assert.Equal(t, `{"mediaType":"x"}`, string(text))
		_, _, err = s.Download(ctx, mergeApp, failed)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		_, _, err = s.List(ctx, mergeApp, "abc", nil)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		found, _, err = s.List(ctx, mergeApp, strings.Repeat("ef", 32), nil)
		require.NoError(t, err)
		assert.Empty(t, found)
	}
}

func TestServicePublishesInCatalog(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("main", "Begin", servicetest.Write("a.txt", "a"))
	ada, ctx := as(t, r.svc, r.ada), t.Context()
	for _, tag := range []string{"1.0.0", "1.1.0"} {
		_, _, err := ada.Releases.Create(ctx, mergeApp, serviceapi.CreateReleaseOptions{TagName: tag, Ref: new("main")})
		require.NoError(t, err)
		r.app.Commit("main", "Add components", servicetest.Write("README.md", "# App\n"),
			servicetest.Write("templates/build.yml", "spec:\n"))
	}
	first := serviceapi.PublishCatalogVersionOptions{Version: "1.0.0"}
	_, _, err := as(t, r.svc, r.bob).Catalog.Publish(ctx, mergeApp, first)
	assert.ErrorContains(t, err, "Published by must be the same as the release author, "+
		"Project must have a description, Project must contain components. "+
		"Ensure you are using the correct directory structure")
	_, _, err = ada.Projects.Update(ctx, mergeApp, serviceapi.UpdateProjectOptions{Description: new("Components")})
	require.NoError(t, err)
	second := serviceapi.PublishCatalogVersionOptions{Version: "1.1.0"}
	version, _, err := ada.Catalog.Publish(ctx, mergeApp, second)
	require.NoError(t, err, "the service reads the files")
	assert.True(t, strings.HasSuffix(version.CatalogURL, "/explore/catalog/acme/app"), version.CatalogURL)
	_, _, err = ada.Catalog.Publish(ctx, mergeApp, second)
	assert.ErrorContains(t, err, "Release has already been published")
	first.Metadata.Components = []serviceapi.CatalogComponent{{Name: "build"}}
	_, _, err = ada.Catalog.Publish(ctx, mergeApp, first)
	require.NoError(t, err, "the call names the components")
	first.Version = "9.9.9"
	_, _, err = ada.Catalog.Publish(ctx, mergeApp, first)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
