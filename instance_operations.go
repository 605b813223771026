package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// SidekiqService says what the background jobs of the instance are doing. It requires an administrator.
//
// Its options are [DeleteSidekiqJobsOptions]. See the example of [SidekiqService.GetMetrics].
type SidekiqService service

// GetMetrics returns the queues, the processes and the jobs.
//
//	GET /sidekiq/compound_metrics
func (s *SidekiqService) GetMetrics(ctx context.Context, opts ...RequestOption) (*SidekiqMetrics, *Response, error) {
	return do[SidekiqMetrics](ctx, using(s), http.MethodGet, Route("/sidekiq/compound_metrics"), nil, opts)
}

// GetQueues returns only the queues.
//
//	GET /sidekiq/queue_metrics
func (s *SidekiqService) GetQueues(ctx context.Context, opts ...RequestOption) (*SidekiqMetrics, *Response, error) {
	return do[SidekiqMetrics](ctx, using(s), http.MethodGet, Route("/sidekiq/queue_metrics"), nil, opts)
}

// GetProcesses returns only the processes.
//
//	GET /sidekiq/process_metrics
func (s *SidekiqService) GetProcesses(ctx context.Context, opts ...RequestOption) (*SidekiqMetrics, *Response, error) {
	return do[SidekiqMetrics](ctx, using(s), http.MethodGet, Route("/sidekiq/process_metrics"), nil, opts)
}

// GetJobs returns only the numbers of jobs.
//
//	GET /sidekiq/job_stats
func (s *SidekiqService) GetJobs(ctx context.Context, opts ...RequestOption) (*SidekiqMetrics, *Response, error) {
	return do[SidekiqMetrics](ctx, using(s), http.MethodGet, Route("/sidekiq/job_stats"), nil, opts)
}

// DeleteJobs deletes the jobs in a queue that all of the options describe. The call returns
// [ErrBadRequest] without any, and [ErrNotFound] if there is no such queue. The service works for 30
// seconds: call it again until the result is Completed.
//
//	DELETE /admin/sidekiq/queues/:queue_name
func (s *SidekiqService) DeleteJobs(
	ctx context.Context, queue string, options *DeleteSidekiqJobsOptions, opts ...RequestOption,
) (*SidekiqDeletion, *Response, error) {
	return do[SidekiqDeletion](ctx, using(s), http.MethodDelete,
		Route("/admin/sidekiq/queues/:queue_name", queue), queryOf(options), opts)
}

// SidekiqMetrics are numbers of the moment. Parts that were not asked for are nil.
type SidekiqMetrics struct {
	// Queues has the queues by their names.
	Queues    map[string]*SidekiqQueue `json:"queues"`
	Processes []*SidekiqProcess        `json:"processes"`
	Jobs      *SidekiqJobs             `json:"jobs"`
}

// SidekiqQueue is a queue of jobs.
type SidekiqQueue struct {
	// Backlog is the number of jobs that wait, and Latency for how many seconds the oldest has.
	Backlog int   `json:"backlog"`
	Latency int64 `json:"latency"`
}

// SidekiqProcess is a process that does jobs: Busy of up to Concurrency at once.
type SidekiqProcess struct {
	Hostname    string    `json:"hostname"`
	PID         int       `json:"pid"`
	Tag         string    `json:"tag"`
	StartedAt   time.Time `json:"started_at"`
	Queues      []string  `json:"queues"`
	Labels      []string  `json:"labels"`
	Concurrency int       `json:"concurrency"`
	Busy        int       `json:"busy"`
}

// SidekiqJobs are numbers of jobs.
type SidekiqJobs struct {
	Processed int64 `json:"processed"`
	Failed    int64 `json:"failed"`
	Enqueued  int64 `json:"enqueued"`
	// Dead is nil in older releases.
	Dead *int64 `json:"dead"`
}

// DeleteSidekiqJobsOptions describes jobs by what they were started for.
type DeleteSidekiqJobsOptions struct {
	// User, Project and RootNamespace are a username and paths.
	User             string `url:"user,omitempty"`
	UserID           int64  `url:"user_id,omitempty"`
	Project          string `url:"project,omitempty"`
	RootNamespace    string `url:"root_namespace,omitempty"`
	OrganizationID   int64  `url:"organization_id,omitempty"`
	SubscriptionPlan string `url:"subscription_plan,omitempty"`
	// CallerID is the endpoint, the page or the job that started them, and ClientID is such as
	// "user/5" or "ip/192.0.2.1".
	CallerID        string `url:"caller_id,omitempty"`
	ClientID        string `url:"client_id,omitempty"`
	JobID           int64  `url:"job_id,omitempty"`
	PipelineID      int64  `url:"pipeline_id,omitempty"`
	FeatureCategory string `url:"feature_category,omitempty"`
	WorkerClass     string `url:"worker_class,omitempty"`
}

// SidekiqDeletion is the result of deleting jobs.
type SidekiqDeletion struct {
	// Completed is false if the time did not suffice.
	Completed   bool `json:"completed"`
	DeletedJobs int  `json:"deleted_jobs"`
	// QueueSize is the number of jobs that are left in the queue.
	QueueSize int `json:"queue_size"`
}

// MigrationsService follows the changes of the databases and of the search index that an upgrade
// brings. It requires an administrator of a self-managed instance.
//
// Its options are [GetBatchedMigrationOptions], [ListBatchedMigrationsOptions], [ListOptions]
// and [MigrationDatabaseOptions]. See the example of [MigrationsService.AllBatched].
type MigrationsService service

// Mark marks a migration as done, so that it is not run. The version is its timestamp of 14 digits.
// The call returns [ErrUnprocessable] unless the migration is pending. Since 16.2.
//
//	POST /admin/migrations/:version/mark
func (s *MigrationsService) Mark(
	ctx context.Context, version int64, options MigrationDatabaseOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/admin/migrations/:version/mark", version), jsonOf(options), opts)
}

// ListBatched returns the newest 20 migrations that work in the background, the newest first.
//
//	GET /admin/batched_background_migrations
func (s *MigrationsService) ListBatched(
	ctx context.Context, options *ListBatchedMigrationsOptions, opts ...RequestOption,
) ([]*BatchedMigration, *Response, error) {
	return list[*BatchedMigration](ctx, using(s), Route("/admin/batched_background_migrations"), queryOf(options), opts)
}

// AllBatched returns the migrations of [MigrationsService.ListBatched].
//
//	GET /admin/batched_background_migrations
func (s *MigrationsService) AllBatched(
	ctx context.Context, options *ListBatchedMigrationsOptions, opts ...RequestOption,
) iter.Seq2[*BatchedMigration, error] {
	return all[*BatchedMigration](ctx, using(s), Route("/admin/batched_background_migrations"), queryOf(options), opts)
}

// GetBatched returns a migration that works in the background.
//
//	GET /admin/batched_background_migrations/:id
func (s *MigrationsService) GetBatched(
	ctx context.Context, migrationID int64, options *GetBatchedMigrationOptions, opts ...RequestOption,
) (*BatchedMigration, *Response, error) {
	return do[BatchedMigration](ctx, using(s), http.MethodGet,
		Route("/admin/batched_background_migrations/:id", migrationID), queryOf(options), opts)
}

// PauseBatched pauses a migration. The call returns [ErrUnprocessable] unless it is active.
//
//	PUT /admin/batched_background_migrations/:id/pause
func (s *MigrationsService) PauseBatched(
	ctx context.Context, migrationID int64, options MigrationDatabaseOptions, opts ...RequestOption,
) (*BatchedMigration, *Response, error) {
	return do[BatchedMigration](ctx, using(s), http.MethodPut,
		Route("/admin/batched_background_migrations/:id/pause", migrationID), jsonOf(options), opts)
}

// ResumeBatched resumes a migration. The call returns [ErrUnprocessable] unless it is paused.
//
//	PUT /admin/batched_background_migrations/:id/resume
func (s *MigrationsService) ResumeBatched(
	ctx context.Context, migrationID int64, options MigrationDatabaseOptions, opts ...RequestOption,
) (*BatchedMigration, *Response, error) {
	return do[BatchedMigration](ctx, using(s), http.MethodPut,
		Route("/admin/batched_background_migrations/:id/resume", migrationID), jsonOf(options), opts)
}

// ListSearch returns one page of the migrations of the search index. The service returns all of them
// at once. Premium. The call returns [ErrBadRequest] if nothing is indexed.
//
//	GET /admin/search/migrations
func (s *MigrationsService) ListSearch(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*SearchMigration, *Response, error) {
	return list[*SearchMigration](ctx, using(s), Route("/admin/search/migrations"), queryOf(options), opts)
}

// AllSearch returns every migration of the search index. See [MigrationsService.ListSearch].
//
//	GET /admin/search/migrations
func (s *MigrationsService) AllSearch(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*SearchMigration, error] {
	return all[*SearchMigration](ctx, using(s), Route("/admin/search/migrations"), queryOf(options), opts)
}

// GetSearch returns the migration of the search index with a version or a name. Premium.
//
//	GET /admin/search/migrations/:version_or_name
func (s *MigrationsService) GetSearch(
	ctx context.Context, versionOrName string, opts ...RequestOption,
) (*SearchMigration, *Response, error) {
	return do[SearchMigration](ctx, using(s), http.MethodGet,
		Route("/admin/search/migrations/:version_or_name", versionOrName), nil, opts)
}

// MigrationDatabaseOptions names the database of a migration.
type MigrationDatabaseOptions struct {
	// Database is "main" by default. Others, such as "ci", are those of the instance.
	Database *string `json:"database,omitzero"`
}

// GetBatchedMigrationOptions names the database of a migration.
type GetBatchedMigrationOptions struct {
	// Database is "main" by default.
	Database string `url:"database,omitempty"`
}

// ListBatchedMigrationsOptions selects migrations.
type ListBatchedMigrationsOptions struct {
	ListOptions

	// Database is "main" by default.
	Database string `url:"database,omitempty"`
	// JobClassName selects those with a class. Later releases have it.
	JobClassName string `url:"job_class_name,omitempty"`
}

// BatchedMigration changes the rows of a table in the background.
type BatchedMigration struct {
	ID           int64                  `json:"id"`
	JobClassName string                 `json:"job_class_name"`
	TableName    string                 `json:"table_name"`
	ColumnName   string                 `json:"column_name"`
	Status       BatchedMigrationStatus `json:"status"`
	// Progress is a percentage, nil if it is not known.
	Progress  *float64  `json:"progress"`
	CreatedAt time.Time `json:"created_at"`
	// EstimatedTimeRemaining is in words, such as "1 day". It is empty if it is not known.
	EstimatedTimeRemaining string `json:"estimated_time_remaining"`
}

// BatchedMigrationStatus is the status of a migration that works in the background.
type BatchedMigrationStatus string

// Statuses of migrations. A finished one has done its work, and a finalized one is no longer needed.
const (
	BatchedMigrationStatusPaused     BatchedMigrationStatus = "paused"
	BatchedMigrationStatusActive     BatchedMigrationStatus = "active"
	BatchedMigrationStatusFinished   BatchedMigrationStatus = "finished"
	BatchedMigrationStatusFailed     BatchedMigrationStatus = "failed"
	BatchedMigrationStatusFinalizing BatchedMigrationStatus = "finalizing"
	BatchedMigrationStatusFinalized  BatchedMigrationStatus = "finalized"
)

// SearchMigration changes the search index.
type SearchMigration struct {
	Version int64  `json:"version"`
	Name    string `json:"name"`
	// StartedAt and CompletedAt are nil before.
	StartedAt   *time.Time `json:"started_at"`
	CompletedAt *time.Time `json:"completed_at"`
	Completed   bool       `json:"completed"`
	Obsolete    bool       `json:"obsolete"`
	// MigrationState is an object with members of the migration's own.
	MigrationState json.RawMessage `json:"migration_state,omitzero"`
}

// UsageDataService reads what the instance counts about its use, and counts events of programs.
//
// Its options are [DownloadMetricDefinitionsOptions], [TrackEventOptions] and
// [TrackEventsOptions]. See the example of [UsageDataService.TrackEvents].
type UsageDataService service

// GetServicePing returns the counts that the instance last reported, nil if it has not yet. It requires
// an administrator, and a token with the scope [AccessScopeAPI] or "read_service_ping". Since 16.9.
//
//	GET /usage_data/service_ping
func (s *UsageDataService) GetServicePing(ctx context.Context, opts ...RequestOption) (*UsageData, *Response, error) {
	return orNoMembers(do[UsageData](ctx, using(s), http.MethodGet, Route("/usage_data/service_ping"), nil, opts))
}

// DownloadMetricDefinitions returns what the counts mean, as YAML. It needs no credential.
//
//	GET /usage_data/metric_definitions
func (s *UsageDataService) DownloadMetricDefinitions(
	ctx context.Context, options *DownloadMetricDefinitionsOptions, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route("/usage_data/metric_definitions").withoutHTML(), queryOf(options), opts)
}

// GetQueries returns the queries in SQL that count. It requires an administrator, and the call returns
// [ErrNotFound] unless a feature of the instance is on, which it is not by default.
//
//	GET /usage_data/queries
func (s *UsageDataService) GetQueries(ctx context.Context, opts ...RequestOption) (*UsageData, *Response, error) {
	return do[UsageData](ctx, using(s), http.MethodGet, Route("/usage_data/queries"), nil, opts)
}

// GetNonSQLMetrics returns the counts that no query makes. -3 is unknown. See
// [UsageDataService.GetQueries] for what it requires.
//
//	GET /usage_data/non_sql_metrics
func (s *UsageDataService) GetNonSQLMetrics(ctx context.Context, opts ...RequestOption) (*UsageData, *Response, error) {
	return do[UsageData](ctx, using(s), http.MethodGet, Route("/usage_data/non_sql_metrics"), nil, opts)
}

// TrackEvent counts an event. It requires the scope [AccessScopeAPI] or "ai_workflows". Since 16.2.
//
//	POST /usage_data/track_event
func (s *UsageDataService) TrackEvent(
	ctx context.Context, options TrackEventOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/usage_data/track_event"), jsonOf(options), opts)
}

// TrackEvents counts up to 50 events. Since 17.3. See [UsageDataService.TrackEvent].
//
//	POST /usage_data/track_events
func (s *UsageDataService) TrackEvents(
	ctx context.Context, options TrackEventsOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/usage_data/track_events"), jsonOf(options), opts)
}

// DownloadMetricDefinitionsOptions says what to download.
type DownloadMetricDefinitionsOptions struct {
	// IncludePaths adds the paths of the files with the definitions.
	IncludePaths *bool `url:"include_paths,omitempty"`
}

// TrackEventOptions is an event. Event is required.
type TrackEventOptions struct {
	// Event is a name that the service knows.
	Event       string `json:"event" required:"true"`
	NamespaceID *int64 `json:"namespace_id,omitzero"`
	ProjectID   *int64 `json:"project_id,omitzero"`
	// AdditionalProperties is an object. Some names have a meaning for the service, such as "label".
	AdditionalProperties json.RawMessage `json:"additional_properties,omitzero"`
	// SendToSnowplow also sends the event to the maker of the service.
	SendToSnowplow *bool `json:"send_to_snowplow,omitzero"`
}

// TrackEventsOptions are events. Events is required.
type TrackEventsOptions struct {
	Events []TrackEventOptions `json:"events" required:"true"`
}

// UsageData is what the instance counts. Its members differ by release: most are in Extra.
type UsageData struct {
	// RecordedAt is nil if the response leaves it out.
	RecordedAt *time.Time `json:"recorded_at"`
	Version    string     `json:"version"`
	// License is an object, and Counts has numbers by their names, or queries in SQL.
	License json.RawMessage            `json:"license,omitzero"`
	Counts  map[string]json.RawMessage `json:"counts,omitzero"`
	// Extra holds all members that have no field here, by name.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (u *UsageData) UnmarshalJSON(data []byte) error {
	type plain UsageData
	return decodeWithExtra(data, (*plain)(u), &u.Extra)
}

// MarshalJSON encodes the members that have a field, and the others.
func (u UsageData) MarshalJSON() ([]byte, error) {
	type plain UsageData
	return encodeWithExtra(plain(u), u.Extra)
}

// TokenInformationService says whose a token of any kind is, and ends it: for tokens that leaked. It requires
// an administrator. The token is only in the body of the request, in no error, log or dump. Since 17.5.
//
// Its options are [AnyTokenOptions]. See the example of [TokenInformationService.Get].
type TokenInformationService service

// AnyTokenOptions has a token. Token is required.
type AnyTokenOptions struct {
	Token Secret `json:"token" required:"true"`
}

// Get returns what the service knows of a token: an access token, a deploy token, the token of a feed
// or of incoming mail, a session cookie, the secret of an OAuth application, the token of an agent,
// a runner, a trigger, a job or feature flags. The call returns [ErrNotFound] if there is no such
// token, and [ErrUnprocessable] if its prefix is that of no kind.
//
//	POST /admin/token
func (s *TokenInformationService) Get(
	ctx context.Context, options AnyTokenOptions, opts ...RequestOption,
) (*TokenInformation, *Response, error) {
	return do[TokenInformation](ctx, using(s), http.MethodPost, Route("/admin/token"), jsonOf(options), opts)
}

// Revoke ends a token: it revokes it, or replaces it by another one where the owner cannot be without,
// as of feeds, mail, applications, runners and feature flags. Since 17.7. The call returns
// [ErrUnprocessable] for the token of a job. It also ends the token that it is made with.
//
//	DELETE /admin/token
func (s *TokenInformationService) Revoke(
	ctx context.Context, options AnyTokenOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/admin/token"), jsonOf(options), opts)
}

// TokenInformation is the object that a token belongs to. It is that of another area for each kind of
// token, and no member tells the kind.
type TokenInformation struct {
	// ID is that of the token or of the object that it is of, such as the user of a feed. It is nil
	// for some kinds, such as that of a job.
	ID *int64 `json:"id"`
	// UserID is the user whom an access token belongs to, nil for other kinds.
	UserID *int64   `json:"user_id"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes,omitzero"`
	// Revoked, Active and ExpiresAt are nil for kinds that do not have them.
	Revoked   *bool `json:"revoked"`
	Active    *bool `json:"active"`
	ExpiresAt *Date `json:"expires_at"`
	// Token is that of a trigger, whole only for its owner.
	Token Secret `json:"token,omitzero"`
	// Extra holds all other members, by name. It may contain secrets, which printing or encoding it reveals.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (t *TokenInformation) UnmarshalJSON(data []byte) error {
	type plain TokenInformation
	return decodeWithExtra(data, (*plain)(t), &t.Extra)
}

// MarshalJSON encodes the members that have a field, and the others.
func (t TokenInformation) MarshalJSON() ([]byte, error) {
	type plain TokenInformation
	return encodeWithExtra(plain(t), t.Extra)
}
