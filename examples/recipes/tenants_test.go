package recipes_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// tenant is a customer with an instance and a token of their own.
type tenant struct {
	Name, BaseURL string
	Token         serviceapi.Secret
}

// connect returns a client for each tenant. They share one transport and so one
// pool of connections, which never carries one tenant's token to another's
// instance: each client sends its credential to its own base URL only.
func connect(tenants []tenant) (map[string]*serviceapi.Client, error) {
	shared := &http.Client{Transport: serviceapi.DefaultTransport()}
	clients := make(map[string]*serviceapi.Client, len(tenants))
	for _, t := range tenants {
		if clients[t.Name] != nil {
			return nil, fmt.Errorf("there are two tenants %q", t.Name)
		}
		client, err := serviceapi.NewClient(t.BaseURL,
			serviceapi.PrivateToken(t.Token.Reveal()),
			serviceapi.WithHTTPClient(shared))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		clients[t.Name] = client
	}
	return clients, nil
}

// Serve many tenants over one transport.
func Example_tenants() {
	var tenants []tenant
	for _, name := range []string{"acme", "umbrella"} {
		service, err := servicetest.Start()
		if err != nil {
			log.Fatal(err)
		}
		defer service.Close()
		token := service.Token(service.User(name + "-bot"))
		tenants = append(tenants,
			tenant{name, service.URL(), serviceapi.NewSecret(token)})
	}

	clients, err := connect(tenants)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tenants {
		user, _, err := clients[t.Name].Users.Current(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(t.Name, user.Username)
	}
	// Output:
	// acme acme-bot
	// umbrella umbrella-bot
}
