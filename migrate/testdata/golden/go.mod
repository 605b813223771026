module example.com/serviceapi/migrate/testdata/golden

go 1.26.0

require (
	example.com/serviceapi v0.1.0
	github.com/xanzy/go-gitlab v0.115.0
	gitlab.com/gitlab-org/api/client-go v1.46.0
	gitlab.com/gitlab-org/api/client-go/v2 v2.64.0
)

require (
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8
	golang.org/x/oauth2 v0.38.0
	golang.org/x/time v0.15.0 // indirect
)

replace example.com/serviceapi => ../../..
