package main

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

// apiLists returns the lists of what the packages export.
func apiLists(root string) (map[string]string, error) {
	compiled, err := inventory.Compiled(context.Background(), root, filepath.Join(root, "webhook"))
	if err != nil {
		return nil, err
	}
	lists := map[string]string{}
	for _, dir := range []string{"", "webhook"} {
		pkg, err := compiled.Import(path.Join("example.com/serviceapi", dir))
		if err != nil {
			return nil, err
		}
		source, err := inventory.ParseDir(filepath.Join(root, dir))
		if err != nil {
			return nil, err
		}
		lists[filepath.Join(dir, "api.txt")] = listAPI(pkg, source)
	}
	return lists, nil
}

// pageOfEndpoints returns the page of endpoints.
func pageOfEndpoints(root string) (map[string]string, error) {
	source, err := inventory.ParseDir(root)
	if err != nil {
		return nil, err
	}
	var lists []string
	for _, name := range []string{"endpoints.tsv", "product-names.tsv", "other-endpoints.tsv"} {
		list, err := os.ReadFile(filepath.Join(root, "testdata", name))
		if err != nil {
			return nil, err
		}
		lists = append(lists, string(list))
	}
	return map[string]string{"docs/endpoints.md": endpointsPage(source, lists[0], lists[1:]...)}, nil
}

// pagesOfRecipes returns the pages that show recipes.
func pagesOfRecipes(root string) (map[string]string, error) {
	pages := map[string]string{}
	for _, name := range []string{"docs/cookbook.md", "docs/mocks.md"} {
		page, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		if pages[name], err = showRecipes(filepath.Join(root, "examples", "recipes"), string(page)); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// commentsOfServices returns the source files whose services have a comment that names options.
func commentsOfServices(root string) (map[string]string, error) {
	source, err := inventory.ParseDir(root)
	if err != nil {
		return nil, err
	}
	options, files := optionsOfServices(source), map[string]string{}
	for name := range source.Files {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(text), "// Its options are ") {
			files[name] = nameOptions(string(text), options)
		}
	}
	return files, nil
}
