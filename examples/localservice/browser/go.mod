module example.com/serviceapi/examples/localservice/browser

go 1.26.0

replace example.com/serviceapi => ../../..

require (
	example.com/serviceapi v0.0.0-00010101000000-000000000000
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/go-json-experiment/json v1.27.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
