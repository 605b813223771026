module example.com/sources

go 1.26

require gitlab.com/gitlab-org/api/client-go v1.46.0
