package events

// webhook is what the program calls a setting of its own.
type webhook struct{ name string }

func (w webhook) title() string { return "hook " + w.name }
