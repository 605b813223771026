package attempt

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
)

// NotConnected reports whether no connection was made.
func NotConnected(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// IsRefused reports whether no one listens at the address. The number
// of that error differs between systems, and package syscall does not have it
// for all of them; its English text contains the same word everywhere.
func IsRefused(err error) bool {
	var call *os.SyscallError
	return NotConnected(err) && errors.As(err, &call) && strings.Contains(call.Err.Error(), "refused")
}

// IsTLSFailure reports whether the two sides cannot agree on a connection, such
// as on a certificate or on a protocol version.
func IsTLSFailure(err error) bool {
	if isOf[*tls.CertificateVerificationError](err) || isOf[x509.UnknownAuthorityError](err) ||
		isOf[tls.RecordHeaderError](err) || errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "remote error" || op.Op == "local error") {
		return true // an alert
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.HasPrefix(err.Error(), "tls: ") {
			return true // crypto/tls has no type for most of its errors
		}
	}
	return false
}

func isOf[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
