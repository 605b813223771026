package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// ClusterAgentsService manages the agents that connect Kubernetes clusters to the
// service. Reading requires the Developer role, changing the Maintainer role.
//
//	agent, _, err := client.ClusterAgents.Create(ctx, project,
//		serviceapi.CreateClusterAgentOptions{Name: "eu-1"})
//	…
//	token, _, err := client.ClusterAgents.CreateToken(ctx, project, agent.ID,
//		serviceapi.CreateClusterAgentTokenOptions{Name: "first"})
//
// Its options are [CreateClusterAgentOptions], [CreateClusterAgentTokenOptions],
// [CreateClusterAgentURLConfigurationOptions] and [ListOptions]. See the example of
// [ClusterAgentsService.CreateToken].
type ClusterAgentsService service

// ClusterAgent is an agent that connects a Kubernetes cluster to the service.
type ClusterAgent struct {
	ID int64 `json:"id"`
	// Name is unique in the project.
	Name string `json:"name"`
	// ConfigProject is the project that holds the configuration of the agent, nil
	// if it is unknown.
	ConfigProject *ProjectSummary `json:"config_project"`
	CreatedAt     time.Time       `json:"created_at"`
	// CreatedByUserID is nil if the user was deleted.
	CreatedByUserID *int64 `json:"created_by_user_id"`
	// IsReceptive reports whether the service connects to the agent, by a
	// [ClusterAgentURLConfiguration], and not the agent to the service. Nil on instances
	// without a paid tier. Since 17.4.
	IsReceptive *bool `json:"is_receptive"`
}

// ClusterAgentTokenStatus says whether a token of an agent works.
type ClusterAgentTokenStatus string

// Statuses of tokens of agents. The service shows no tokens that were revoked.
const (
	ClusterAgentTokenStatusActive  ClusterAgentTokenStatus = "active"
	ClusterAgentTokenStatusRevoked ClusterAgentTokenStatus = "revoked"
)

// ClusterAgentToken is a token with which an agent connects to the service.
type ClusterAgentToken struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Description is empty if there is none.
	Description string                  `json:"description"`
	AgentID     int64                   `json:"agent_id"`
	Status      ClusterAgentTokenStatus `json:"status"`
	CreatedAt   time.Time               `json:"created_at"`
	// CreatedByUserID is nil if the user was deleted.
	CreatedByUserID *int64 `json:"created_by_user_id"`
	// LastUsedAt is nil if the token was never used, and in lists.
	LastUsedAt *time.Time `json:"last_used_at"`
	// Token is the token itself. Only [ClusterAgentsService.CreateToken] sets it: store it,
	// because the service does not show it again.
	Token Secret `json:"token,omitzero"`
}

// ClusterAgentURLConfiguration says how the service connects to an agent.
type ClusterAgentURLConfiguration struct {
	ID      int64 `json:"id"`
	AgentID int64 `json:"agent_id"`
	// URL begins with grpc:// or grpcs://.
	URL string `json:"url"`
	// PublicKey is the key, in Base64, by which the agent recognizes the service. It is empty
	// if the service has a ClientCert instead.
	PublicKey string `json:"public_key"`
	// ClientCert and CACert are certificates in PEM format, empty if there are none.
	ClientCert string `json:"client_cert"`
	CACert     string `json:"ca_cert"`
	// TLSHost is the host name that the agent's certificate must have, empty for that of URL.
	TLSHost string `json:"tls_host"`
}

// CreateClusterAgentOptions describes an agent. Name is required.
type CreateClusterAgentOptions struct {
	// Name has at most 63 characters: lowercase letters, digits and -, which is not the first
	// or the last one.
	Name string `json:"name" required:"true"`
}

// CreateClusterAgentTokenOptions describes a token of an agent. Name is required.
type CreateClusterAgentTokenOptions struct {
	// Name has at most 255 characters.
	Name string `json:"name" required:"true"`
	// Description has at most 1024 characters. Nil means none.
	Description *string `json:"description,omitzero"`
}

// CreateClusterAgentURLConfigurationOptions describes how to connect to an agent. URL is
// required. ClientCert and ClientKey are given together or not at all; without them, the
// service makes a key pair, of which it shows the public key.
type CreateClusterAgentURLConfigurationOptions struct {
	// URL begins with grpc:// or grpcs://.
	URL string `json:"url" required:"true"`
	// ClientCert, ClientKey and CACert are in PEM format. No response contains ClientKey.
	ClientCert *string `json:"client_cert,omitzero"`
	ClientKey  Secret  `json:"client_key,omitzero"`
	CACert     *string `json:"ca_cert,omitzero"`
	// TLSHost is the host name that the agent's certificate must have. Nil means that of URL.
	TLSHost *string `json:"tls_host,omitzero"`
}

// List returns one page of the agents that a project registered, by name. It returns
// [ErrNotFound] below the Developer role.
//
//	GET /projects/:id/cluster_agents
func (s *ClusterAgentsService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*ClusterAgent, *Response, error) {
	return list[*ClusterAgent](ctx, using(s), Route("/projects/:id/cluster_agents", project), queryOf(options), opts)
}

// All returns every agent of a project. See [ClusterAgentsService.List].
//
//	GET /projects/:id/cluster_agents
func (s *ClusterAgentsService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ClusterAgent, error] {
	return all[*ClusterAgent](ctx, using(s), Route("/projects/:id/cluster_agents", project), queryOf(options), opts)
}

// Get returns an agent. It requires the Developer role. An agent of another project is
// [ErrNotFound].
//
//	GET /projects/:id/cluster_agents/:agent_id
func (s *ClusterAgentsService) Get(
	ctx context.Context, project ProjectRef, agentID int64, opts ...RequestOption,
) (*ClusterAgent, *Response, error) {
	return do[ClusterAgent](ctx, using(s), http.MethodGet,
		Route("/projects/:id/cluster_agents/:agent_id", project, agentID), nil, opts)
}

// Create registers an agent. It requires the Maintainer role. It returns [ErrBadRequest] if
// the name is taken or not allowed.
//
//	POST /projects/:id/cluster_agents
func (s *ClusterAgentsService) Create(
	ctx context.Context, project ProjectRef, options CreateClusterAgentOptions, opts ...RequestOption,
) (*ClusterAgent, *Response, error) {
	return do[ClusterAgent](ctx, using(s), http.MethodPost,
		Route("/projects/:id/cluster_agents", project), jsonOf(options), opts)
}

// Delete deletes an agent with its tokens, which stop working at once. It requires the
// Maintainer role.
//
//	DELETE /projects/:id/cluster_agents/:agent_id
func (s *ClusterAgentsService) Delete(
	ctx context.Context, project ProjectRef, agentID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/cluster_agents/:agent_id", project, agentID), nil, opts)
}

// ListTokens returns one page of the active tokens of an agent, without LastUsedAt. It
// requires the Developer role.
//
//	GET /projects/:id/cluster_agents/:agent_id/tokens
func (s *ClusterAgentsService) ListTokens(
	ctx context.Context, project ProjectRef, agentID int64, options *ListOptions, opts ...RequestOption,
) ([]*ClusterAgentToken, *Response, error) {
	return list[*ClusterAgentToken](ctx, using(s),
		Route("/projects/:id/cluster_agents/:agent_id/tokens", project, agentID), queryOf(options), opts)
}

// AllTokens returns every active token of an agent. See [ClusterAgentsService.ListTokens].
//
//	GET /projects/:id/cluster_agents/:agent_id/tokens
func (s *ClusterAgentsService) AllTokens(
	ctx context.Context, project ProjectRef, agentID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ClusterAgentToken, error] {
	return all[*ClusterAgentToken](ctx, using(s),
		Route("/projects/:id/cluster_agents/:agent_id/tokens", project, agentID), queryOf(options), opts)
}

// GetToken returns a token of an agent, but not its value. It requires the Developer role.
// A revoked token is [ErrNotFound].
//
//	GET /projects/:id/cluster_agents/:agent_id/tokens/:token_id
func (s *ClusterAgentsService) GetToken(
	ctx context.Context, project ProjectRef, agentID, tokenID int64, opts ...RequestOption,
) (*ClusterAgentToken, *Response, error) {
	return do[ClusterAgentToken](ctx, using(s), http.MethodGet,
		Route("/projects/:id/cluster_agents/:agent_id/tokens/:token_id", project, agentID, tokenID), nil, opts)
}

// CreateToken creates a token of an agent. Only this response contains its value. An agent
// has at most two active tokens: a third one is [ErrBadRequest]. To replace a token, create
// the new one, give it to the agent, and revoke the old one. It requires the Maintainer role.
//
//	POST /projects/:id/cluster_agents/:agent_id/tokens
func (s *ClusterAgentsService) CreateToken(
	ctx context.Context, project ProjectRef, agentID int64, options CreateClusterAgentTokenOptions,
	opts ...RequestOption,
) (*ClusterAgentToken, *Response, error) {
	return do[ClusterAgentToken](ctx, using(s), http.MethodPost,
		Route("/projects/:id/cluster_agents/:agent_id/tokens", project, agentID), jsonOf(options), opts)
}

// RevokeToken revokes a token of an agent, which stops working at once. To revoke it again
// is no error. It requires the Maintainer role.
//
//	DELETE /projects/:id/cluster_agents/:agent_id/tokens/:token_id
func (s *ClusterAgentsService) RevokeToken(
	ctx context.Context, project ProjectRef, agentID, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/cluster_agents/:agent_id/tokens/:token_id", project, agentID, tokenID), nil, opts)
}

// ListURLConfigurations returns how the service connects to an agent: one configuration, or
// none if the agent connects to the service. The service sends no more, and ignores the page.
// It requires the Maintainer role. It returns [ErrNotFound] below Ultimate, and while the
// instance has ReceptiveClusterAgentsEnabled off. Ultimate, and not on the hosted offering.
// Since 17.4.
//
//	GET /projects/:id/cluster_agents/:agent_id/url_configurations
func (s *ClusterAgentsService) ListURLConfigurations(
	ctx context.Context, project ProjectRef, agentID int64, options *ListOptions, opts ...RequestOption,
) ([]*ClusterAgentURLConfiguration, *Response, error) {
	return list[*ClusterAgentURLConfiguration](ctx, using(s),
		Route("/projects/:id/cluster_agents/:agent_id/url_configurations", project, agentID), queryOf(options), opts)
}

// AllURLConfigurations is like [ClusterAgentsService.ListURLConfigurations], as a sequence.
//
//	GET /projects/:id/cluster_agents/:agent_id/url_configurations
func (s *ClusterAgentsService) AllURLConfigurations(
	ctx context.Context, project ProjectRef, agentID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ClusterAgentURLConfiguration, error] {
	return all[*ClusterAgentURLConfiguration](ctx, using(s),
		Route("/projects/:id/cluster_agents/:agent_id/url_configurations", project, agentID), queryOf(options), opts)
}

// GetURLConfiguration returns one configuration. It needs what
// [ClusterAgentsService.ListURLConfigurations] needs.
//
//	GET /projects/:id/cluster_agents/:agent_id/url_configurations/:url_configuration_id
func (s *ClusterAgentsService) GetURLConfiguration(
	ctx context.Context, project ProjectRef, agentID, configurationID int64, opts ...RequestOption,
) (*ClusterAgentURLConfiguration, *Response, error) {
	return do[ClusterAgentURLConfiguration](ctx, using(s), http.MethodGet,
		Route("/projects/:id/cluster_agents/:agent_id/url_configurations/:url_configuration_id",
			project, agentID, configurationID), nil, opts)
}

// CreateURLConfiguration makes the service connect to an agent, whose IsReceptive becomes
// true. An agent has at most one configuration: a second one is [ErrBadRequest]. It needs what
// [ClusterAgentsService.ListURLConfigurations] needs.
//
//	POST /projects/:id/cluster_agents/:agent_id/url_configurations
func (s *ClusterAgentsService) CreateURLConfiguration(
	ctx context.Context, project ProjectRef, agentID int64, options CreateClusterAgentURLConfigurationOptions,
	opts ...RequestOption,
) (*ClusterAgentURLConfiguration, *Response, error) {
	return do[ClusterAgentURLConfiguration](ctx, using(s), http.MethodPost,
		Route("/projects/:id/cluster_agents/:agent_id/url_configurations", project, agentID), jsonOf(options), opts)
}

// DeleteURLConfiguration deletes a configuration: the agent's IsReceptive becomes false. It
// needs what [ClusterAgentsService.ListURLConfigurations] needs.
//
//	DELETE /projects/:id/cluster_agents/:agent_id/url_configurations/:url_configuration_id
func (s *ClusterAgentsService) DeleteURLConfiguration(
	ctx context.Context, project ProjectRef, agentID, configurationID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/cluster_agents/:agent_id/url_configurations/:url_configuration_id",
			project, agentID, configurationID), nil, opts)
}
