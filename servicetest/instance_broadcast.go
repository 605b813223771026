package servicetest

import (
	"regexp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A broadcast is a message on the pages of the instance.
type broadcast struct {
	id                                      int64
	message, path, kind, theme, color, font string
	starts, ends                            time.Time
	levels                                  []int64
	dismissable                             bool
}

type broadcastState struct{ messages table[*broadcast] }

var aColor = regexp.MustCompile(`^#([0-9A-Fa-f]{3}){1,2}$`)

var broadcasts = collection.Table[*call, *broadcastState, broadcast]{
	Param: "id",
	Home:  func(c *call) (*broadcastState, *reply) { return state[broadcastState](c.svc), nil },
	Records: func(_ *call, all *broadcastState) []*broadcast {
		found := all.messages.all(nil)
		slices.Reverse(found)
		return found
	},
	Missing: func() *reply { return frame.NotFound("") },
	ID:      func(b *broadcast) int64 { return b.id },
	Fields: []collection.Field[broadcast]{
		collection.Shown("id", func(b *broadcast) int64 { return b.id }),
		collection.Text("message", func(b *broadcast) *string { return &b.message }).Present(),
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
	},
	New: func(c *call, _ *broadcastState) *broadcast {
		return &broadcast{kind: "banner", theme: "indigo", color: "#E75E40", font: "#FFFFFF", starts: c.now(),
			ends: c.now().Add(time.Hour), levels: []int64{}}
	},
	Check: func(_ *call, _ *broadcastState, b, _ *broadcast) *reply {
		if b.message == "" {
			return frame.FieldErrors("message", "can't be blank")
		}
		return nil
	},
	Add:    func(_ *call, all *broadcastState, b *broadcast) { b.id, _ = all.messages.add(0, b) },
	Remove: func(_ *call, all *broadcastState, b *broadcast) { all.messages.remove(b.id) },
	Extra: func(c *call, _ *broadcastState, b *broadcast, form *collection.Form) {
		form.Add("active", !c.now().Before(b.starts) && !c.now().After(b.ends))
	},
}

func readLevels(f fields, name string) []int64 {
	levels := append([]int64{}, f.Int64s(name)...)
	for _, level := range levels {
		if !slices.Contains([]int64{10, 15, 20, 30, 40, 50}, level) {
			f.Problem(name + " does not have a valid value")
		}
	}
	return levels
}
