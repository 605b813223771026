package servicetest

import (
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A geoSite is a copy of the instance. It reports its status when it is made, if it is enabled, and
// when it is repaired.
type geoSite struct {
	record[*Service]

	name, url, internal, syncType      string
	primary, enabled, objects          bool
	files, repos, verification, images int64
	interval                           int64
	shards                             []string
	groups, organizations              []int64
	reported                           time.Time // zero means never
}

var geoSites = shelved(collection.Table[*call, *Service, geoSite]{
	Name: "GeoSite", Param: "id", Home: (*call).service,
	Fields: numbered(
		collection.Text("name", func(s *geoSite) *string { return &s.name }).Required(),
		collection.Text("url", func(s *geoSite) *string { return &s.url }).Required(),
		collection.Text("internal_url", func(s *geoSite) *string { return &s.internal }),
		collection.Flag("primary", func(s *geoSite) *bool { return &s.primary }).Once(),
		collection.Flag("enabled", func(s *geoSite) *bool { return &s.enabled }),
		collection.Shown("current", func(s *geoSite) bool { return s.primary }),
		collection.Number("files_max_capacity", func(s *geoSite) *int64 { return &s.files }).Least(0),
		collection.Number("repos_max_capacity", func(s *geoSite) *int64 { return &s.repos }).Least(0),
		collection.Number("verification_max_capacity", func(s *geoSite) *int64 { return &s.verification }).Least(0),
		collection.Number("container_repositories_max_capacity", func(s *geoSite) *int64 { return &s.images }).Least(0),
		collection.Number("minimum_reverification_interval", func(s *geoSite) *int64 { return &s.interval }).Least(1),
		collection.Note("selective_sync_type", func(s *geoSite) *string { return &s.syncType }),
		collection.Value("selective_sync_shards", fields.SplitStrings, func(s *geoSite) *[]string { return &s.shards }),
		collection.Value("selective_sync_namespace_ids", fields.Int64s, func(s *geoSite) *[]int64 { return &s.groups }),
		collection.Value("selective_sync_organization_ids", fields.Int64s,
			func(s *geoSite) *[]int64 { return &s.organizations }),
		collection.Flag("sync_object_storage", func(s *geoSite) *bool { return &s.objects }).Unseen(),
	),
	New: func(*call, *Service) *geoSite {
		return &geoSite{enabled: true, files: 10, repos: 25, verification: 100, images: 10, interval: 90,
			shards: []string{}, groups: []int64{}, organizations: []int64{}}
	},
	Read: func(c *call, _ *Service, s *geoSite, making bool) {
		frame.AcceptIn(c.StringIn, "selective_sync_type", "namespaces", "shards", "organizations")
		if making && s.enabled {
			s.reported = c.now()
		}
		s.url = withSlash(s.url)
		s.internal = withSlash(either(s.internal, s.url))
	},
	Check: (*call).checkGeoSite,
	Extra: func(c *call, _ *Service, s *geoSite, form *collection.Form) {
		if !s.primary {
			form.Add("sync_object_storage", s.objects)
			form.Add("web_geo_replication_details_url",
				c.svc.webURL("admin/geo/sites", frame.Itoa(s.id), "replication/lfs_objects"))
		}
		form.Add("web_edit_url", c.svc.webURL("admin/geo/sites", frame.Itoa(s.id), "edit"))
		form.Add("_links", object{"self": s.link(c, ""), "status": s.link(c, "/status"),
			"repair": s.link(c, "/repair")})
	},
})

func withSlash(address string) string { return strings.TrimRight(address, "/") + "/" }

func (s *geoSite) link(c *call, suffix string) string {
	return c.svc.webURL("api/v4/geo_sites", frame.Itoa(s.id)+suffix)
}

func (c *call) checkGeoSite(svc *Service, s, before *geoSite) *reply {
	for _, other := range without(recordsOf[geoSite](svc, svc), before) {
		switch {
		case strings.EqualFold(other.name, s.name):
			return frame.FieldErrors("name", "has already been taken")
		case other.primary && s.primary:
			return frame.FieldErrors("primary", "node already exists")
		}
	}
	if s.primary && !s.enabled {
		return frame.FieldErrors("enabled", "Geo primary node cannot be disabled")
	}
	return nil
}

// geoTypes are the types of data that sites copy.
var geoTypes = strings.Fields("ci_secure_files container_repositories dependency_proxy_blobs " +
	"dependency_proxy_manifests design_management_repositories group_wiki_repositories job_artifacts lfs_objects " +
	"merge_request_diffs package_files pages_deployments pipeline_artifacts project_repositories " +
	"project_wiki_repositories snippet_repositories terraform_state_versions uploads")

// status returns what the site last reported.
func (s *geoSite) status(c *call) object {
	healthy := c.now().Sub(s.reported) <= time.Hour
	condition := map[bool]string{true: "Healthy", false: "Unhealthy"}[healthy]
	projects, at := c.svc.projects.len(), s.reported.Unix()
	copied := c.svc.groups.all(func(g *Group) bool { return slices.Contains(s.groups, g.id) })
	form := object{
		"geo_node_id": s.id, "projects_count": projects, "container_repositories_replication_enabled": nil,
		"git_fetch_event_count_weekly": nil, "git_push_event_count_weekly": nil,
		"proxy_remote_requests_event_count_weekly": nil, "proxy_local_requests_event_count_weekly": nil,
		"repositories_count": projects, "repositories_checked_count": 0, "repositories_checked_failed_count": 0,
		"repositories_checked_in_percentage": "0.00%", "replication_slots_used_in_percentage": "0.00%",
		"replication_slots_count": nil, "replication_slots_used_count": nil,
		"replication_slots_max_retained_wal_bytes": nil, "healthy": healthy, "health": condition,
		"health_status": condition, "missing_oauth_application": false, "db_replication_lag_seconds": nil,
		"last_event_id": nil, "last_event_timestamp": 0, "cursor_last_event_id": nil, "cursor_last_event_timestamp": 0,
		"last_successful_status_check_timestamp": at, "version": c.svc.settings.version, "revision": "abc1234",
		"selective_sync_type": jsonText(s.syncType), "updated_at": jsonTime(s.reported),
		"namespaces":     mapped(copied, func(g *Group) *namespaceJSON { return namespace{group: g}.form() }),
		"storage_shards": []object{{"name": "default"}}, "storage_shards_match": true,
		"_links": object{"self": s.link(c, "/status"), "site": s.link(c, "")},
	}
	for _, kind := range geoTypes {
		count := map[bool]int{true: projects}[kind == "project_repositories"]
		form[kind+"_count"] = count
		for _, name := range strings.Fields("checksum_total checksummed checksum_failed synced failed registry " +
			"verification_total verified verification_failed") {
			form[kind+"_"+name+"_count"] = nil
			if strings.HasPrefix(name, "checksum") == s.primary {
				form[kind+"_"+name+"_count"] = map[bool]int{false: count}[strings.HasSuffix(name, "failed")]
			}
		}
		percent := map[bool]string{true: "0.00%", false: "100.00%"}[s.primary || count == 0]
		form[kind+"_synced_in_percentage"], form[kind+"_verified_in_percentage"] = percent, percent
	}
	return form
}

func listGeoStatuses(c *call) *reply {
	reporting := only(recordsOf[geoSite](c.svc, c.svc), func(s *geoSite) bool { return !s.reported.IsZero() })
	return frame.ListOf(c, reporting, func(s *geoSite) object { return s.status(c) })
}

func getGeoStatus(c *call, _ *Service, s *geoSite) *reply {
	frame.Accept(c.Bool, "refresh")
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case s.reported.IsZero():
		return frame.NotFound("GeoSite")
	}
	return c.OK(s.status(c))
}

func repairGeoSite(c *call, _ *Service, s *geoSite) *reply {
	s.reported = c.now()
	return c.OK(s.status(c))
}
