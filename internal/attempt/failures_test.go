package attempt

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestFailures checks what the errors of net/http mean.
func TestFailures(t *testing.T) {
	during := func(op string, err error) error { return &net.OpError{Op: op, Err: err} }
	refusal := os.NewSyscallError("connect", errors.New("Connection refused"))
	for _, tc := range []struct {
		err                        error
		notConnected, refused, tls bool
	}{
		{nil, false, false, false},
		{io.EOF, false, false, false},
		{during("dial", io.EOF), true, false, false},
		{during("dial", os.NewSyscallError("connect", errors.New("network is unreachable"))), true, false, false},
		{during("dial", os.NewSyscallError("connect", errors.New("connection refused"))), true, true, false},
		{during("proxyconnect", io.EOF), true, false, false},
		{during("read", os.NewSyscallError("read", errors.New("connection refused"))), false, false, false},
		{refusal, false, false, false},
		{during("remote error", errors.New("tls: bad certificate")), false, false, true},
		{during("local error", errors.New("alert")), false, false, true},
		{&tls.CertificateVerificationError{Err: io.EOF}, false, false, true},
		{x509.UnknownAuthorityError{}, false, false, true},
		{tls.RecordHeaderError{}, false, false, true},
		{http.ErrSchemeMismatch, false, false, true},
		{errors.New("tls: no application protocol"), false, false, true},
		{errors.New("about tls: nothing"), false, false, false},
	} {
		for _, err := range []error{tc.err, wrapped(tc.err)} {
			got := [...]bool{NotConnected(err), IsRefused(err), IsTLSFailure(err)}
			assert.Equal(t, [...]bool{tc.notConnected, tc.refused, tc.tls}, got, "%T %v", err, err)
		}
	}
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("wrapped: %w", err)
}
