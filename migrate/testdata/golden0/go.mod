module example.com/serviceapi/migrate/testdata/golden0

go 1.26.0

require (
	example.com/serviceapi v0.1.0
	gitlab.com/gitlab-org/api/client-go v0.161.1
)

require golang.org/x/exp v0.0.0-20240506185415-9bf2ced13842 // indirect

require (
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	golang.org/x/oauth2 v0.38.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)

replace example.com/serviceapi => ../../..
