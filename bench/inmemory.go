package bench

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"example.com/serviceapi"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// memory is a transport that responds from memory, so that only the work of the
// client is measured.
type memory struct {
	status      int
	contentType string
	body        string
	// sent is where requests are written to, if not nil.
	sent *sent
}

// sent is a request.
type sent struct {
	method, path string
	query        url.Values
	body         []byte
}

func newMemory(status int, body string) *memory {
	return &memory{status: status, contentType: "application/json", body: body}
}

func (m *memory) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		if m.sent != nil {
			body, _ = io.ReadAll(r.Body)
		}
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	if m.sent != nil {
		*m.sent = sent{r.Method, r.URL.EscapedPath(), r.URL.Query(), body}
	}
	return &http.Response{
		Status: http.StatusText(m.status), StatusCode: m.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {m.contentType}, "X-Request-Id": {"01H"}},
		Body:          io.NopCloser(strings.NewReader(m.body)),
		ContentLength: int64(len(m.body)),
		Request:       r,
	}, nil
}

// clients are a client of each contender.
type clients struct {
	memory       *memory
	ours         *serviceapi.Client
	peer         *clientgo.Client
	plain, floor Plain
}

func (m *memory) clients() clients {
	const base = "https://service.test"
	hc := func() *http.Client { return &http.Client{Transport: m} }
	return clients{m, NewOurs(base, hc()), NewPeer(base, hc()), NewPlain(base, hc()), NewFloor(base, hc())}
}

// A request is what the ways of net/http send, and what they decode responses into. They
// have nothing of this library.
type request struct {
	method, path string
	in           any
	out          func() any
}

// calls returns a case of the ways of the clients, and of those of net/http.
func (c clients) calls(name string, ours, peer Way, by request) Case {
	send := func(p Plain, out func() any) Way {
		return func(ctx context.Context) error { return p.Call(ctx, by.method, by.path, by.in, out()) }
	}
	nothing := func() any { return nil }
	return Case{Name: name, memory: c.memory, Ways: map[Contender]Way{
		Ours: ours, Peer: peer,
		Decoding: send(c.plain, by.out), Floor: send(c.floor, by.out), Bare: send(c.plain, nothing),
	}}
}

// InMemory returns the cases that need no server.
func InMemory() []Case {
	return []Case{
		getJob(), listMergeRequests(), listWithOptions(), listWithManyOptions(), listJobs(),
		postUser(), postCommit(), postDeployKey(), graphQL(), getSettings(), jobNotFound(), forbiddenPage(),
		push(), mergeRequestEvent(),
	}
}

const jobPath = "/projects/1/jobs/8"

func getJob() Case {
	c := newMemory(http.StatusOK, JobJSON()).clients()
	return c.calls("GetJob", func(ctx context.Context) error {
		_, _, err := c.ours.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
		return err
	}, func(ctx context.Context) error {
		_, _, err := c.peer.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodGet, jobPath, nil, PlainJob})
}

func listMergeRequests() Case {
	c := newMemory(http.StatusOK, MergeRequests(1, 100)).clients()
	return c.calls("ListMergeRequests", func(ctx context.Context) error {
		options := &serviceapi.ListMergeRequestsOptions{ListOptions: serviceapi.ListOptions{PerPage: 100}}
		_, _, err := c.ours.MergeRequests.List(ctx, serviceapi.ProjectID(1), options)
		return err
	}, func(ctx context.Context) error {
		options := &clientgo.ListProjectMergeRequestsOptions{ListOptions: clientgo.ListOptions{PerPage: 100}}
		_, _, err := c.peer.MergeRequests.ListProjectMergeRequests(1, options, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodGet, "/projects/1/merge_requests?per_page=100", nil, PlainMergeRequests})
}

// listWithOptions is a list with two options and nothing in it, where nothing but the
// options costs time.
func listWithOptions() Case {
	c := newMemory(http.StatusOK, "[]").clients()
	return c.calls("ListWithOptions", func(ctx context.Context) error {
		options := &serviceapi.ListMergeRequestsOptions{
			State: serviceapi.MergeRequestStateOpened, TargetBranch: "main",
		}
		_, _, err := c.ours.MergeRequests.List(ctx, serviceapi.ProjectID(1), options)
		return err
	}, func(ctx context.Context) error {
		options := &clientgo.ListProjectMergeRequestsOptions{State: new("opened"), TargetBranch: new("main")}
		_, _, err := c.peer.MergeRequests.ListProjectMergeRequests(1, options, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodGet, "/projects/1/merge_requests?state=opened&target_branch=main", nil,
		PlainMergeRequests})
}

// manyOptions is the query of a list with 18 options.
const manyOptions = "author_username=ada&created_after=2026-03-01T10%3A00%3A00Z" +
	"&created_before=2026-04-01T10%3A00%3A00Z&labels=bug%2Cpatch&milestone=v1&my_reaction_emoji=thumbsup" +
	"&order_by=updated_at&page=2&per_page=100" +
	"&reviewer_username=grace&scope=all&search=engine&sort=asc&source_branch=bernoulli&state=opened" +
	"&target_branch=main" +
	"&with_labels_details=true&with_merge_status_recheck=true"

// listWithManyOptions is a list with 18 options and nothing in it.
func listWithManyOptions() Case {
	c := newMemory(http.StatusOK, "[]").clients()
	after, before := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), time.Date(2026, 4, 1, 10, 0, 0, 0, time.UTC)
	return c.calls("ListWithManyOptions", func(ctx context.Context) error {
		options := &serviceapi.ListMergeRequestsOptions{
			ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 100},
			State:       serviceapi.MergeRequestStateOpened, OrderBy: serviceapi.MergeRequestOrderByUpdatedAt,
			Sort: serviceapi.SortAscending, Milestone: serviceapi.MilestoneIs("v1"),
			Labels: serviceapi.LabelsAre("bug", "patch"), WithLabelsDetails: true,
			CreatedAfter: after, CreatedBefore: before,
			Scope: serviceapi.MergeRequestScopeAll, AuthorUsername: "ada", ReviewerUsername: "grace",
			MyReactionEmoji: serviceapi.EmojiIs("thumbsup"), SourceBranch: "bernoulli", TargetBranch: "main",
			Search: "engine", WithMergeStatusRecheck: true,
		}
		_, _, err := c.ours.MergeRequests.List(ctx, serviceapi.ProjectID(1), options)
		return err
	}, func(ctx context.Context) error {
		options := &clientgo.ListProjectMergeRequestsOptions{
			ListOptions: clientgo.ListOptions{Page: 2, PerPage: 100},
			State:       new("opened"), OrderBy: new("updated_at"), Sort: new("asc"), Milestone: new("v1"),
			Labels: &clientgo.LabelOptions{"bug", "patch"}, WithLabelsDetails: new(true),
			CreatedAfter: &after, CreatedBefore: &before, Scope: new("all"), AuthorUsername: new("ada"),
			ReviewerUsername: new("grace"), MyReactionEmoji: new("thumbsup"), SourceBranch: new("bernoulli"),
			TargetBranch: new("main"), Search: new("engine"),
			WithMergeStatusRecheck: new(true),
		}
		_, _, err := c.peer.MergeRequests.ListProjectMergeRequests(1, options, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodGet, "/projects/1/merge_requests?" + manyOptions, nil, PlainMergeRequests})
}

// namedProject is the data of a small GraphQL query.
type namedProject struct {
	Project struct {
		Name string `json:"name"`
	} `json:"project"`
}

// graphQL is a small query. The contenders without a client decode the envelope, too.
func graphQL() Case {
	c := newMemory(http.StatusOK, `{"data":{"project":{"name":"App"}}}`).clients()
	const document = "query($path: ID!) { project(fullPath: $path) { name } }"
	variables := map[string]any{"path": "acme/app"}
	for _, p := range []*Plain{&c.plain, &c.floor} {
		p.Base = strings.TrimSuffix(p.Base, "/v4")
	}
	type envelope struct {
		Data namedProject `json:"data"`
	}
	return c.calls("GraphQL", func(ctx context.Context) error {
		query := serviceapi.GraphQLRequest{Query: document, Variables: variables}
		_, err := c.ours.GraphQL.Query(ctx, query, new(namedProject))
		return err
	}, func(ctx context.Context) error {
		query := clientgo.GraphQLQuery{Query: document, Variables: variables}
		_, err := c.peer.GraphQL.Do(query, new(envelope), clientgo.WithContext(ctx))
		return err
	}, request{http.MethodPost, "/graphql", plainGraphQL{document, variables}, func() any { return new(envelope) }})
}

func listJobs() Case {
	c := newMemory(http.StatusOK, Jobs(1, 100)).clients()
	return c.calls("ListJobs", func(ctx context.Context) error {
		options := &serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: 100}}
		_, _, err := c.ours.Jobs.List(ctx, serviceapi.ProjectID(1), options)
		return err
	}, func(ctx context.Context) error {
		options := &clientgo.ListJobsOptions{ListOptions: clientgo.ListOptions{PerPage: 100}}
		_, _, err := c.peer.Jobs.ListProjectJobs(1, options, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodGet, "/projects/1/jobs?per_page=100", nil, PlainJobs})
}

func postUser() Case {
	c := newMemory(http.StatusCreated, UserJSON()).clients()
	user := plainCreateUser{
		Email: "ada@corp.example.com", Name: "Ada Lovelace", Username: "ada",
		ForceRandomPassword: true, SkipConfirmation: true,
	}
	return c.calls("PostUser", func(ctx context.Context) error {
		_, _, err := c.ours.Users.Create(ctx, serviceapi.CreateUserOptions{
			Email: user.Email, Name: user.Name, Username: user.Username,
			ForceRandomPassword: &user.ForceRandomPassword, SkipConfirmation: &user.SkipConfirmation,
		})
		return err
	}, func(ctx context.Context) error {
		_, _, err := c.peer.Users.CreateUser(&clientgo.CreateUserOptions{
			Email: &user.Email, Name: &user.Name, Username: &user.Username,
			ForceRandomPassword: &user.ForceRandomPassword, SkipConfirmation: &user.SkipConfirmation,
		}, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodPost, "/users", user, plain(UserJSON())})
}

// postCommit is a commit of four small files.
func postCommit() Case {
	c := newMemory(http.StatusCreated, CommitJSON()).clients()
	commit := plainCreateCommit{Branch: "main", CommitMessage: "Add the notes"}
	for _, name := range []string{"a.md", "b.md", "c.md", "d.md"} {
		content := strings.Repeat("The engine weaves \"algebraical\" patterns.\n", 25)
		commit.Actions = append(commit.Actions, plainCommitAction{"create", name, content})
	}
	return c.calls("PostCommit", func(ctx context.Context) error {
		options := serviceapi.CreateCommitOptions{Branch: commit.Branch, CommitMessage: commit.CommitMessage}
		for _, a := range commit.Actions {
			options.Actions = append(options.Actions, serviceapi.CreateFileAction(a.FilePath, []byte(a.Content)))
		}
		_, _, err := c.ours.Commits.Create(ctx, serviceapi.ProjectID(1), options)
		return err
	}, func(ctx context.Context) error {
		options := &clientgo.CreateCommitOptions{Branch: &commit.Branch, CommitMessage: &commit.CommitMessage}
		for _, a := range commit.Actions {
			options.Actions = append(options.Actions, &clientgo.CommitActionOptions{
				Action: new(clientgo.FileCreate), FilePath: &a.FilePath, Content: &a.Content,
			})
		}
		_, _, err := c.peer.Commits.CreateCommit(1, options, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodPost, "/projects/1/repository/commits", commit, plain(CommitJSON())})
}

func postDeployKey() Case {
	c := newMemory(http.StatusCreated, DeployKeyJSON).clients()
	key := plainCreateDeployKey{
		Title:   "deployer",
		Key:     "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJAe8mFKzbgM1NsZ5ywUbbaWWhOHkpvX0DiHDZ2nBXJQ",
		CanPush: true,
	}
	return c.calls("PostDeployKey", func(ctx context.Context) error {
		options := serviceapi.CreateDeployKeyOptions{Title: key.Title, Key: key.Key, CanPush: &key.CanPush}
		_, _, err := c.ours.DeployKeys.Create(ctx, serviceapi.ProjectID(1), options)
		return err
	}, func(ctx context.Context) error {
		options := &clientgo.AddDeployKeyOptions{Title: &key.Title, Key: &key.Key, CanPush: &key.CanPush}
		_, _, err := c.peer.DeployKeys.AddDeployKey(1, options, clientgo.WithContext(ctx))
		return err
	}, request{http.MethodPost, "/projects/1/deploy_keys", key, plain(DeployKeyJSON)})
}

func getSettings() Case {
	c := newMemory(http.StatusOK, SettingsJSON()).clients()
	return c.calls("GetSettings", func(ctx context.Context) error {
		_, _, err := c.ours.Settings.Get(ctx)
		return err
	}, func(ctx context.Context) error {
		_, _, err := c.peer.Settings.GetSettings(clientgo.WithContext(ctx))
		return err
	}, request{http.MethodGet, "/application/settings", nil, plain(SettingsJSON())})
}

var errNoError = errors.New("the error was lost")

const notFoundMessage = "404 Project Not Found"

// jobNotFound is an error that a program examines. The peer loses the message
// of a 404; this library keeps it.
func jobNotFound() Case {
	c := newMemory(http.StatusNotFound, `{"message":"`+notFoundMessage+`"}`).clients()
	return c.calls("NotFound", func(ctx context.Context) error {
		_, _, err := c.ours.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
		if e, ok := errors.AsType[*serviceapi.Error](err); !ok || e.Message != notFoundMessage {
			return errNoError
		}
		return nil
	}, func(ctx context.Context) error {
		_, _, err := c.peer.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
		if !errors.Is(err, clientgo.ErrNotFound) {
			return errNoError
		}
		return nil
	}, request{http.MethodGet, jobPath, nil, func() any { return new(plainError) }})
}

// forbiddenPage is a 403 with a web page of 4 KB, as a proxy sends it.
func forbiddenPage() Case {
	page := "<!DOCTYPE html><html><head><title>Forbidden</title></head><body>" +
		strings.Repeat("<p>The engine does not originate anything.</p>\n", 85) + "</body></html>"
	m := newMemory(http.StatusForbidden, page)
	m.contentType = "text/html; charset=utf-8"
	c := m.clients()
	forbidden := func(got int) error {
		if got != http.StatusForbidden {
			return errNoError
		}
		return nil
	}
	return Case{Name: "ForbiddenPage", memory: m, Ways: map[Contender]Way{
		Ours: func(ctx context.Context) error {
			_, resp, err := c.ours.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
			if err == nil {
				return errNoError
			}
			return forbidden(resp.StatusCode)
		},
		Peer: func(ctx context.Context) error {
			_, resp, err := c.peer.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
			if err == nil {
				return errNoError
			}
			return forbidden(resp.StatusCode)
		},
		Bare: func(ctx context.Context) error { return c.plain.Call(ctx, http.MethodGet, jobPath, nil, nil) },
	}}
}
