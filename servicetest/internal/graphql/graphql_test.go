package graphql

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A shelf is the data behind the schema of the tests.
type shelf struct {
	name  string
	books []book
}

type book struct {
	id    int64
	title string
}

// schemaOfShelves returns a schema whose context is a shelf.
func schemaOfShelves() *Schema[*shelf] {
	books := &Type[*shelf]{Name: "Book", Fields: map[string]*Field[*shelf]{
		"id":    Scalar[*shelf](func(b book) any { return b.id }),
		"title": Scalar[*shelf](func(b book) any { return b.title }),
		"lost":  {Resolve: func(*shelf, any, Args) (any, error) { return nil, errors.New("it is lost") }},
	}}
	byID := func(b book) int64 { return b.id }
	query := &Type[*shelf]{Name: "Query", Fields: map[string]*Field[*shelf]{
		"name": {Resolve: func(s *shelf, _ any, _ Args) (any, error) { return s.name, nil }},
		"books": {Type: Connection(books), Args: PageArgs("newest", "Boolean"),
			Resolve: func(s *shelf, _ any, args Args) (any, error) {
				newest := args["newest"] == true
				items := slices.Clone(s.books)
				if newest {
					slices.Reverse(items)
				}
				return PageOf(args, items, newest, byID)
			}},
		"none": {Type: books, Resolve: func(*shelf, any, Args) (any, error) { return nil, nil }},
		"echo": {Args: map[string]string{"value": "JSON", "must": "Int!"},
			Resolve: func(_ *shelf, _ any, args Args) (any, error) {
				return args["value"], nil
			}},
		"str": {Args: map[string]string{"of": "String"}, Resolve: func(_ *shelf, _ any, args Args) (any,
			error) {
			return args.String("of")
		}},
		"int": {Args: map[string]string{"of": "Int"}, Resolve: func(_ *shelf, _ any, args Args) (any,
			error) {
			return args.Int("of", 7)
		}},
	}}
	mutation := &Type[*shelf]{Name: "Mutation", Fields: map[string]*Field[*shelf]{
		"rename": {Args: map[string]string{"to": "String!"}, Resolve: func(s *shelf, _ any, args Args) (any, error) {
			name, err := args.String("to")
			s.name = name
			return name, err
		}},
	}}
	return &Schema[*shelf]{Query: query, Mutation: mutation}
}

// execute returns the response to a document as JSON.
func execute(t *testing.T, schema *Schema[*shelf], on *shelf, document, variables string) string {
	t.Helper()
	operation, refusal := Parse(document, "")
	response := Response{}
	if refusal != nil {
		response.Errors = []Error{*refusal}
	} else {
		decoder := json.NewDecoder(strings.NewReader(variables))
		decoder.UseNumber()
		given := map[string]any{}
		if err := decoder.Decode(&given); variables != "" && err != nil {
			t.Fatal(err)
		}
		response = schema.Execute(on, operation, given)
	}
	data, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func oneShelf() *shelf {
	return &shelf{name: "crime", books: []book{{1, "One"}, {2, "Two"}, {3, "Three"}}}
}

func TestLiterals(t *testing.T) {
	for literal, want := range map[string]string{
		`true`: `true`, `false`: `false`, `null`: `null`, `HARD`: `"HARD"`, `-1.5e3`: `-1.5e3`, `12`: `12`,
		`"a\n\u00e9"`: `"a\né"`, `"""block "x" \n"""`: `"block \"x\" \\n"`, `""`: `""`,
		`[1, true, null, [A]]`: `[1,true,null,["A"]]`, `[]`: `[]`, `{}`: `{}`,
		`{a: {b: null, c: false}}`: `{"a":{"b":null,"c":false}}`,
		`$given`:                   `"here"`, `[$given, {x: $absent}]`: `["here",{"x":null}]`, `$fallback`: `true`,
	} {
		document := `query ($given: String, $absent: Int, $fallback: Boolean! = true) { echo(must: 1, value: ` +
			literal + `) }`
		got := execute(t, schemaOfShelves(), oneShelf(), document, `{"given":"here"}`)
		if got != `{"data":{"echo":`+want+`}}` {
			t.Errorf("%s: %s", literal, got)
		}
	}
}

// TestWindows reads pages forward and backward, of books in the order of their IDs and in
// another one.
func TestWindows(t *testing.T) {
	shelf := &shelf{books: []book{{4, "D"}, {1, "A"}, {3, "C"}, {2, "B"}}}
	titles := func(made any) (text string) {
		for _, node := range made.(*page).nodes {
			text += node.(book).title
		}
		return text
	}
	for _, tc := range []struct {
		args       Args
		want       string
		prev, next bool
	}{
		{Args{}, "DACB", false, false},
		{Args{"first": json.Number("2")}, "DA", false, true},
		{Args{"first": json.Number("2"), "after": cursorOf(2)}, "CB", true, false},
		{Args{"after": cursorOf(4)}, "", true, false},
		{Args{"last": json.Number("1")}, "B", true, false},
		{Args{"last": json.Number("2"), "before": cursorOf(4)}, "AC", true, true},
		{Args{"before": cursorOf(1)}, "", false, true},
		{Args{"after": cursorOf(1), "before": cursorOf(4)}, "AC", true, true},
		{Args{"after": cursorOf(3), "before": cursorOf(2)}, "", true, true},
		{Args{"last": json.Number("0")}, "", true, false},
	} {
		made, err := PageInOrder(tc.args, shelf.books)
		if err != nil {
			t.Fatal(err)
		}
		p := made.(*page)
		if titles(made) != tc.want || p.hasPrev != tc.prev || p.hasNext != tc.next || p.count != 4 {
			t.Errorf("%v: %q, %v, %v", tc.args, titles(made), p.hasPrev, p.hasNext)
		}
	}
	for _, args := range []Args{{"after": "x"}, {"before": "x"}, {"last": "x"}, {"first": json.Number("-1")}} {
		if _, err := PageInOrder(args, shelf.books); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

// TestComplexity compares the complexity of operations with that of the largest that is
// allowed.
func TestComplexity(t *testing.T) {
	for document, cost := range map[string]int{
		`{ name }`:                                    1,
		`{ name __typename }`:                         2,
		`{ books(first: 10) { count } }`:              2, // 2 * 1.1
		`{ books { nodes { id title } } }`:            8, // 4 * 2
		`{ books(first: 50) { nodes { id title } } }`: 6,
		`{ none { id } str(of: "x") }`:                3,
		`query ($n: Int = 25) { books(first: $n) { nodes { id title } } }`: 5,
	} {
		for limit, isAllowed := range map[int]bool{cost: true, cost - 1: false} {
			schema := schemaOfShelves()
			schema.MaxComplexity = func(*shelf) int { return limit }
			got := execute(t, schema, oneShelf(), document, "")
			refusal := fmt.Sprintf("Query has complexity of %d, which exceeds max complexity of %d", cost, limit)
			if strings.Contains(got, "complexity") == isAllowed || !isAllowed && !strings.Contains(got, refusal) {
				t.Errorf("%s with a limit of %d: %s", document, limit, got)
			}
		}
	}
}

func TestPages(t *testing.T) {
	const fields = ` { count nodes { title } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor ` +
		`endCursor } } }`
	page := func(args string) (got struct {
		Data struct {
			Books struct {
				Count    int
				Nodes    []struct{ Title string }
				Edges    []struct{ Cursor string }
				PageInfo struct {
					HasNextPage, HasPreviousPage bool
					StartCursor, EndCursor       *string
				}
			}
		}
	},
	) {
		t.Helper()
		if err := json.Unmarshal([]byte(execute(t, schemaOfShelves(), oneShelf(), `{ books`+args+fields, "")),
			&got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, newest := range []bool{false, true} {
		order, begins, ends := ", newest: false", "One", "Three"
		if newest {
			order, begins, ends = ", newest: true", ends, begins
		}
		first := page(`(first: 2` + order + `)`).Data.Books
		if first.Count != 3 || len(first.Nodes) != 2 || first.Nodes[0].Title != begins || !first.PageInfo.HasNextPage ||
			first.PageInfo.HasPreviousPage {
			t.Errorf("first page: %+v", first)
		}
		last := page(`(first: 2, after: "` + *first.PageInfo.EndCursor + `"` + order + `)`).Data.Books
		if len(last.Nodes) != 1 || last.Nodes[0].Title != ends || last.PageInfo.HasNextPage ||
			!last.PageInfo.HasPreviousPage {
			t.Errorf("last page: %+v", last)
		}
		if *last.PageInfo.StartCursor != *last.PageInfo.EndCursor || last.Edges[0].Cursor != *last.PageInfo.EndCursor {
			t.Errorf("cursors of the last page: %+v", last)
		}
		behind := page(`(after: "` + *last.PageInfo.EndCursor + `"` + order + `)`).Data.Books
		if len(behind.Nodes) != 0 || behind.PageInfo.HasNextPage || behind.PageInfo.EndCursor != nil {
			t.Errorf("behind the last page: %+v", behind)
		}
	}
	// A page with exactly the remaining items is the last one.
	if full := page(`(first: 3)`).Data.Books; full.PageInfo.HasNextPage || len(full.Nodes) != 3 {
		t.Errorf("the whole list: %+v", full)
	}
	if none := page(`(first: 0)`).Data.Books; !none.PageInfo.HasNextPage || len(none.Nodes) != 0 {
		t.Errorf("an empty page: %+v", none)
	}
}

func TestPagesAreBounded(t *testing.T) {
	s := oneShelf()
	for id := int64(4); id <= 150; id++ {
		s.books = append(s.books, book{id, "More"})
	}
	got := execute(t, schemaOfShelves(), s, `{ books(first: 1000) { nodes { id } pageInfo { hasNextPage } } }`, "")
	if n := strings.Count(got, `"id"`); n != MaxPage || !strings.Contains(got, `"hasNextPage":true`) {
		t.Errorf("%d items: %s", n, got[len(got)-40:])
	}
}

func TestResponses(t *testing.T) {
	for _, c := range []struct{ document, want string }{
		{`{ b: name __typename a: name }`, `{"data":{"b":"crime","__typename":"Query","a":"crime"}}`},
		{`{ none { title } name }`, `{"data":{"none":null,"name":"crime"}}`},
		{`{ str(of: 7) a: str(of: true) b: str c: int d: int(of: 3) }`,
			`{"data":{"str":"7","a":"true","b":"","c":7,"d":3}}`},
		{`{ books(first: 1) { nodes { lost id } } }`,
			`{"data":{"books":{"nodes":[{"lost":null,"id":1}]}},"errors":[{"message":"it is lost",` +
				`"locations":[{"line":1,"column":29}],"path":["books","nodes",0,"lost"]}]}`},
		{`{ str(of: [1]) }`, `{"data":{"str":null},"errors":[{"message":"Argument 'of' has an invalid value",` +
			`"locations":[{"line":1,"column":3}],"path":["str"]}]}`},
		{`{ int(of: -1) }`, `{"data":{"int":null},"errors":[{"message":"Argument 'of' has an invalid value",` +
			`"locations":[{"line":1,"column":3}],"path":["int"]}]}`},
		{`mutation M { rename(to: "new") }`, `{"data":{"rename":"new"}}`},
	} {
		if got := execute(t, schemaOfShelves(), oneShelf(), c.document, ""); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.document, got, c.want)
		}
	}
}

// TestRefusals checks that documents that do not match the schema are not
// executed.
func TestRefusals(t *testing.T) {
	for document, want := range map[string]string{
		`{ shoes }`:                           "Field 'shoes' doesn't exist on type 'Query'",
		`{ none }`:                            "Field 'none' must have selections, as it returns the object type Book",
		`{ name { x } }`:                      "Selections can't be made on 'name', which returns a scalar",
		`{ name(x: 1) }`:                      "Field 'name' doesn't accept argument 'x'",
		`{ echo }`:                            "Field 'echo' is missing required arguments: must",
		`{ echo(must: null) }`:                "Field 'echo' is missing required arguments: must",
		`{ echo(must: [$x]) }`:                "Variable $x is used but not declared",
		`{ echo(must: {a: $x}) }`:             "Variable $x is used but not declared",
		`query ($x: [Int!]!) { str(of: $x) }`: "Variable $x of type [Int!]! was provided invalid value",
		`{ a: name a: name }`:                 "Field 'a' is selected twice; give one of them an alias",
		`mutation { name }`:                   "Field 'name' doesn't exist on type 'Mutation'",
		`mutation { rename(to: "x") shoes }`:  "Field 'shoes' doesn't exist on type 'Mutation'",
	} {
		s := oneShelf()
		var got struct {
			Data   json.RawMessage
			Errors []Error
		}
		if err := json.Unmarshal([]byte(execute(t, schemaOfShelves(), s, document, "")), &got); err != nil {
			t.Fatal(err)
		}
		if got.Data != nil || len(got.Errors) != 1 || got.Errors[0].Message != want ||
			len(got.Errors[0].Locations) != 1 {
			t.Errorf("%s: %s %+v", document, got.Data, got.Errors)
		}
		if s.name != "crime" {
			t.Errorf("%s was executed", document)
		}
	}
}

func TestParse(t *testing.T) {
	for _, document := range []string{"{" + strings.Repeat("a{b} ", 60) + "}", "{ a(b: [" +
		strings.Repeat("[1] {c: 2} ", 60) + "]) }"} {
		if _, err := Parse(document, ""); err != nil {
			t.Errorf("what stands side by side is not deep: %+v", err)
		}
	}
	for document, want := range map[string]string{
		``:                       "No query string was present",
		`{ a } { b }`:            "An operation name is required",
		`{`:                      "Parse error on the end of the document at [1, 2]",
		"{\n é }":                `Parse error on "é" at [2, 2]`,
		`{ a(b: "x`:              "Parse error on a string without end at [1, 8]",
		`{ a(b: """x`:            "Parse error on a string without end at [1, 8]",
		`{ a(b: "\x") }`:         "Parse error on a string with an unknown escape at [1, 8]",
		`{ a(b: 01) }`:           `Parse error on "01" at [1, 8]`,
		`{ a(b: ) }`:             `Parse error on ")" at [1, 8]`,
		`{ a(b: [1 }`:            `Parse error on "}" at [1, 11]`,
		`{ a(1: 2) }`:            `Parse error on "1" at [1, 5]`,
		`query ($x Int) { a }`:   `Parse error on "Int" at [1, 11]`,
		`query ($x: [Int) { a }`: `Parse error on ")" at [1, 16]`,
		`subscription { a }`:     `Parse error on "subscription" at [1, 1]`,
		`{ a @skip(if: true) }`:  `Parse error on "@" at [1, 5]`,
		`{ ...F }`:               `Parse error on "..." at [1, 3]`,
		`{ }`:                    `Parse error on "}" at [1, 3]`,
		strings.Repeat("{a", 60): `Parse error on "{" at [1, 101]`,
		`{ a(b: ` + strings.Repeat("[", 60) + `) }`: `Parse error on "[" at [1, 57]`,
	} {
		if _, err := Parse(document, ""); err == nil || err.Message != want {
			t.Errorf("%s: %+v, want %s", document, err, want)
		}
	}
	const document = "query A { a } # one\nmutation B { b }"
	if o, err := Parse(document, "B"); err != nil || !o.IsMutation() {
		t.Errorf("operation B: %+v, %v", o, err)
	}
	if o, err := Parse(document, "A"); err != nil || o.IsMutation() {
		t.Errorf("operation A: %+v, %v", o, err)
	}
	if _, err := Parse(document, "C"); err == nil || err.Message != `No operation named "C"` {
		t.Errorf("operation C: %v", err)
	}
}

func TestBefore(t *testing.T) {
	schema := schemaOfShelves()
	schema.Before = func(s *shelf, field string) error {
		if field == "Book.title" && s.name == "crime" {
			return Failure("timed out")
		}
		return nil
	}
	got := execute(t, schema, oneShelf(), `{ books(first: 1) { nodes { id title } } }`, "")
	if got != `{"data":{"books":{"nodes":[{"id":1,"title":null}]}},"errors":[{"message":"timed out",`+
		`"locations":[{"line":1,"column":32}],"path":["books","nodes",0,"title"]}]}` {
		t.Error(got)
	}
}

func TestTypes(t *testing.T) {
	schema := schemaOfShelves()
	types := schema.Types()
	for _, name := range []string{"Query", "Mutation", "Book", "BookConnection", "BookEdge", "PageInfo"} {
		if types[name] == nil {
			t.Errorf("type %s is missing", name)
		}
		delete(types, name)
	}
	if len(types) > 0 {
		t.Errorf("%v", types)
	}
	for field, want := range map[string]bool{
		"Query.name": true, "PageInfo.endCursor": true, "Query.shoes": false, "Shoe.name": false, "Query": false,
		"": false,
	} {
		if schema.HasField(field) != want {
			t.Errorf("HasField(%q) is not %t", field, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`query Q($a: [Int!]! = 1) { a: b(c: {d: [$a, "x", """y""", ENUM, null]}) { e } }`)
	f.Fuzz(func(t *testing.T, document string) {
		operation, err := Parse(document, "")
		if (operation == nil) == (err == nil) {
			t.Errorf("%q: %v, %v", document, operation, err)
		}
		if operation != nil {
			schemaOfShelves().Execute(oneShelf(), operation, nil)
		}
	})
}
