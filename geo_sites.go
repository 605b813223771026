package serviceapi

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"time"
)

// GeoSitesService manages the sites of an instance that is copied to several places. Premium. It
// requires an administrator, and the client of the primary site. Since 16.0.
//
// Its options are [CreateGeoSiteOptions], [GetGeoSiteStatusOptions], [ListOptions] and
// [UpdateGeoSiteOptions]. See the example of [GeoSitesService.AllStatuses].
type GeoSitesService service

// List returns one page of the sites.
//
//	GET /geo_sites
func (s *GeoSitesService) List(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*GeoSite, *Response, error) {
	return list[*GeoSite](ctx, using(s), Route("/geo_sites"), queryOf(options), opts)
}

// All returns every site.
//
//	GET /geo_sites
func (s *GeoSitesService) All(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*GeoSite, error] {
	return all[*GeoSite](ctx, using(s), Route("/geo_sites"), queryOf(options), opts)
}

// Get returns a site.
//
//	GET /geo_sites/:id
func (s *GeoSitesService) Get(ctx context.Context, siteID int64, opts ...RequestOption) (*GeoSite, *Response, error) {
	return do[GeoSite](ctx, using(s), http.MethodGet, Route("/geo_sites/:id", siteID), nil, opts)
}

// Create adds a site. The call returns [ErrBadRequest] for a name that is taken or a second primary site.
//
//	POST /geo_sites
func (s *GeoSitesService) Create(
	ctx context.Context, options CreateGeoSiteOptions, opts ...RequestOption,
) (*GeoSite, *Response, error) {
	return do[GeoSite](ctx, using(s), http.MethodPost, Route("/geo_sites"), jsonOf(options), opts)
}

// Update changes a site. The call returns [ErrBadRequest] if the primary site is to be disabled.
//
//	PUT /geo_sites/:id
func (s *GeoSitesService) Update(
	ctx context.Context, siteID int64, options UpdateGeoSiteOptions, opts ...RequestOption,
) (*GeoSite, *Response, error) {
	return do[GeoSite](ctx, using(s), http.MethodPut, Route("/geo_sites/:id", siteID), jsonOf(options), opts)
}

// Delete removes a site.
//
//	DELETE /geo_sites/:id
func (s *GeoSitesService) Delete(ctx context.Context, siteID int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/geo_sites/:id", siteID), nil, opts)
}

// Repair renews the application with which a secondary site signs in to the primary one.
//
//	POST /geo_sites/:id/repair
func (s *GeoSitesService) Repair(
	ctx context.Context, siteID int64, opts ...RequestOption,
) (*GeoSiteStatus, *Response, error) {
	return do[GeoSiteStatus](ctx, using(s), http.MethodPost, Route("/geo_sites/:id/repair", siteID), nil, opts)
}

// ListStatuses returns one page of what the sites last reported.
//
//	GET /geo_sites/status
func (s *GeoSitesService) ListStatuses(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*GeoSiteStatus, *Response, error) {
	return list[*GeoSiteStatus](ctx, using(s), Route("/geo_sites/status"), queryOf(options), opts)
}

// AllStatuses returns what every site last reported.
//
//	GET /geo_sites/status
func (s *GeoSitesService) AllStatuses(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*GeoSiteStatus, error] {
	return all[*GeoSiteStatus](ctx, using(s), Route("/geo_sites/status"), queryOf(options), opts)
}

// GetStatus returns what a site last reported. The call returns [ErrNotFound] if it has not yet.
//
//	GET /geo_sites/:id/status
func (s *GeoSitesService) GetStatus(
	ctx context.Context, siteID int64, options *GetGeoSiteStatusOptions, opts ...RequestOption,
) (*GeoSiteStatus, *Response, error) {
	return do[GeoSiteStatus](ctx, using(s), http.MethodGet,
		Route("/geo_sites/:id/status", siteID), queryOf(options), opts)
}

// GetGeoSiteStatusOptions says which status to return.
type GetGeoSiteStatusOptions struct {
	// Refresh is in the documentation, but releases ignore it.
	Refresh *bool `url:"refresh,omitempty"`
}

// GeoSite is a copy of the instance.
type GeoSite struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	URL         string `json:"url"`
	InternalURL string `json:"internal_url"`
	// Primary is true for the site that the others are copies of, and Current for the one that responded.
	Primary bool `json:"primary"`
	Enabled bool `json:"enabled"`
	Current bool `json:"current"`
	// The capacities are how many things of a kind a secondary site copies or verifies at once.
	FilesMaxCapacity                 int `json:"files_max_capacity"`
	ReposMaxCapacity                 int `json:"repos_max_capacity"`
	VerificationMaxCapacity          int `json:"verification_max_capacity"`
	ContainerRepositoriesMaxCapacity int `json:"container_repositories_max_capacity"`
	// MinimumReverificationInterval is in days.
	MinimumReverificationInterval int `json:"minimum_reverification_interval"`
	// SelectiveSyncType is empty if the site has everything. The lists say what it has otherwise.
	SelectiveSyncType            GeoSelectiveSyncType `json:"selective_sync_type"`
	SelectiveSyncShards          []string             `json:"selective_sync_shards"`
	SelectiveSyncNamespaceIDs    []int64              `json:"selective_sync_namespace_ids"`
	SelectiveSyncOrganizationIDs []int64              `json:"selective_sync_organization_ids"`
	// SyncObjectStorage is nil for the primary site.
	SyncObjectStorage           *bool         `json:"sync_object_storage"`
	WebEditURL                  string        `json:"web_edit_url"`
	WebGeoReplicationDetailsURL string        `json:"web_geo_replication_details_url,omitzero"`
	Links                       *GeoSiteLinks `json:"_links"`
}

// GeoSiteLinks are addresses in the API: a site has all but Site, and a status has Self and Site.
type GeoSiteLinks struct {
	Self   string `json:"self"`
	Status string `json:"status,omitzero"`
	Repair string `json:"repair,omitzero"`
	Site   string `json:"site,omitzero"`
}

// GeoSelectiveSyncType says by what a site chooses what it copies.
type GeoSelectiveSyncType string

// Ways to choose. Only some later releases have organizations.
const (
	GeoSelectiveSyncTypeNamespaces    GeoSelectiveSyncType = "namespaces"
	GeoSelectiveSyncTypeShards        GeoSelectiveSyncType = "shards"
	GeoSelectiveSyncTypeOrganizations GeoSelectiveSyncType = "organizations"
)

// CreateGeoSiteOptions describes a site, as [GeoSite] does. Name and URL are required.
type CreateGeoSiteOptions struct {
	Name string `json:"name" required:"true"`
	URL  string `json:"url" required:"true"`
	// InternalURL is URL by default.
	InternalURL *string `json:"internal_url,omitzero"`
	// Primary is false and Enabled is true by default.
	Primary *bool `json:"primary,omitzero"`
	Enabled *bool `json:"enabled,omitzero"`
	// The defaults are 10, 25, 100 and 10.
	FilesMaxCapacity                 *int                  `json:"files_max_capacity,omitzero"`
	ReposMaxCapacity                 *int                  `json:"repos_max_capacity,omitzero"`
	VerificationMaxCapacity          *int                  `json:"verification_max_capacity,omitzero"`
	ContainerRepositoriesMaxCapacity *int                  `json:"container_repositories_max_capacity,omitzero"`
	MinimumReverificationInterval    *int                  `json:"minimum_reverification_interval,omitzero"`
	SyncObjectStorage                *bool                 `json:"sync_object_storage,omitzero"`
	SelectiveSyncType                *GeoSelectiveSyncType `json:"selective_sync_type,omitzero"`
	SelectiveSyncShards              []string              `json:"selective_sync_shards,omitzero"`
	SelectiveSyncNamespaceIDs        []int64               `json:"selective_sync_namespace_ids,omitzero"`
	SelectiveSyncOrganizationIDs     []int64               `json:"selective_sync_organization_ids,omitzero"`
}

// UpdateGeoSiteOptions changes a [GeoSite]. Nil fields are left unchanged.
type UpdateGeoSiteOptions struct {
	Name                             *string `json:"name,omitzero"`
	URL                              *string `json:"url,omitzero"`
	InternalURL                      *string `json:"internal_url,omitzero"`
	Enabled                          *bool   `json:"enabled,omitzero"`
	FilesMaxCapacity                 *int    `json:"files_max_capacity,omitzero"`
	ReposMaxCapacity                 *int    `json:"repos_max_capacity,omitzero"`
	VerificationMaxCapacity          *int    `json:"verification_max_capacity,omitzero"`
	ContainerRepositoriesMaxCapacity *int    `json:"container_repositories_max_capacity,omitzero"`
	MinimumReverificationInterval    *int    `json:"minimum_reverification_interval,omitzero"`
	SyncObjectStorage                *bool   `json:"sync_object_storage,omitzero"`
	// SelectiveSyncType is null to copy everything. The lists replace those of the site.
	SelectiveSyncType            Nullable[GeoSelectiveSyncType] `json:"selective_sync_type,omitzero"`
	SelectiveSyncShards          []string                       `json:"selective_sync_shards,omitzero"`
	SelectiveSyncNamespaceIDs    []int64                        `json:"selective_sync_namespace_ids,omitzero"`
	SelectiveSyncOrganizationIDs []int64                        `json:"selective_sync_organization_ids,omitzero"`
}

// GeoSiteStatus is what a site last reported. Numbers that the site does not count are nil. Percentages
// are texts, such as "99.50%", and timestamps are in seconds since 1970, 0 for unknown.
type GeoSiteStatus struct {
	SiteID int64 `json:"geo_node_id"`
	// Healthy is false if HealthStatus is, or if the last report is older than an hour. Health says
	// what is wrong, and is "Healthy" otherwise.
	Healthy                 bool   `json:"healthy"`
	Health                  string `json:"health"`
	HealthStatus            string `json:"health_status"`
	MissingOAuthApplication bool   `json:"missing_oauth_application"`
	// Counts has the numbers for each type of data, such as "lfs_objects". Those of checksums are
	// from the primary site, and those of what is copied and verified from the others.
	Counts                                  map[string]*GeoSiteCounts `json:"-"`
	ProjectsCount                           *int                      `json:"projects_count"`
	ContainerRepositoriesReplicationEnabled *bool                     `json:"container_repositories_replication_enabled"`
	RepositoriesCount                       *int                      `json:"repositories_count"`
	RepositoriesCheckedCount                *int                      `json:"repositories_checked_count"`
	RepositoriesCheckedFailedCount          *int                      `json:"repositories_checked_failed_count"`
	RepositoriesCheckedInPercentage         string                    `json:"repositories_checked_in_percentage"`
	GitFetchEventCountWeekly                *int                      `json:"git_fetch_event_count_weekly"`
	GitPushEventCountWeekly                 *int                      `json:"git_push_event_count_weekly"`
	ProxyRemoteRequestsEventCountWeekly     *int                      `json:"proxy_remote_requests_event_count_weekly"`
	ProxyLocalRequestsEventCountWeekly      *int                      `json:"proxy_local_requests_event_count_weekly"`
	ReplicationSlotsCount                   *int                      `json:"replication_slots_count"`
	ReplicationSlotsUsedCount               *int                      `json:"replication_slots_used_count"`
	ReplicationSlotsUsedInPercentage        string                    `json:"replication_slots_used_in_percentage"`
	// ReplicationSlotsMaxRetainedWALBytes is in bytes.
	ReplicationSlotsMaxRetainedWALBytes *int64               `json:"replication_slots_max_retained_wal_bytes"`
	DBReplicationLagSeconds             *int64               `json:"db_replication_lag_seconds"`
	LastEventID                         *int64               `json:"last_event_id"`
	LastEventTimestamp                  int64                `json:"last_event_timestamp"`
	CursorLastEventID                   *int64               `json:"cursor_last_event_id"`
	CursorLastEventTimestamp            int64                `json:"cursor_last_event_timestamp"`
	LastSuccessfulStatusCheckTimestamp  int64                `json:"last_successful_status_check_timestamp"`
	Version                             string               `json:"version"`
	Revision                            string               `json:"revision"`
	SelectiveSyncType                   GeoSelectiveSyncType `json:"selective_sync_type"`
	// Namespaces are those that the site copies.
	Namespaces []*NamespaceSummary `json:"namespaces,omitzero"`
	UpdatedAt  time.Time           `json:"updated_at"`
	// StorageShards is empty if they are not known.
	StorageShards      []*GeoStorageShard `json:"storage_shards,omitzero"`
	StorageShardsMatch bool               `json:"storage_shards_match"`
	Links              *GeoSiteLinks      `json:"_links"`
	// Extra holds all members that have no field here, by name.
	Extra map[string]json.RawMessage `json:"-"`
}

// GeoStorageShard is a storage of repositories.
type GeoStorageShard struct {
	Name string `json:"name"`
}

// GeoSiteCounts are numbers for one type of data.
type GeoSiteCounts struct {
	Count                *int   `json:"count"`
	ChecksumTotal        *int   `json:"checksum_total_count"`
	Checksummed          *int   `json:"checksummed_count"`
	ChecksumFailed       *int   `json:"checksum_failed_count"`
	Registry             *int   `json:"registry_count"`
	Synced               *int   `json:"synced_count"`
	Failed               *int   `json:"failed_count"`
	VerificationTotal    *int   `json:"verification_total_count"`
	Verified             *int   `json:"verified_count"`
	VerificationFailed   *int   `json:"verification_failed_count"`
	SyncedInPercentage   string `json:"synced_in_percentage"`
	VerifiedInPercentage string `json:"verified_in_percentage"`
}

// geoCount matches the member for a number of one type of data: the type, and the name in GeoSiteCounts.
var geoCount = regexp.MustCompile(`^(.+?)_(((checksum|verification)_(total|failed)_|` +
	`(checksummed|registry|synced|failed|verified)_)?count|(synced|verified)_in_percentage)$`)

// UnmarshalJSON decodes the members that have a field, takes those that are named after a type of data
// for its counts, and keeps the others.
func (s *GeoSiteStatus) UnmarshalJSON(data []byte) error {
	type plain GeoSiteStatus
	err := decodeWithExtra(data, (*plain)(s), &s.Extra)
	for _, member := range slices.Sorted(maps.Keys(s.Extra)) {
		if parts := geoCount.FindStringSubmatch(member); parts != nil {
			object, _ := json.Marshal(map[string]any{parts[1]: map[string]any{parts[2]: s.Extra[member]}})
			err = cmp.Or(err, unmarshalMembers(object, &s.Counts))
			delete(s.Extra, member)
		}
	}
	if len(s.Extra) == 0 {
		s.Extra = nil
	}
	return err
}

// MarshalJSON encodes the members as the service does.
func (s GeoSiteStatus) MarshalJSON() ([]byte, error) {
	type plain GeoSiteStatus
	members := map[string]json.RawMessage{}
	maps.Copy(members, s.Extra)
	for kind, counts := range s.Counts {
		for field, value := range reflect.ValueOf(orZero(counts)).Elem().Fields() {
			members[kind+"_"+field.Tag.Get("json")], _ = json.Marshal(value.Interface())
		}
	}
	return encodeWithExtra(plain(s), members)
}
