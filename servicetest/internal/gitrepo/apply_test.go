package gitrepo

import (
	"errors"
	"slices"
	"testing"
)

func TestApply(t *testing.T) {
	f := newFixture(t)
	executable := true
	request := func(branch string, actions ...Action) Request {
		return Request{Branch: branch, Message: branch, Author: f.by(), Committer: f.by(), Actions: actions}
	}
	first, err := f.Apply(request("main",
		Action{Kind: Create, Path: "a", Content: []byte("a\n"), HasContent: true},
		Action{Kind: Create, Path: "run", Content: []byte("run\n"), HasContent: true, Executable: &executable},
	))
	if err != nil || f.Branch("main") != first || first.Parents != nil || first.Tree["run"].Mode() != "100755" {
		t.Fatalf("%v, %v", first, err)
	}
	second, err := f.Apply(request("main",
		Action{Kind: Update, Path: "run", Content: []byte("run!\n"), HasContent: true, LastCommit: first.SHA},
		Action{Kind: Move, Path: "b", Previous: "a"},
		Action{Kind: Chmod, Path: "b", Executable: &executable},
	))
	if err != nil || !slices.Equal(second.Parents, []string{first.SHA}) {
		t.Fatalf("%v, %v", second, err)
	}
	want := Tree{"run": {NewBlob([]byte("run!\n")), true}, "b": {NewBlob([]byte("a\n")), true}}
	if !second.Tree.Equal(want) {
		t.Errorf("the commit has %q", second.Tree.Paths())
	}
	if len(first.Tree) != 2 || !first.Tree["a"].Exists() {
		t.Error("a commit changed the one before it")
	}
	again := request("old", Action{Kind: Delete, Path: "run"})
	again.Start = first
	made, err := f.Apply(again)
	if err != nil || f.Branch("old") != made || !slices.Equal(made.Tree.Paths(), []string{"a"}) {
		t.Errorf("a branch from the first commit: %v, %v", made, err)
	}
	forced := request("main", Action{Kind: Delete, Path: "a"})
	forced.Start, forced.Force = first, true
	if made, err := f.Apply(forced); err != nil || f.Branch("main") != made ||
		!slices.Equal(made.Tree.Paths(), []string{"run"}) {
		t.Errorf("a forced commit: %v, %v", made, err)
	}
}

func TestApplyRefuses(t *testing.T) {
	f := newFixture(t)
	first := f.commit("main", "First", map[string]string{"a": "a\n", "d/x": "x\n"})
	f.commit("main", "Second", map[string]string{"a": "b\n"})
	write := func(kind ActionKind, path string) Action {
		return Action{Kind: kind, Path: path, Content: []byte("new\n"), HasContent: true}
	}
	for name, c := range map[string]struct {
		request Request
		want    error
		inFile  bool
	}{
		"no branch":            {Request{Branch: "none"}, ErrNoBranch, false},
		"a branch that exists": {Request{Branch: "main", Start: first}, ErrBranchExists, false},
		"nothing":              {Request{Branch: "main"}, ErrEmptyChange, false},
		"the same content": {
			Request{Branch: "main",
				Actions: []Action{{Kind: Update, Path: "a", Content: []byte("b\n"), HasContent: true}}}, ErrEmptyChange,
			false},
		"a bad path":          {Request{Branch: "main", Actions: []Action{write(Create, "../a")}}, ErrPath, true},
		"a bad previous path": {Request{Branch: "main", Actions: []Action{{Kind: Move, Path: "b"}}}, ErrPath, true},
		"an unknown file":     {Request{Branch: "main", Actions: []Action{write(Update, "b")}}, ErrNoFile, true},
		"a known file":        {Request{Branch: "main", Actions: []Action{write(Create, "a")}}, ErrFileExists, true},
		"a move onto a file": {Request{Branch: "main", Actions: []Action{{Kind: Move, Path: "a", Previous: "d/x"}}},
			ErrFileExists, true},
		"a stale file": {
			Request{Branch: "main", Actions: []Action{{Kind: Delete, Path: "a", LastCommit: first.SHA}}},
			ErrFileChanged, true},
		"below a file":     {Request{Branch: "main", Actions: []Action{write(Create, "a/b")}}, ErrBlocked, true},
		"onto a directory": {Request{Branch: "main", Actions: []Action{write(Create, "d")}}, ErrBlocked, true},
	} {
		head := f.Branch("main")
		_, err := f.Apply(c.request)
		action := new(ActionError)
		if !errors.Is(err, c.want) || errors.As(err, &action) != c.inFile || c.inFile &&
			action.Path != c.request.Actions[0].Path {
			t.Errorf("%s: %v", name, err)
		}
		if f.Branch("main") != head || f.Branch("none") != nil {
			t.Errorf("%s: the branch moved", name)
		}
	}
}
