package texts

import "strings"

// missing mentions nothing of the client.
func missing(err error) bool {
	return err != nil && strings.Contains(err.Error(), "404")
}
