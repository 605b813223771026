package servicetest

import (
	"regexp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
)

// A broadcast is a message on the pages of the instance.
type broadcast struct {
	record[*Service]

	message, path, kind, theme, color, font string
	starts, ends                            time.Time
	levels                                  []int64
	dismissable                             bool
}

var aColor = regexp.MustCompile(`^#([0-9A-Fa-f]{3}){1,2}$`)

var broadcasts = shelved(collection.Table[*call, *Service, broadcast]{
	Param: "id", Home: (*call).service,
	Records: func(_ *call, s *Service) []*broadcast { return reversed(recordsOf[broadcast](s, s)) },
	Fields: numbered(
		collection.Text("message", func(b *broadcast) *string { return &b.message }).Present().
			Match(regexp.MustCompile(`(?s).`), "can't be blank"),
		collection.Moment("starts_at", func(b *broadcast) *time.Time { return &b.starts }),
		collection.Moment("ends_at", func(b *broadcast) *time.Time { return &b.ends }),
		collection.Text("color", func(b *broadcast) *string { return &b.color }).
			Match(aColor, "must be a valid color code"),
		collection.Text("font", func(b *broadcast) *string { return &b.font }).
			Match(aColor, "must be a valid color code"),
		collection.Value("target_access_levels", readLevels, func(b *broadcast) *[]int64 { return &b.levels }),
		collection.Note("target_path", func(b *broadcast) *string { return &b.path }),
		collection.Choice("broadcast_type", func(b *broadcast) *string { return &b.kind }, "banner", "notification"),
		collection.Flag("dismissable", func(b *broadcast) *bool { return &b.dismissable }),
		collection.Choice("theme", func(b *broadcast) *string { return &b.theme }, "indigo", "light-indigo", "blue",
			"light-blue", "green", "light-green", "red", "light-red", "dark", "light"),
	),
	New: func(c *call, _ *Service) *broadcast {
		return &broadcast{kind: "banner", theme: "indigo", color: "#E75E40", font: "#FFFFFF", starts: c.now(),
			ends: c.now().Add(time.Hour), levels: []int64{}}
	},
	Extra: func(c *call, _ *Service, b *broadcast, form *collection.Form) {
		form.Add("active", !c.now().Before(b.starts) && !c.now().After(b.ends))
	},
})

func readLevels(f fields, name string) []int64 {
	levels := append([]int64{}, f.Int64s(name)...)
	for _, level := range levels {
		if !slices.Contains([]int64{10, 15, 20, 30, 40, 50}, level) {
			f.Problem(name + " does not have a valid value")
		}
	}
	return levels
}
