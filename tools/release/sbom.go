package main

import (
	"debug/buildinfo"
	"encoding/json"
	"io"
	"runtime/debug"
)

// bill is a software bill of materials in the form of CycloneDX 1.5.
type bill struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

// writeSBOM writes what the Go toolchain has recorded in a program: its modules and the release
// of Go.
func writeSBOM(w io.Writer, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	b := bill{Format: "CycloneDX", SpecVersion: "1.5", Version: 1,
		Metadata: metadata{componentOf("application", &info.Main)}}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		b.Components = append(b.Components, componentOf("library", module))
	}
	b.Components = append(b.Components, component{"library", "std", info.GoVersion, "pkg:golang/std@" + info.GoVersion})
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	return encoder.Encode(b)
}

func componentOf(kind string, m *debug.Module) component {
	c := component{kind, m.Path, m.Version, "pkg:golang/" + m.Path}
	if m.Version != "" {
		c.PURL += "@" + m.Version
	}
	return c
}
