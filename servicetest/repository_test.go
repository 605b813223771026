package servicetest

import "testing"

func TestEmbeddedRepositoryRefusesContradictions(t *testing.T) {
	for name, seed := range map[string]func(*Project){
		"no such file":     func(p *Project) { p.Commit("main", "No", Remove("none")) },
		"a bad path":       func(p *Project) { p.Commit("main", "No", Write("../a", "")) },
		"no such revision": func(p *Project) { p.Branch("b", "none") },
	} {
		svc, err := Start()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(svc.Close)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: seeding went on", name)
				}
			}()
			seed(svc.Project("acme/app"))
		}()
	}
}
