package stub

import (
	"fmt"

	"golang.org/x/tools/go/packages"
)

// Generate returns the stubs of the library in a folder, by the names of their files.
func Generate(dir string) (map[string][]byte, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadTypes, Dir: dir}, Library, Webhook)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, pkg := range pkgs {
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("package %s: %v", pkg.PkgPath, pkg.Errors[0])
		}
		text, err := Source(pkg.Types)
		if err != nil {
			return nil, err
		}
		texts[files[pkg.PkgPath]] = text
	}
	return texts, nil
}
