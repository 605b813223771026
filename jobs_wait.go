package serviceapi

import "context"

// Wait polls a job, at growing intervals, until it will not continue by itself,
// and returns it. That is when it has succeeded, failed, been canceled or
// skipped, and also when it is manual, since such a job waits for somebody to
// start it. Check the job's status: that a job failed is not an error of this
// call. A retry is a job of its own: wait for the one that [JobsService.Retry]
// returns. Beside an error, Wait returns the job as last seen, or nil.
//
// GET /projects/:id/jobs/:job_id
func (s *JobsService) Wait(ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption) (*Job, error) {
	return poll(ctx, func(ctx context.Context) (*Job, bool, error) {
		job, _, err := s.Get(ctx, project, jobID, opts...)
		return job, err == nil && (job.Status.Finished() || job.Status == JobManual), err
	})
}
