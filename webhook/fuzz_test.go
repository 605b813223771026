package webhook

import (
	"net/http"
	"strings"
	"testing"
)

// FuzzDecode checks that no body panics, is lost, or is quoted in an error.
func FuzzDecode(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(string(s.kind), s.body)
	}
	for _, body := range []string{`{}`, `[]`, `null`, ``, `{"changes":[[],[]]}`, `{"changes":{"reviewers":[[{}],[7]]}}`,
		`{"object_attributes":{"merge_params":{"force_remove_source_branch":"x"}}}`} {
		f.Add("Merge Request Hook", []byte(body))
		f.Add("System Hook", []byte(body))
		f.Add("", []byte(body))
	}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		event, err := Decode(Kind(kind), body)
		if err != nil {
			if err != ErrNotJSON || event != nil {
				t.Fatalf("%v, %v", event, err)
			}
			return
		}
		if string(event.Info().Body) != strings.TrimSpace(string(body)) && len(event.Info().Body) > len(body) {
			t.Fatalf("the body became %q", event.Info().Body)
		}
		switch e := event.(type) {
		case *MergeRequestEvent:
			_ = e.Ref().String()
		case *NoteEvent:
			_, _, _, _ = e.MergeRequestRef(), e.IssueRef(), e.CommitRef(), e.SnippetRef()
		case *IssueEvent:
			_, _ = e.Ref(), e.Confidential()
		case *PipelineEvent:
			_ = e.MergeRequestRef()
		}
	})
}

// FuzzHeaders checks that only the right token and the right signature are accepted.
func FuzzHeaders(f *testing.F) {
	f.Add("X-Service", "Push Hook", hookToken, "id", "1700000000", "v1,AAAA")
	f.Add("X-Acme", "System Hook", "", "", "", "")
	f.Fuzz(func(t *testing.T, prefix, kind, token, id, at, signature string) {
		h := http.Header{"Content-Type": {"application/json"}}
		h.Set(prefix+"-Event", kind)
		h.Set(prefix+"-Token", token)
		h.Set(headerID, id)
		h.Set(headerTimestamp, at)
		h.Set(headerSignature, signature)
		if _, err := verifier(t, Token(hookToken)).ParseBody(h, []byte(`{}`)); err == nil && token != hookToken {
			t.Fatalf("%q is accepted as a token", token)
		}
		if _, err := verifier(t, SigningToken(signingToken)).ParseBody(h, []byte(`{}`)); err == nil {
			t.Fatalf("%q is accepted as a signature", signature)
		}
	})
}
