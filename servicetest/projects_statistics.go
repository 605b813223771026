package servicetest

// projectStatistics are sizes in bytes.
type projectStatistics struct {
	CommitCount       int   `json:"commit_count"`
	StorageSize       int64 `json:"storage_size"`
	RepositorySize    int64 `json:"repository_size"`
	WikiSize          int64 `json:"wiki_size"`
	LFSObjectsSize    int64 `json:"lfs_objects_size"`
	JobArtifactsSize  int64 `json:"job_artifacts_size"`
	PipelineArtifacts int64 `json:"pipeline_artifacts_size"`
	PackagesSize      int64 `json:"packages_size"`
	SnippetsSize      int64 `json:"snippets_size"`
	UploadsSize       int64 `json:"uploads_size"`
	RegistrySize      int64 `json:"container_registry_size"`
}

func (p *Project) statistics() *projectStatistics {
	s := new(projectStatistics)
	if head := p.repository().Branch(p.defaultBranch); head != nil {
		s.CommitCount = len(p.repository().Reachable(head))
		for _, entry := range head.Tree {
			s.RepositorySize += int64(len(entry.Blob.Data))
		}
	}
	for _, job := range p.jobs {
		if job.archive != nil {
			s.JobArtifactsSize += job.archive.size
		}
	}
	s.StorageSize = s.RepositorySize + s.JobArtifactsSize
	return s
}

// add adds sizes, for groups.
func (s *projectStatistics) add(other *projectStatistics) {
	s.CommitCount += other.CommitCount
	s.StorageSize += other.StorageSize
	s.RepositorySize += other.RepositorySize
	s.JobArtifactsSize += other.JobArtifactsSize
}
