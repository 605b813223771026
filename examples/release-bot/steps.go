package main

import (
	"context"
	"errors"
	"fmt"

	"example.com/serviceapi"
)

// test waits for the pipeline of the branch, and starts one if none was started
// by the commit.
func (r *release) test(ctx context.Context) error {
	pipeline, _, err := r.client.Pipelines.Latest(ctx, r.project, &serviceapi.LatestPipelineOptions{Ref: r.branch})
	if errors.Is(err, serviceapi.ErrForbidden) || errors.Is(err, serviceapi.ErrNotFound) {
		pipeline, _, err = r.client.Pipelines.Create(ctx, r.project, serviceapi.CreatePipelineOptions{Ref: r.branch})
	}
	if err != nil {
		return err
	}
	pipeline, err = r.client.Pipelines.Wait(ctx, r.project, pipeline.ID,
		serviceapi.WithPollObserver(func(p serviceapi.Poll) {
			fmt.Fprintf(r.notes, "%s: %s after %.0f s\n", p.Target, p.State, p.Elapsed.Seconds())
		}))
	if err != nil {
		return err
	}
	if pipeline.Status != serviceapi.PipelineStatusSuccess {
		return fmt.Errorf("pipeline %d has ended as %s: %s", pipeline.ID, pipeline.Status, pipeline.WebURL)
	}
	r.say("pipeline %d succeeded", pipeline.ID)
	r.tested = pipeline.SHA
	return r.checkOwn(ctx)
}

// checkOwn makes sure that what was tested changes nothing but what the bot writes: anyone who can
// push may have pushed to the branch, or have made it before.
func (r *release) checkOwn(ctx context.Context) error {
	changes, _, err := r.client.Repository.Compare(ctx, r.project,
		&serviceapi.CompareOptions{From: r.target, To: r.tested})
	if err != nil {
		return err
	}
	for _, diff := range changes.Diffs {
		if diff.NewPath != "VERSION" && diff.NewPath != "releases/"+r.tag+".md" {
			return fmt.Errorf("%s changes %s, too: have somebody review it", r.branch, diff.NewPath)
		}
	}
	return nil
}

// approve approves the merge request as it was tested. An instance may not let authors approve
// their own: if an approval is required then, somebody else has to give it, before the bot is
// run again.
func (r *release) approve(ctx context.Context) error {
	mr, err := r.client.MergeRequests.WaitUntilPrepared(ctx, r.mergeRequest.Ref())
	if err != nil {
		return err
	}
	r.mergeRequest = mr
	_, _, err = r.client.Approvals.Approve(ctx, mr.Ref(), serviceapi.ApproveOptions{SHA: &r.tested})
	if _, refused := errors.AsType[*serviceapi.ApprovalError](err); refused {
		return r.checkApproved(ctx)
	}
	if err != nil {
		return err
	}
	r.say("approved !%d", mr.IID)
	return nil
}

// checkApproved makes sure that the merge request has all approvals that are required if the bot
// may not give one.
func (r *release) checkApproved(ctx context.Context) error {
	approvals, _, err := r.client.Approvals.Get(ctx, r.mergeRequest.Ref())
	if err != nil {
		return err
	}
	if !approvals.Approved {
		return fmt.Errorf("its author may not approve %s: have somebody else do so, and run this again",
			r.mergeRequest.WebURL)
	}
	r.say("!%d needs no approval by another user", r.mergeRequest.IID)
	return nil
}

// merge merges what was tested, and nothing that was pushed later.
func (r *release) merge(ctx context.Context) error {
	mr, err := r.client.MergeRequests.WaitUntilMergeable(ctx, r.mergeRequest.Ref())
	if err != nil {
		return err
	}
	mr, _, err = r.client.MergeRequests.Merge(ctx, mr.Ref(), serviceapi.MergeOptions{SHA: &r.tested})
	if err != nil {
		return err
	}
	r.mergeRequest, r.merged = mr, mergedAs(mr)
	r.say("merged !%d into %s", mr.IID, r.target)
	return nil
}

// makeTag tags what was merged, whatever was pushed since.
func (r *release) makeTag(ctx context.Context) error {
	tag, _, err := r.client.Tags.Create(ctx, r.project, serviceapi.CreateTagOptions{
		TagName: r.tag, Ref: r.merged, Message: new("Release " + r.version),
	})
	if err != nil {
		return err
	}
	r.say("tagged %s", tag.Name)
	return nil
}

// deploy records the deployment of the tag, unless there is one that has succeeded.
func (r *release) deploy(ctx context.Context) error {
	succeeded := &serviceapi.ListDeploymentsOptions{Environment: r.environment,
		Status: serviceapi.DeploymentStatusSuccess}
	for d, err := range r.client.Deployments.All(ctx, r.project, succeeded) {
		if err != nil {
			return err
		}
		if d.Ref == r.tag && d.SHA == r.merged {
			return nil
		}
	}
	deployment, _, err := r.client.Deployments.Create(ctx, r.project, serviceapi.CreateDeploymentOptions{
		Environment: r.environment, Ref: r.tag, Tag: true, SHA: r.merged,
		Status: serviceapi.DeploymentStatusRunning,
	})
	if err != nil {
		return err
	}
	// A real program would deploy here.
	deployment, _, err = r.client.Deployments.Update(ctx, r.project, deployment.ID,
		serviceapi.UpdateDeploymentOptions{Status: serviceapi.DeploymentStatusSuccess})
	if err != nil {
		return err
	}
	r.say("deployed %s to %s (deployment %d)", r.tag, r.environment, deployment.ID)
	return nil
}

func (r *release) comment(ctx context.Context) error {
	_, _, err := r.client.Notes.CreateForMergeRequest(ctx, r.mergeRequest.Ref(),
		serviceapi.CreateMergeRequestNoteOptions{Body: fmt.Sprintf("Released as %s and deployed to %s.", r.tag,
			r.environment)})
	if err != nil {
		return err
	}
	r.say("commented on !%d", r.mergeRequest.IID)
	return nil
}

// publish makes the release of the tag.
func (r *release) publish(ctx context.Context) error {
	made, _, err := r.client.Releases.Create(ctx, r.project, serviceapi.CreateReleaseOptions{
		TagName: r.tag, Name: new("Release " + r.version), Description: new("Made by release-bot."),
	})
	if err != nil {
		return err
	}
	r.say("released %s with %d archives", made.TagName, len(made.Assets.Sources))
	return nil
}
