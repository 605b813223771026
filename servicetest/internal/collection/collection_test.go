package collection_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A thing has a field of every kind.
type thing struct {
	id                  int64
	name, note, kind    string
	secret              string
	tags                []string
	closed              bool
	createdAt, due, end time.Time
}

// A shelf is a home of things.
type shelf struct {
	things []*thing
	last   int64
	saved  int
}

// A call adds the service's own part to the frame's call.
type call struct {
	frame.Call

	shelf *shelf
	level int
}

var nine = time.Date(2026, time.January, 15, 9, 0, 0, 0, time.UTC)

// things is a plain collection: this table is all that it needs.
var things = collection.Table[*call, *shelf, thing]{
	Name: "Thing", Param: "thing_id",
	ID:      func(t *thing) int64 { return t.id },
	Home:    func(c *call) (*shelf, *frame.Reply) { return c.shelf, nil },
	Records: func(_ *call, s *shelf) []*thing { return s.things },
	Level:   func(c *call, _ *shelf) int { return c.level },
	Fields: []collection.Field[thing]{
		collection.Shown("id", func(t *thing) int64 { return t.id }),
		collection.Text("name", func(t *thing) *string { return &t.name }).Required().Unique().Max(8).
			Match(regexp.MustCompile(`^\w+$`), "can contain only letters and digits"),
		collection.Note("note", func(t *thing) *string { return &t.note }).SetBy(40),
		collection.Choice("kind", func(t *thing) *string { return &t.kind }, "plain", "odd"),
		collection.Choices("tags", func(t *thing) *[]string { return &t.tags }, "a", "b"),
		collection.Flag("closed", func(t *thing) *bool { return &t.closed }),
		collection.Moment("created_at", func(t *thing) *time.Time { return &t.createdAt }).ReadOnly(),
		collection.Moment("end", func(t *thing) *time.Time { return &t.end }).Unseen(),
		collection.Day("due", func(t *thing) *time.Time { return &t.due }).Once(),
		collection.Text("secret", func(t *thing) *string { return &t.secret }).Present().SeenBy(40),
		collection.Shown("late", func(t *thing) any {
			if t.due.IsZero() {
				return nil
			}
			return t.due.Before(nine)
		}).Omitted(),
	},
	Filters: []collection.Filter[thing]{
		collection.Search("search", func(t *thing) string { return t.name }, func(t *thing) string { return t.note }),
		collection.Equal("kind", func(t *thing) string { return t.kind }, "plain", "odd"),
		collection.Is("closed", func(t *thing) bool { return t.closed }),
		collection.Among("ids", func(t *thing) int64 { return t.id }),
		collection.Span("due_after", "due_before", func(t *thing) time.Time { return t.due }),
	},
	Orders: []collection.Order[thing]{
		{Name: "name", Compare: func(a, b *thing) int { return cmp.Compare(a.name, b.name) }},
	},
	Keyset: &collection.Keyset[thing]{
		OrderBy: "name", Sorts: []string{"desc"}, Key: func(t *thing) string { return t.name },
	},
	New:     func(*call, *shelf) *thing { return &thing{kind: "plain", createdAt: nine, tags: []string{}} },
	Add:     func(_ *call, s *shelf, t *thing) { s.last++; t.id = s.last; s.things = append(s.things, t) },
	Saved:   func(_ *call, s *shelf, _ *thing) { s.saved++ },
	Changed: func(t *thing) time.Time { return t.createdAt },
	Remove: func(_ *call, s *shelf, t *thing) {
		var kept []*thing
		for _, other := range s.things {
			if other != t {
				kept = append(kept, other)
			}
		}
		s.things = kept
	},
}

// send calls a handler of the table and returns the status and the body.
func send(t *testing.T, s *shelf, level int, request, body string, headers ...string) string {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	id := strings.TrimPrefix(r.URL.Path, "/things/")
	framed, refusal := frame.NewCall(r, map[string]any{"thing_id": id})
	if refusal == nil {
		refusal = framed.DecodeBody(0)
	}
	c := &call{framed, s, level}
	handle := map[string]func(*call) *frame.Reply{
		"POST": things.Create, "PUT": things.Update, "DELETE": things.Delete, "GET": things.Get,
	}[method]
	if id == "/things" && method == "GET" {
		handle = things.List
	}
	if refusal == nil {
		refusal = handle(c)
	}
	w := httptest.NewRecorder()
	refusal.Write(w, r)
	return http.StatusText(w.Code) + " " + w.Body.String()
}

// TestTable checks what a table provides: the five handlers, their parameters and their
// refusals.
func TestTable(t *testing.T) {
	s := new(shelf)
	one := `{"id":1,"name":"one","note":"first","kind":"odd","tags":["a"],"closed":true,` +
		`"created_at":"2026-01-15T09:00:00.000Z","due":"2026-01-01","secret":"x","late":true}`
	two := `{"id":2,"name":"two","note":null,"kind":"plain","tags":[],"closed":false,` +
		`"created_at":"2026-01-15T09:00:00.000Z","due":null,"secret":""}`
	changed := strings.Replace(strings.Replace(one, `"one"`, `"uno"`, 1), `"x"`, `"y"`, 1)
	for _, step := range []struct{ request, body, want string }{
		{"POST /things", `{}`, `Bad Request {"error":"name is missing, secret is missing"}`},
		{"POST /things", `{"name":"","secret":""}`, `Bad Request {"error":"name is empty"}`},
		{"POST /things", `{"name":"a b","secret":""}`,
			`Bad Request {"message":{"name":["can contain only letters and digits"]}}`},
		{"POST /things", `{"name":"ninechars","secret":""}`,
			`Bad Request {"message":{"name":["is too long (maximum is 8 characters)"]}}`},
		{"POST /things", `{"name":"one","secret":"","kind":"even","tags":["c"],"closed":2,"due":"soon"}`,
			`Bad Request {"error":"kind does not have a valid value, tags does not have a valid value, ` +
				`closed is invalid, due is invalid"}`},
		{"POST /things", `{"name":"one","secret":"x","note":"first","kind":"odd","tags":["a"],` +
			`"closed":true,"due":"2026-01-01"}`,
			"Created " + one},
		{"POST /things", `{"name":"one","secret":""}`, `Bad Request {"message":{"name":["has already been taken"]}}`},
		{"POST /things", `{"name":"two","secret":"","id":9,"created_at":"2020-01-01"}`, "Created " + two},
		{"GET /things/2", "", "OK " + two},
		{"GET /things/3", "", `Not Found {"message":"404 Thing Not Found"}`},
		{"GET /things", "", "OK [" + one + "," + two + "]"},
		{"GET /things?sort=name_desc", "", "OK [" + two + "," + one + "]"},
		{"GET /things?sort=size_asc", "", `Bad Request {"error":"sort does not have a valid value"}`},
		{"GET /things?search=FIRST", "", "OK [" + one + "]"},
		{"GET /things?kind=plain", "", "OK [" + two + "]"},
		{"GET /things?kind=even&closed=2", "",
			`Bad Request {"error":"kind does not have a valid value, closed is invalid"}`},
		{"GET /things?closed=false", "", "OK [" + two + "]"},
		{"GET /things?ids[]=2&ids[]=7", "", "OK [" + two + "]"},
		{"GET /things?due_before=2026-02-01", "", "OK [" + one + "]"},
		{"GET /things?per_page=1&page=2", "", "OK [" + two + "]"},
		{"GET /things?pagination=keyset&order_by=name&sort=desc", "", "OK [" + two + "," + one + "]"},
		{"GET /things?pagination=keyset&order_by=name&sort=desc&cursor=dHdv", "", "OK [" + one + "]"},
		{"PUT /things/1", `{"name":"two"}`, `Bad Request {"message":{"name":["has already been taken"]}}`},
		{"PUT /things/1", `{"name":""}`, `Bad Request {"error":"name is empty"}`},
		{"PUT /things/1", `{"name":"uno","secret":"y","due":"2030-01-01","kind":""}`, "OK " + changed},
		{"PUT /things/7", `{}`, `Not Found {"message":"404 Thing Not Found"}`},
		{"DELETE /things/2", "", "No Content "},
		{"DELETE /things/2", "", `Not Found {"message":"404 Thing Not Found"}`},
		{"GET /things", "", "OK [" + changed + "]"},
	} {
		if got := send(t, s, 40, step.request, step.body); got != step.want {
			t.Errorf("%s %s:\n%s\nwant\n%s", step.request, step.body, got, step.want)
		}
	}
	if s.saved != 1 {
		t.Errorf("saved %d times", s.saved)
	}
	old := send(t, s, 40, "DELETE /things/1", "", "If-Unmodified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")
	if !strings.HasPrefix(old, "Precondition Failed") {
		t.Error(old)
	}
}

// TestNamedTable checks a table whose records the path names, and which has its own words for
// refusals. It also lists all records at once.
func TestNamedTable(t *testing.T) {
	named, s := things, &shelf{things: []*thing{{id: 1, name: "two"}, {id: 2, name: "one"}}}
	named.Key = func(t *thing) string { return t.name }
	named.Refuse = func(field, problem string) *frame.Reply {
		return frame.BadRequest(frame.Sentence(field, problem))
	}
	record := func(c *call) *frame.Reply {
		found, refusal := named.Record(c)
		if refusal != nil {
			return refusal
		}
		return c.OK(found.id)
	}
	for _, step := range []struct {
		handle           func(*call) *frame.Reply
		key, query, want string
	}{
		{record, "one", "", "OK 2"},
		{record, "1", "", `Not Found {"message":"404 Thing Not Found"}`},
		{named.Update, "one", "name=two", `Bad Request {"message":"400 Bad request - Name has already been taken"}`},
		{named.Update, "one", "name=ninechars",
			`Bad Request {"message":"400 Bad request - Name is too long (maximum is 8 characters)"}`},
		{named.Delete, "two", "", "No Content "},
		{named.ListAll, "", "page=2",
			`OK [{"id":2,"name":"one","note":null,"kind":"","tags":null,"closed":false,"created_at":null,"due":null,` +
				`"secret":""}]`},
		{named.Delete, "one", "", "No Content "},
		{named.ListAll, "", "", "OK []"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/things?"+step.query, nil)
		framed, _ := frame.NewCall(r, map[string]any{"thing_id": step.key})
		w := httptest.NewRecorder()
		step.handle(&call{framed, s, 40}).Write(w, r)
		if got := http.StatusText(w.Code) + " " + w.Body.String(); got != step.want {
			t.Errorf("%s %s:\n%s\nwant\n%s", step.key, step.query, got, step.want)
		}
	}
}

// TestLevels checks who may read and write a field.
func TestLevels(t *testing.T) {
	s := &shelf{things: []*thing{{id: 1, name: "one", note: "n", kind: "odd", secret: "s"}}}
	got := send(t, s, 30, "PUT /things/1", `{"note":"changed","kind":"plain","secret":"changed"}`)
	want := `OK {"id":1,"name":"one","note":"n","kind":"plain","tags":null,"closed":false,"created_at":null,"due":null}`
	if got != want || s.things[0].secret != "changed" {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestShow checks a record within another one.
func TestShow(t *testing.T) {
	if collection.Show(things.Fields, nil) != nil {
		t.Error("no record is not null")
	}
	form := collection.Show(things.Fields[:2], &thing{id: 7, name: `"`})
	form.Add("name", "new")
	form.Add("more", 1)
	if got, err := form.MarshalJSON(); string(got) != `{"id":7,"name":"new","more":1}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	form.Add("broken", func() {})
	if _, err := form.MarshalJSON(); err == nil {
		t.Error("a function was encoded")
	}
}

// TestForm checks forms that are made of pairs, and joined.
func TestForm(t *testing.T) {
	form := collection.NewForm("b", 1, "a", nil)
	form.Join(collection.NewForm("c", []string{"x"}, "b", 2))
	form.Join(collection.NewForm())
	if got, err := form.MarshalJSON(); string(got) != `{"b":2,"a":null,"c":["x"]}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestSort checks the parameters order_by and sort, and their defaults.
func TestSort(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	orders := []collection.Order[thing]{
		collection.ByTime("due", func(t *thing) time.Time { return t.due }),
		collection.By("name", func(t *thing) string { return t.name }),
	}
	for _, test := range []struct{ query, usual, want string }{
		{"", "asc", "3 1 2"},
		{"", "desc", "2 1 3"},
		{"sort=asc", "desc", "3 1 2"},
		{"order_by=name", "asc", "2 1 3"},
		{"order_by=name&sort=desc", "asc", "3 1 2"},
		{"order_by=size&sort=up", "asc", "refused"},
	} {
		records := []*thing{
			{id: 2, name: "a", due: day(2)}, {id: 1, name: "b", due: day(2)}, {id: 3, name: "c", due: day(1)},
		}
		c, _ := frame.NewCall(httptest.NewRequest("GET", "/things?"+test.query, nil), nil)
		collection.Sort(c.Fields, records, test.usual, func(t *thing) int64 { return t.id }, orders)
		got := fmt.Sprint(records[0].id, records[1].id, records[2].id)
		if c.Refusal() != nil {
			got = "refused"
		}
		if got != test.want {
			t.Errorf("%s %s: %s, want %s", test.query, test.usual, got, test.want)
		}
	}
}
