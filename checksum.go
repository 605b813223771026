package serviceapi

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// ChecksumError means that the content of a download does not have the expected
// checksum.
type ChecksumError struct {
	Algorithm ChecksumAlgorithm
	// Expected and Actual are hexadecimal.
	Expected, Actual string
}

// Error names both checksums.
func (e *ChecksumError) Error() string {
	return fmt.Sprintf("the content has the %s checksum %s instead of %s", e.Algorithm, e.Actual, e.Expected)
}

// checksum is computed while a download is read.
type checksum struct {
	hash      hash.Hash
	algorithm ChecksumAlgorithm
	expected  string
}

// newChecksum refuses a checksum that could not be compared.
func newChecksum(algorithm ChecksumAlgorithm, expected string) (*checksum, error) {
	if algorithm != ChecksumAlgorithmSHA256 {
		problem := "is not known: " + printable(string(algorithm), 40)
		return nil, &ArgumentError{Argument: "checksum algorithm", Problem: problem}
	}
	sum := &checksum{hash: sha256.New(), algorithm: algorithm, expected: strings.ToLower(expected)}
	if raw, err := hex.DecodeString(expected); err != nil || len(raw) != sum.hash.Size() {
		return nil, &ArgumentError{Argument: "checksum", Problem: "is not one of " + string(algorithm)}
	}
	return sum, nil
}

// check compares the checksums after everything was read.
func (c *checksum) check() error {
	actual := hex.EncodeToString(c.hash.Sum(nil))
	if actual == c.expected {
		return nil
	}
	return &ChecksumError{Algorithm: c.algorithm, Expected: c.expected, Actual: actual}
}

// ChecksumAlgorithm is a hash function. The service uses only one today.
type ChecksumAlgorithm string

// ChecksumAlgorithmSHA256 is the algorithm that the service uses.
const ChecksumAlgorithmSHA256 ChecksumAlgorithm = "sha256"
