package wiretests

import (
	"context"
	"iter"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeTopic is testdata/topics/topic.json.
var wholeTopic = &serviceapi.Topic{
	ID: 9, Name: "math", Title: "Mathematics", Description: "Numbers", TotalProjectsCount: 12,
	OrganizationID: new(int64(3)),
	AvatarURL:      "http://service.test/uploads/-/system/projects/topic/avatar/9/pi.png",
}

func TestTopics(t *testing.T) {
	const whole = "topics/topic.json"
	type c = serviceapi.Client
	assertPlainList(t, "/topics", whole, wholeTopic,
		func(c *c, ctx context.Context, o *serviceapi.ListOptions) ([]*serviceapi.Topic, *serviceapi.Response, error) {
			return c.Topics.List(ctx, &serviceapi.ListTopicsOptions{ListOptions: *o})
		}, func(c *c, ctx context.Context, _ *serviceapi.ListOptions) iter.Seq2[*serviceapi.Topic, error] {
			return c.Topics.All(ctx, nil)
		})
	client := onWire(t,
		exchange{Method: "GET", Path: "/topics", Body: "[]",
			Query: "organization_id=3&search=a+b&without_projects=true"},
		exchange{Method: "GET", Path: "/topics/9", Fixture: whole},
		exchange{Method: "POST", Path: "/topics", Status: 201, Fixture: whole, JSON: `{"name":"a","title":"b"}`},
		exchange{Method: "POST", Path: "/topics", Status: 201, Fixture: whole,
			JSON: `{"name":"a","title":"b","description":"c","organization_id":3}`},
		exchange{Method: "PUT", Path: "/topics/9", Fixture: whole, JSON: `{}`},
		exchange{Method: "PUT", Path: "/topics/9", Fixture: whole, JSON: `{"name":"a","title":"b","description":"c"}`},
		exchange{Method: "PUT", Path: "/topics/9", Fixture: whole, JSON: `{"title":"b","avatar":""}`},
		exchange{Method: "DELETE", Path: "/topics/9", Status: 204},
		exchange{Method: "POST", Path: "/topics/merge", Status: 201, Fixture: whole,
			JSON: `{"source_topic_id":8,"target_topic_id":9}`})
	s, ctx := client.Topics, t.Context()
	none, _, err := s.List(ctx,
		&serviceapi.ListTopicsOptions{Search: "a b", WithoutProjects: true, OrganizationID: 3})
	require.NoError(t, err)
	assert.Empty(t, none)
	checked := func(got *serviceapi.Topic, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeTopic, got)
	}
	checked(s.Get(ctx, 9))
	checked(s.Create(ctx, serviceapi.CreateTopicOptions{Name: "a", Title: "b"}))
	checked(s.Create(ctx, serviceapi.CreateTopicOptions{Name: "a", Title: "b", Description: new("c"),
		OrganizationID: new(int64(3))}))
	checked(s.Update(ctx, 9, serviceapi.UpdateTopicOptions{}))
	checked(s.Update(ctx, 9, serviceapi.UpdateTopicOptions{Name: new("a"), Title: new("b"), Description: new("c")}))
	checked(s.Update(ctx, 9, serviceapi.UpdateTopicOptions{Title: new("b"), RemoveAvatar: true}))
	resp, err := s.Delete(ctx, 9)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	checked(s.Merge(ctx, serviceapi.MergeTopicsOptions{SourceTopicID: 8, TargetTopicID: 9}))

	assertRefused(t, "Name", errorOf(s.Create(ctx, serviceapi.CreateTopicOptions{Title: "b"})))
	assertRefused(t, "Title", errorOf(s.Create(ctx, serviceapi.CreateTopicOptions{Name: "a"})))
	assertRefused(t, "SourceTopicID", errorOf(s.Merge(ctx, serviceapi.MergeTopicsOptions{TargetTopicID: 9})))
	assertRefused(t, "TargetTopicID", errorOf(s.Merge(ctx, serviceapi.MergeTopicsOptions{SourceTopicID: 9})))
	assertRefused(t, "RemoveAvatar", errorOf(s.Update(ctx, 9, serviceapi.UpdateTopicOptions{RemoveAvatar: true,
		Avatar: &serviceapi.Upload{Filename: "a", Content: strings.NewReader("a")}})))
	assertRefused(t, "id", errorOf(s.Get(ctx, 0)))
	assertRefused(t, "id", errorOf(s.Update(ctx, -1, serviceapi.UpdateTopicOptions{})))
	assertRefused(t, "id", second(s.Delete(ctx, 0)))
}
