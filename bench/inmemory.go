package bench

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"example.com/serviceapi"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// memory is a transport that responds from memory, so that only the work of the
// client is measured.
type memory struct {
	status int
	body   string
}

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return &http.Response{
		Status: http.StatusText(m.status), StatusCode: m.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"01H"}},
		Body:          io.NopCloser(strings.NewReader(m.body)),
		ContentLength: int64(len(m.body)),
		Request:       r,
	}, nil
}

// clients are a client of each contender.
type clients struct {
	ours         *serviceapi.Client
	peer         *clientgo.Client
	plain, floor Plain
}

func (m memory) clients() clients {
	const base = "https://service.test"
	hc := func() *http.Client { return &http.Client{Transport: m} }
	return clients{NewOurs(base, hc()), NewPeer(base, hc()), NewPlain(base, hc()), NewFloor(base, hc())}
}

// plainly adds the ways of net/http to a call, with the types that they decode
// into.
func (c clients) plainly(
	ways map[Contender]Way, method, path string, in any, out, floorOut func() any,
) map[Contender]Way {
	ways[Decoding] = func(ctx context.Context) error { return c.plain.Call(ctx, method, path, in, out()) }
	ways[Floor] = func(ctx context.Context) error { return c.floor.Call(ctx, method, path, in, floorOut()) }
	ways[Bare] = func(ctx context.Context) error { return c.plain.Call(ctx, method, path, in, nil) }
	return ways
}

// InMemory returns the cases that need no server.
func InMemory() []Case {
	return []Case{
		getJob(), listMergeRequests(), listWithOptions(), listJobs(), postUser(), postCommit(), postDeployKey(),
		graphQL(), jobNotFound(),
	}
}

// fresh returns a new value to decode into.
func fresh[T any]() any { return new(T) }

const jobPath = "/projects/1/jobs/8"

func getJob() Case {
	c := memory{http.StatusOK, JobJSON()}.clients()
	return Case{"GetJob", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			_, _, err := c.ours.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
			return err
		},
		Peer: func(ctx context.Context) error {
			_, _, err := c.peer.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodGet, jobPath, nil, fresh[serviceapi.Job], fresh[serviceapi.Job])}
}

// PlainMergeRequest is how a program declares a merge request for
// encoding/json: without the types that accept unusual values.
type PlainMergeRequest struct {
	serviceapi.MergeRequest
	Labels       []string `json:"labels"`
	ChangesCount string   `json:"changes_count"`
	Milestone    *struct {
		serviceapi.Milestone
		StartDate string `json:"start_date"`
		DueDate   string `json:"due_date"`
	} `json:"milestone"`
}

func listMergeRequests() Case {
	c := memory{http.StatusOK, MergeRequests(1, 100)}.clients()
	return Case{"ListMergeRequests", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			options := &serviceapi.ListMergeRequestsOptions{ListOptions: serviceapi.ListOptions{PerPage: 100}}
			_, _, err := c.ours.MergeRequests.List(ctx, serviceapi.ProjectID(1), options)
			return err
		},
		Peer: func(ctx context.Context) error {
			options := &clientgo.ListProjectMergeRequestsOptions{ListOptions: clientgo.ListOptions{PerPage: 100}}
			_, _, err := c.peer.MergeRequests.ListProjectMergeRequests(1, options, clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodGet, "/projects/1/merge_requests?per_page=100", nil, func() any { return new([]*PlainMergeRequest) },
		fresh[[]*serviceapi.MergeRequest])}
}

// listWithOptions is a list with two options and nothing in it, where nothing but the
// options costs time.
func listWithOptions() Case {
	c := memory{http.StatusOK, "[]"}.clients()
	return Case{"ListWithOptions", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			options := &serviceapi.ListMergeRequestsOptions{
				State: serviceapi.MergeRequestStateOpened, TargetBranch: "main",
			}
			_, _, err := c.ours.MergeRequests.List(ctx, serviceapi.ProjectID(1), options)
			return err
		},
		Peer: func(ctx context.Context) error {
			options := &clientgo.ListProjectMergeRequestsOptions{State: new("opened"), TargetBranch: new("main")}
			_, _, err := c.peer.MergeRequests.ListProjectMergeRequests(1, options, clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodGet, "/projects/1/merge_requests?state=opened&target_branch=main", nil,
		fresh[[]*serviceapi.MergeRequest], fresh[[]*serviceapi.MergeRequest])}
}

// namedProject is the data of a small GraphQL query.
type namedProject struct {
	Project struct {
		Name string `json:"name"`
	} `json:"project"`
}

// graphQL is a small query. The contenders without a client decode the envelope, too.
func graphQL() Case {
	c := memory{http.StatusOK, `{"data":{"project":{"name":"App"}}}`}.clients()
	const document = "query($path: ID!) { project(fullPath: $path) { name } }"
	variables := map[string]any{"path": "acme/app"}
	type envelope struct {
		Data namedProject `json:"data"`
	}
	request := serviceapi.GraphQLRequest{Query: document, Variables: variables}
	return Case{"GraphQL", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			_, err := c.ours.GraphQL.Query(ctx, request, new(namedProject))
			return err
		},
		Peer: func(ctx context.Context) error {
			query := clientgo.GraphQLQuery{Query: document, Variables: variables}
			_, err := c.peer.GraphQL.Do(query, new(envelope), clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodPost, "/graphql", request, fresh[envelope], fresh[envelope])}
}

func listJobs() Case {
	c := memory{http.StatusOK, Jobs(1, 100)}.clients()
	return Case{"ListJobs", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			options := &serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: 100}}
			_, _, err := c.ours.Jobs.List(ctx, serviceapi.ProjectID(1), options)
			return err
		},
		Peer: func(ctx context.Context) error {
			options := &clientgo.ListJobsOptions{ListOptions: clientgo.ListOptions{PerPage: 100}}
			_, _, err := c.peer.Jobs.ListProjectJobs(1, options, clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodGet, "/projects/1/jobs?per_page=100", nil, fresh[[]*serviceapi.Job], fresh[[]*serviceapi.Job])}
}

func postUser() Case {
	c := memory{http.StatusCreated, UserJSON()}.clients()
	options := serviceapi.CreateUserOptions{
		Email: "ada@corp.example.com", Name: "Ada Lovelace", Username: "ada",
		ForceRandomPassword: new(true), SkipConfirmation: new(true),
	}
	return Case{"PostUser", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			_, _, err := c.ours.Users.Create(ctx, options)
			return err
		},
		Peer: func(ctx context.Context) error {
			theirs := &clientgo.CreateUserOptions{
				Email: &options.Email, Name: &options.Name, Username: &options.Username,
				ForceRandomPassword: options.ForceRandomPassword, SkipConfirmation: options.SkipConfirmation,
			}
			_, _, err := c.peer.Users.CreateUser(theirs, clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodPost, "/users", options, fresh[serviceapi.User], fresh[serviceapi.User])}
}

func postCommit() Case {
	c := memory{http.StatusCreated, CommitJSON()}.clients()
	content := strings.Repeat("The engine weaves algebraical patterns.\n", 25)
	options := serviceapi.CreateCommitOptions{
		Branch: "main", CommitMessage: "Add the notes",
		Actions: []serviceapi.CommitAction{serviceapi.CreateFileAction("notes.md", []byte(content))},
	}
	return Case{"PostCommit", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			_, _, err := c.ours.Commits.Create(ctx, serviceapi.ProjectID(1), options)
			return err
		},
		Peer: func(ctx context.Context) error {
			theirs := &clientgo.CreateCommitOptions{
				Branch: &options.Branch, CommitMessage: &options.CommitMessage,
				Actions: []*clientgo.CommitActionOptions{{Action: new(clientgo.FileCreate), FilePath: new("notes.md"),
					Content: &content}},
			}
			_, _, err := c.peer.Commits.CreateCommit(1, theirs, clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodPost, "/projects/1/repository/commits", options, fresh[serviceapi.Commit], fresh[serviceapi.Commit])}
}

func postDeployKey() Case {
	c := memory{http.StatusCreated, DeployKeyJSON}.clients()
	options := serviceapi.CreateDeployKeyOptions{
		Title:   "deployer",
		Key:     "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJAe8mFKzbgM1NsZ5ywUbbaWWhOHkpvX0DiHDZ2nBXJQ",
		CanPush: new(true),
	}
	return Case{"PostDeployKey", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			_, _, err := c.ours.DeployKeys.Create(ctx, serviceapi.ProjectID(1), options)
			return err
		},
		Peer: func(ctx context.Context) error {
			theirs := &clientgo.AddDeployKeyOptions{Title: &options.Title, Key: &options.Key, CanPush: options.CanPush}
			_, _, err := c.peer.DeployKeys.AddDeployKey(1, theirs, clientgo.WithContext(ctx))
			return err
		},
	}, http.MethodPost, "/projects/1/deploy_keys", options, fresh[serviceapi.DeployKey], fresh[serviceapi.DeployKey])}
}

var errNoError = errors.New("the 404 was lost")

const notFoundMessage = "404 Project Not Found"

// jobNotFound is an error that a program examines. The peer loses the message
// of a 404; this library keeps it.
func jobNotFound() Case {
	c := memory{http.StatusNotFound, `{"message":"` + notFoundMessage + `"}`}.clients()
	return Case{"NotFound", c.plainly(map[Contender]Way{
		Ours: func(ctx context.Context) error {
			_, _, err := c.ours.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
			if e, ok := errors.AsType[*serviceapi.Error](err); !ok || e.Message != notFoundMessage {
				return errNoError
			}
			return nil
		},
		Peer: func(ctx context.Context) error {
			_, _, err := c.peer.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
			if !errors.Is(err, clientgo.ErrNotFound) {
				return errNoError
			}
			return nil
		},
	}, http.MethodGet, jobPath, nil, fresh[map[string]string], fresh[map[string]string])}
}
