package gitrepo

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestBranches(t *testing.T) {
	f := newFixture(t)
	first := f.commit("main", "First", map[string]string{"a": "a\n"})
	for _, name := range []string{"feature/one", "zeta"} {
		if err := f.CreateBranch(name, first); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]error{
		"main": ErrRefExists, "feature": ErrRefExists, "main/sub": ErrRefExists, "no spaces": ErrRefName,
		"": ErrRefName,
	} {
		if err := f.CreateBranch(name, first); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
	if names := f.Branches(); !slices.Equal(names, []string{"feature/one", "main", "zeta"}) {
		t.Errorf("branches %q", names)
	}
	if !f.DeleteBranch("zeta") || f.DeleteBranch("zeta") || f.Branch("zeta") != nil {
		t.Error("a branch was not removed once")
	}
}

func TestTags(t *testing.T) {
	f := newFixture(t)
	first := f.commit("main", "First", map[string]string{"a": "a\n"})
	second := f.commit("main", "Second", map[string]string{"a": "b\n"})
	light, err := f.CreateTag("v1", first, "", Signature{})
	if err != nil || light.Annotated() || light.ID != first.SHA || f.Tag("v1") != light {
		t.Errorf("%+v, %v", light, err)
	}
	by := f.by()
	annotated, err := f.CreateTag("v2", second, "Two", by)
	if err != nil || !annotated.Annotated() || annotated.ID == second.SHA || len(annotated.ID) != len(second.SHA) ||
		annotated.Tagger != by {
		t.Errorf("%+v, %v", annotated, err)
	}
	if _, err := f.CreateTag("v1", second, "", by); !errors.Is(err, ErrRefExists) {
		t.Errorf("a tag that exists: %v", err)
	}
	if _, err := f.CreateTag("v..1", second, "", by); !errors.Is(err, ErrRefName) {
		t.Errorf("a bad name: %v", err)
	}
	f.SetTag("v1", second)
	if f.Tag("v1").Commit != second || !slices.Equal(f.Tags(), []string{"v1", "v2"}) {
		t.Errorf("tags %q, v1 at %v", f.Tags(), f.Tag("v1"))
	}
	if !f.DeleteTag("v2") || f.DeleteTag("v2") || f.Tag("v2") != nil {
		t.Error("a tag was not removed once")
	}
}

func TestResolve(t *testing.T) {
	f := newFixture(t)
	if f.Resolve("HEAD") != nil {
		t.Error("an empty repository has a HEAD")
	}
	first := f.commit("main", "First", map[string]string{"a": "a\n"})
	second := f.commit("side", "Second", map[string]string{"a": "b\n"})
	f.SetTag("v1", first)
	f.SetTag("side", first)
	f.SetHidden("refs/merge-requests/1/merge", second)
	for name, want := range map[string]*Commit{
		"main": first, "HEAD": first, "side": second, "v1": first,
		"refs/heads/side": second, "refs/tags/side": first, "refs/tags/v1": first,
		"refs/merge-requests/1/merge": second,
		first.SHA:                     first, first.SHA[:7]: first,
		first.SHA[:6]: nil, "none": nil, "refs/heads/v1": nil, "refs/tags/main": nil,
		strings.Repeat("0", 40): nil, "": nil,
	} {
		if got := f.Resolve(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	f.SetHead("side")
	if f.Resolve("HEAD") != second {
		t.Error("HEAD did not move")
	}
}

func TestValidRefName(t *testing.T) {
	for _, name := range []string{"main", "feature/one", "v1.0", "a@b", "ü", "x-"} {
		if !ValidRefName(name) {
			t.Errorf("%q is not valid", name)
		}
	}
	for _, name := range []string{
		"", "HEAD", "@", "-x", "a b", "a..b", "a~1", "a^", "a:b", "a?", "a*", "a[b", `a\b`, "a\tb", "a\x7f",
		"/a", "a/", "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a.", "a@{1}",
	} {
		if ValidRefName(name) {
			t.Errorf("%q is valid", name)
		}
	}
}
