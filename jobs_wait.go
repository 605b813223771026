package serviceapi

import "context"

// Wait asks for a job, more and more slowly, until it will not run on by itself,
// and returns it: when it has succeeded, failed, been canceled or skipped, and
// also when it is manual, since such a job waits for somebody to start it. The
// job's status says which; a job that failed is no error of this call. A retry
// is a job of its own: wait for the one that [JobsService.Retry] returns. Beside
// any error comes the job as it was last seen, nil if it never was.
//
// GET /projects/:id/jobs/:job_id
func (s *JobsService) Wait(ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption) (*Job, error) {
	return poll(ctx, func(ctx context.Context) (*Job, bool, error) {
		job, _, err := s.Get(ctx, project, jobID, opts...)
		return job, err == nil && (job.Status.Finished() || job.Status == JobManual), err
	})
}
