package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/servicetest"
)

// connect returns clients of the services that the environment names, or of two
// embedded ones.
func connect(notes io.Writer) (source, target *serviceapi.Client, closeServices func(), err error) {
	address, token := os.Getenv("TARGET_BASE_URL"), os.Getenv("TARGET_TOKEN")
	if !demo.Embedded() {
		if address == "" || token == "" {
			return nil, nil, nil, errors.New("set TARGET_BASE_URL and TARGET_TOKEN")
		}
		source, err = serviceapi.FromEnv()
		if err == nil {
			target, err = serviceapi.NewClient(address, serviceapi.PrivateToken(token))
		}
		return source, target, func() {}, err
	}
	fmt.Fprintln(notes, "SERVICE_BASE_URL is not set: these are two embedded services.")
	// Their clocks move forward with each request, so that nobody has to wait.
	from, err := demo.Start(servicetest.WithTick(10 * time.Second))
	if err != nil {
		return nil, nil, nil, err
	}
	to, err := servicetest.Start(servicetest.WithTick(10 * time.Second))
	if err != nil {
		from.Service.Close()
		return nil, nil, nil, err
	}
	closeServices = func() { from.Service.Close(); to.Close() }
	source, err = serviceapi.NewClient(from.Service.URL(), serviceapi.PrivateToken(from.Token))
	target, err2 := serviceapi.NewClient(to.URL(), serviceapi.PrivateToken(to.Token(to.User("ada"))))
	return source, target, closeServices, cmp.Or(err, err2)
}
