package serviceapi

// JobOrderBy is what a list of jobs is ordered by. It is a type although the
// service has only one order today: the service takes a Sort only together with
// an order, and another order needs no other name.
type JobOrderBy string

// JobOrderByID orders jobs by their ID. Keyset pagination requires this order.
const JobOrderByID JobOrderBy = "id"

// ListJobsOptions selects jobs of a project.
type ListJobsOptions struct {
	ListOptions
	// Scope selects jobs in these states. Empty means all states. The service
	// refuses states that it does not know with [ErrBadRequest].
	Scope []JobStatus `url:"scope[],omitempty"`
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster
	// for long lists, and newer releases require it beyond 50,000 jobs. It
	// requires OrderBy [JobOrderByID] and works with any Sort. Since 15.9.
	Pagination Pagination `url:"pagination,omitempty"`
	// OrderBy and Sort are for keyset pagination. Since 15.9.
	OrderBy JobOrderBy `url:"order_by,omitempty" keyset:"id"`
	Sort    Sort       `url:"sort,omitempty" keyset:"desc,asc"`
}

// ListBridgesOptions selects bridges of a pipeline.
type ListBridgesOptions struct {
	ListOptions
	// Scope selects bridges in these states. Empty means all states. The service
	// refuses states that it does not know with [ErrBadRequest].
	Scope []JobStatus `url:"scope[],omitempty"`
}

// ListPipelineJobsOptions selects jobs of a pipeline.
type ListPipelineJobsOptions struct {
	ListOptions
	// Scope selects jobs in these states. Empty means all states. The service
	// refuses states that it does not know with [ErrBadRequest].
	Scope []JobStatus `url:"scope[],omitempty"`
	// IncludeRetried adds jobs that were retried. By default only the latest run
	// of each job is listed.
	IncludeRetried bool `url:"include_retried,omitempty"`
}
