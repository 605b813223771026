package recipes_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// behindProxy returns a client for an instance that is reached through a proxy
// and has a certificate of a private CA. Fill the pool with AppendCertsFromPEM.
func behindProxy(baseURL string, credential serviceapi.Credential,
	proxy *url.URL, authorities *x509.CertPool) (*serviceapi.Client, error) {
	transport := serviceapi.DefaultTransport()
	transport.Proxy = http.ProxyURL(proxy)
	transport.TLSClientConfig = &tls.Config{RootCAs: authorities}
	// For mutual TLS, also set Certificates to those of tls.LoadX509KeyPair.
	return serviceapi.NewClient(baseURL, credential,
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}))
}

// Use a custom CA and a proxy.
func Example_customCAAndProxy() {
	service, err := servicetest.Start(servicetest.WithTLS())
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	own := service.HTTPClient().Transport.(*http.Transport)
	authorities := own.TLSClientConfig.RootCAs
	var tunnels atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			tunnels.Add(1)
			tunnel(w, r)
		}))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	if err != nil {
		log.Fatal(err)
	}

	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := behindProxy(service.URL(), token, address, authorities)
	if err != nil {
		log.Fatal(err)
	}
	user, _, err := client.Users.Current(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Username, "through the proxy:", tunnels.Load() > 0)
	// Output: root through the proxy: true
}

// tunnel is a proxy: it connects two sides and forwards their bytes.
func tunnel(w http.ResponseWriter, r *http.Request) {
	service, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer service.Close()
	w.WriteHeader(http.StatusOK)
	client, _, err := http.NewResponseController(w).Hijack()
	if err != nil && !errors.Is(err, http.ErrHijacked) {
		return
	}
	defer client.Close()
	go io.Copy(service, client)
	io.Copy(client, service)
}
