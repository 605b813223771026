package demo

import (
	"fmt"
	"io"
	"os"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// Embedded reports whether the environment does not name a service, so that the
// program uses an embedded one.
func Embedded() bool {
	return os.Getenv("SERVICE_BASE_URL") == "" && os.Getenv("SERVICE_TOKEN") == "" &&
		os.Getenv("SERVICE_OAUTH_TOKEN") == ""
}

// Connect returns a client of the service that the environment names or, if it
// names none, of an embedded one that [Start] makes. The returned function
// closes it.
func Connect(notes io.Writer) (*serviceapi.Client, func(), error) {
	if !Embedded() {
		client, err := serviceapi.FromEnv()
		return client, func() {}, err
	}
	shop, err := Start()
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintln(notes, "SERVICE_BASE_URL is not set: this is an embedded service with sample data.")
	client, err := serviceapi.NewClient(shop.Service.URL(), serviceapi.PrivateToken(shop.Token))
	if err != nil {
		shop.Service.Close()
		return nil, nil, err
	}
	return client, shop.Service.Close, nil
}

// Start starts a service with a running clock, and fills it with [Fill].
func Start(opts ...servicetest.Option) (*Shop, error) {
	service, err := servicetest.Start(append([]servicetest.Option{servicetest.WithClock(time.Now)}, opts...)...)
	if err != nil {
		return nil, err
	}
	return Fill(service), nil
}

// Project returns the project that the arguments of a program name, by path or
// by ID. The default for the embedded service is acme/shop.
func Project(args []string) (serviceapi.ProjectRef, error) {
	switch {
	case len(args) == 1 && args[0] != "":
		project, err := serviceapi.ParseProjectRef(args[0])
		if err != nil {
			return project, Usage("%v", err)
		}
		return project, nil
	case len(args) == 0 && Embedded():
		return serviceapi.ProjectPath("acme/shop"), nil
	}
	return serviceapi.ProjectRef{}, Usage("name one project, such as group/project")
}
