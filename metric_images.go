package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// MetricImagesService manages pictures of what was measured during an incident, or when an alert
// began. Those of incidents are Premium. Adding requires the Developer role.
//
// Its options are [CreateMetricImageOptions], [ListOptions] and [UpdateMetricImageOptions]. See
// the example of [MetricImagesService.Create].
type MetricImagesService service

// MetricImageOwner is an [IssueRef], of an incident, or an [AlertRef].
type MetricImageOwner interface{ hasMetricImages() }

func (IssueRef) hasMetricImages() {}
func (AlertRef) hasMetricImages() {}

// MetricImage is a picture of what was measured.
type MetricImage struct {
	ID        int64     `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	Filename  string    `json:"filename"`
	// FilePath is the path of the picture on the instance.
	FilePath string `json:"file_path"`
	// URL is a page with more about it, and URLText the text of the link. Each is empty if
	// there is none.
	URL     string `json:"url"`
	URLText string `json:"url_text"`
}

const oneMetricImage = "/metric_images/:image_id"

// List returns the metric images of an incident or an alert, oldest first. The service sends all
// of them at once. Other issues have none: for them, the call returns [ErrForbidden].
//
//	GET /projects/:id/issues/:issue_iid/metric_images
//	GET /projects/:id/alert_management_alerts/:alert_iid/metric_images
func (s *MetricImagesService) List(
	ctx context.Context, owner MetricImageOwner, options *ListOptions, opts ...RequestOption,
) ([]*MetricImage, *Response, error) {
	return list[*MetricImage](ctx, using(s), below(owner, "/metric_images"), queryOf(options), opts)
}

// All returns every metric image of an incident or an alert, oldest first.
//
//	GET /projects/:id/issues/:issue_iid/metric_images
//	GET /projects/:id/alert_management_alerts/:alert_iid/metric_images
func (s *MetricImagesService) All(
	ctx context.Context, owner MetricImageOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MetricImage, error] {
	return all[*MetricImage](ctx, using(s), below(owner, "/metric_images"), queryOf(options), opts)
}

// Create uploads a metric image. The call returns [ErrForbidden] if the caller may not, or if the
// issue is no incident, and [ErrBadRequest] if the file is larger than 1 MiB.
//
//	POST /projects/:id/issues/:issue_iid/metric_images
//	POST /projects/:id/alert_management_alerts/:alert_iid/metric_images
func (s *MetricImagesService) Create(
	ctx context.Context, owner MetricImageOwner, options CreateMetricImageOptions, opts ...RequestOption,
) (*MetricImage, *Response, error) {
	return do[MetricImage](ctx, using(s), http.MethodPost,
		below(owner, "/metric_images"), multipartOf(options, "file", options.File), opts)
}

// Update changes the link of a metric image.
//
//	PUT /projects/:id/issues/:issue_iid/metric_images/:image_id
//	PUT /projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id
func (s *MetricImagesService) Update(
	ctx context.Context, owner MetricImageOwner, imageID int64, options UpdateMetricImageOptions, opts ...RequestOption,
) (*MetricImage, *Response, error) {
	return do[MetricImage](ctx, using(s), http.MethodPut, below(owner, oneMetricImage, imageID), jsonOf(options), opts)
}

// Delete deletes a metric image.
//
//	DELETE /projects/:id/issues/:issue_iid/metric_images/:image_id
//	DELETE /projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id
func (s *MetricImagesService) Delete(
	ctx context.Context, owner MetricImageOwner, imageID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, oneMetricImage, imageID), nil, opts)
}

// CreateMetricImageOptions describes a new metric image.
type CreateMetricImageOptions struct {
	// File is an image of at most 1 MiB. It is required.
	File Upload `json:"-" url:"file" required:"true"`
	// URL is a page with more about it, of at most 255 characters, and URLText the text of
	// the link, of at most 128.
	URL     *string `json:"url,omitzero"`
	URLText *string `json:"url_text,omitzero"`
}

// UpdateMetricImageOptions changes the link of a metric image. Nil fields are left
// unchanged.
type UpdateMetricImageOptions struct {
	// URL and URLText are as in [CreateMetricImageOptions].
	URL     *string `json:"url,omitzero"`
	URLText *string `json:"url_text,omitzero"`
}
