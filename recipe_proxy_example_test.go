package serviceapi_test

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
	proxy := httptest.NewServer(http.HandlerFunc(tunnel))
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
	fmt.Println(user.Username)
	// Output:
	// the proxy is asked to CONNECT
	// root
}

// tunnel is a proxy: it connects two sides and passes on what they say.
func tunnel(w http.ResponseWriter, r *http.Request) {
	fmt.Println("the proxy is asked to", r.Method)
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
