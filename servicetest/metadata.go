package servicetest

// This is the version that a service reports unless WithVersion sets another.
const (
	defaultVersion  = "17.6.1"
	defaultRevision = "5f8ed7e6a3c"
)

// WithVersion sets the version that the service reports, for example "15.2.0".
// Its behavior does not depend on it.
func WithVersion(version string) Option {
	return func(s *settings) { s.version = version }
}

// metadata describes the service.
type metadata struct {
	Version    string      `json:"version"`
	Revision   string      `json:"revision"`
	KAS        kasMetadata `json:"kas"`
	Enterprise bool        `json:"enterprise"`
}

type kasMetadata struct {
	Enabled             bool     `json:"enabled"`
	ExternalURL         jsonText `json:"externalUrl"`
	ExternalK8sProxyURL jsonText `json:"externalK8sProxyUrl"`
	Version             jsonText `json:"version"`
}

func getMetadata(c *call) *reply {
	return c.OK(metadata{Version: c.svc.settings.version, Revision: defaultRevision, Enterprise: c.hasTier(Premium)})
}
