package servicetest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A projectTopic is a word that projects have.
type projectTopic struct {
	svc                      *Service
	id                       int64
	name, title, description string
	avatar                   picture
}

// projectTopics keeps the topics of a service.
type projectTopics struct{ topics table[*projectTopic] }

var topicTable = collection.Table[*call, *Service, projectTopic]{
	Param: "id", ID: func(t *projectTopic) int64 { return t.id },
	Home:    func(c *call) (*Service, *reply) { return c.svc, nil },
	Records: func(_ *call, s *Service) []*projectTopic { return s.allTopics() },
	Fields: []collection.Field[projectTopic]{
		collection.Shown("id", func(t *projectTopic) int64 { return t.id }),
		collection.Text("name", func(t *projectTopic) *string { return &t.name }).Required(),
		collection.Text("title", func(t *projectTopic) *string { return &t.title }).Required(),
		collection.Note("description", func(t *projectTopic) *string { return &t.description }),
		collection.Shown("total_projects_count", func(t *projectTopic) int { return len(t.projects()) }),
		collection.Shown("organization_id", func(*projectTopic) int64 { return 1 }),
		collection.Shown("avatar_url", func(t *projectTopic) any {
			if t.avatar.name == "" {
				return nil
			}
			return t.svc.webURL("uploads/-/system/projects/topic/avatar", frame.Itoa(t.id), t.avatar.name)
		}),
	},
	Filters: []collection.Filter[projectTopic]{
		collection.Search("search", func(t *projectTopic) string { return t.name },
			func(t *projectTopic) string { return t.title }),
		func(f frame.Fields) func(*projectTopic) bool {
			if !f.Bool("without_projects") {
				return nil
			}
			return func(t *projectTopic) bool { return len(t.projects()) == 0 }
		},
		func(f frame.Fields) func(*projectTopic) bool {
			wanted := f.Int64("organization_id")
			return func(*projectTopic) bool { return wanted == 0 || wanted == 1 }
		},
	},
	New: func(c *call, s *Service) *projectTopic { return &projectTopic{svc: s} },
	Read: func(c *call, _ *Service, t *projectTopic, _ bool) {
		frame.Accept(c.Int64, "organization_id")
		c.checkAvatar()
		t.avatar = c.avatar(t.avatar)
	},
	Check: func(_ *call, s *Service, draft, before *projectTopic) *reply {
		if refusal := draft.problem(before); refusal != nil || before == nil || before.name == draft.name {
			return refusal
		}
		before.replace(draft.name)
		return nil
	},
	Add: func(_ *call, s *Service, t *projectTopic) { t.id, _ = state[projectTopics](s).topics.add(0, t) },
	Remove: func(_ *call, s *Service, t *projectTopic) {
		t.replace("")
		state[projectTopics](s).topics.remove(t.id)
	},
}

// allTopics returns the topics by the number of their projects that are not private. Words that
// projects have without a topic get one first.
func (s *Service) allTopics() []*projectTopic {
	all := &state[projectTopics](s).topics
	known := make(map[string]bool)
	for _, t := range all.all(nil) {
		known[strings.ToLower(t.name)] = true
	}
	for _, p := range s.projects.all(nil) {
		for _, word := range p.topics {
			if !known[strings.ToLower(word)] {
				known[strings.ToLower(word)] = true
				t := &projectTopic{svc: s, name: word, title: word}
				t.id, _ = all.add(0, t)
			}
		}
	}
	shown := func(t *projectTopic) int {
		return len(slices.DeleteFunc(t.projects(), func(p *Project) bool { return p.visibility == "private" }))
	}
	found := all.all(nil)
	slices.SortStableFunc(found, func(a, b *projectTopic) int { return cmp.Compare(shown(b), shown(a)) })
	return found
}

// projects returns the projects with the topic.
func (t *projectTopic) projects() []*Project {
	return t.svc.projects.all(func(p *Project) bool { return t.index(p) >= 0 })
}

func (t *projectTopic) index(p *Project) int {
	return slices.IndexFunc(p.topics, func(word string) bool { return strings.EqualFold(word, t.name) })
}

// replace gives the projects of the topic another word, unless they have that already, or none.
func (t *projectTopic) replace(word string) {
	for _, p := range t.projects() {
		words := slices.Clone(p.topics)
		at := t.index(p)
		words = slices.Delete(words, at, at+1)
		if word != "" && !slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, word) }) {
			words = slices.Insert(words, at, word)
		}
		p.topics = words
		p.svc.touch(p)
	}
}

// problem refuses a name that cannot be, or that another topic has.
func (t *projectTopic) problem(before *projectTopic) *reply {
	taken := slices.ContainsFunc(t.svc.allTopics(), func(other *projectTopic) bool {
		return (before == nil || other.id != before.id) && strings.EqualFold(other.name, t.name)
	})
	switch {
	case utf8.RuneCountInString(t.name) > 255:
		return frame.FieldErrors("name", "is too long (maximum is 255 characters)")
	case strings.ContainsAny(t.name, "\n\v\f\r\u0085\u2028\u2029"):
		return frame.FieldErrors("name", "has characters that are not allowed")
	case taken:
		return frame.FieldErrors("name", "has already been taken")
	case utf8.RuneCountInString(t.description) > 1024:
		return frame.FieldErrors("description", "is too long (maximum is 1024 characters)")
	}
	return nil
}

func mergeTopics(c *call) *reply {
	c.Require("source_topic_id", "target_topic_id")
	ids := []int64{c.Int64("source_topic_id"), c.Int64("target_topic_id")}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	c.svc.allTopics()
	topics := &state[projectTopics](c.svc).topics
	source, hasSource := topics.get(ids[0])
	target, hasTarget := topics.get(ids[1])
	switch {
	case !hasSource || !hasTarget:
		return frame.NotFound("")
	case source == target:
		return frame.Message(400, "The source topic and the target topic are identical.")
	}
	source.replace(target.name)
	topics.remove(source.id)
	return c.Created(topicTable.Form(c, c.svc, target))
}
