package main

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"example.com/serviceapi"
)

// An entry is the line of a project in the inventory.
type entry struct {
	ID   int64  `json:"id"`
	Path string `json:"path"`
	// FailedJobs are the newest, newest first.
	FailedJobs []jobEntry `json:"failed_jobs"`
	// OldestArtifacts are the first jobs that still have an archive.
	OldestArtifacts []artifactEntry `json:"oldest_artifacts"`
	// ExpiringMembers are the members whose access ends, soonest first.
	ExpiringMembers []memberEntry `json:"expiring_members"`
	// Unreadable are the parts that the service did not show, and why. Without them,
	// nobody could tell "none" from "not allowed".
	Unreadable map[string]string `json:"unreadable,omitempty"`
}

type jobEntry struct {
	ID         int64                       `json:"id"`
	Name       string                      `json:"name"`
	Reason     serviceapi.JobFailureReason `json:"reason"`
	FinishedAt *time.Time                  `json:"finished_at"`
}

type artifactEntry struct {
	JobID     int64      `json:"job_id"`
	Size      int64      `json:"size"`
	CreatedAt *time.Time `json:"created_at"`
	ExpireAt  *time.Time `json:"expire_at"`
}

type memberEntry struct {
	Username  string                 `json:"username"`
	Level     serviceapi.AccessLevel `json:"access_level"`
	ExpiresAt *serviceapi.DateOrTime `json:"expires_at"`
}

// The number of failed jobs, and of artifacts, in an entry.
const (
	maxFailed    = 20
	maxArtifacts = 3
)

// take reads the entry of a project. It only reads, so it can be done any number of
// times.
func take(ctx context.Context, client *serviceapi.Client, id int64, path string) (*entry, error) {
	e := &entry{
		ID: id, Path: path, Unreadable: map[string]string{},
		FailedJobs: []jobEntry{}, OldestArtifacts: []artifactEntry{}, ExpiringMembers: []memberEntry{},
	}
	project := serviceapi.ProjectID(id)
	parts := map[string]func() error{
		"failed_jobs":      func() error { return e.readFailed(client.Jobs.List(ctx, project, newestFailed())) },
		"oldest_artifacts": func() error { return e.readArtifacts(client.Jobs.All(ctx, project, oldestFirst())) },
		"expiring_members": func() error { return e.readMembers(client.Members.All(ctx, project, nil)) },
	}
	for name, read := range parts {
		err := read()
		var refused *serviceapi.Error
		switch {
		case err == nil:
		case errors.Is(err, serviceapi.ErrForbidden), errors.Is(err, serviceapi.ErrNotFound):
			// CI is disabled, or the project was deleted after it was listed.
			errors.As(err, &refused)
			e.Unreadable[name] = refused.Message
		default:
			return nil, err
		}
	}
	return e, nil
}

func newestFailed() *serviceapi.ListJobsOptions {
	return &serviceapi.ListJobsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: maxFailed},
		Scope:       []serviceapi.JobStatus{serviceapi.JobStatusFailed},
		Pagination:  serviceapi.PaginationKeyset, Sort: serviceapi.SortDescending,
	}
}

func oldestFirst() *serviceapi.ListJobsOptions {
	return &serviceapi.ListJobsOptions{Pagination: serviceapi.PaginationKeyset, Sort: serviceapi.SortAscending}
}

func (e *entry) readFailed(jobs []*serviceapi.Job, _ *serviceapi.Response, err error) error {
	for _, job := range jobs {
		e.FailedJobs = append(e.FailedJobs, jobEntry{job.ID, job.Name, job.FailureReason, job.FinishedAt})
	}
	return err
}

func (e *entry) readArtifacts(jobs iter.Seq2[*serviceapi.Job, error]) error {
	for job, err := range jobs {
		if err != nil {
			return err
		}
		file := job.ArtifactsFile
		if file == nil {
			continue
		}
		first := artifactEntry{job.ID, file.Size, job.CreatedAt, job.ArtifactsExpireAt}
		e.OldestArtifacts = append(e.OldestArtifacts, first)
		if len(e.OldestArtifacts) == maxArtifacts {
			break
		}
	}
	return nil
}

func (e *entry) readMembers(members iter.Seq2[*serviceapi.Member, error]) error {
	for member, err := range members {
		if err != nil {
			return err
		}
		if member.ExpiresAt != nil {
			expiring := memberEntry{member.Username, member.AccessLevel, member.ExpiresAt}
			e.ExpiringMembers = append(e.ExpiringMembers, expiring)
		}
	}
	slices.SortStableFunc(e.ExpiringMembers, func(a, b memberEntry) int {
		return a.ExpiresAt.Compare(b.ExpiresAt.Time)
	})
	return nil
}
