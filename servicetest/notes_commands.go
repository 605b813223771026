package servicetest

import (
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// splitCommands takes the quick actions out of a note's body: lines such as
// "/close" that the object of the note supports. All other lines are text.
func splitCommands(on *noteable, body string) (text string, commands []string) {
	var lines []string
	for line := range strings.Lines(body) {
		if command := strings.TrimSpace(line); on.knows(command) {
			commands = append(commands, command)
		} else {
			lines = append(lines, line)
		}
	}
	if len(commands) == 0 {
		return body, nil
	}
	return strings.TrimSpace(strings.Join(lines, "")), commands
}

func (on *noteable) knows(command string) bool {
	switch command {
	case "/close", "/reopen":
		return on.issue != nil || on.mergeRequest != nil
	case "/merge":
		return on.mergeRequest != nil
	}
	return false
}

// runCommands runs quick actions and returns what they did, or the response
// that refuses one of them.
func (c *call) runCommands(on *noteable, commands []string) (object, *reply) {
	changes, summary := object{}, []string{}
	for _, command := range commands {
		if command == "/merge" {
			if refusal := c.mergeByNote(on.mergeRequest); refusal != nil {
				return nil, refusal
			}
			changes["merge"] = c.seenHead()
			summary = append(summary, "Merged this merge request.")
			continue
		}
		if on.level < Reporter && on.author() != c.user {
			return nil, frame.Forbidden("")
		}
		changes["state_event"] = strings.TrimPrefix(command, "/")
		summary = append(summary, c.setState(on, command == "/close"))
	}
	return object{"commands_changes": changes, "summary": summary}, nil
}

// seenHead returns the head commit that the caller has seen. The parameter has
// two names.
func (c *call) seenHead() string {
	return either(c.Str("merge_request_diff_head_sha"), c.Str("merge_request_diff_sha"))
}

// mergeByNote merges, if the caller has seen the current head.
func (c *call) mergeByNote(m *MergeRequest) *reply {
	wish := m.defaultWish()
	if wish.sha = c.seenHead(); wish.sha == "" {
		return frame.JSONReply(400, object{"error": "merge_request_diff_sha is missing"})
	}
	return c.accept(m, wish)
}

func (on *noteable) author() *User {
	if on.issue != nil {
		return on.issue.author
	}
	return on.mergeRequest.author
}

// setState closes or reopens, and returns what it did.
func (c *call) setState(on *noteable, closed bool) string {
	verb, noun := "reopened", "issue"
	if closed {
		verb = "closed"
	}
	if on.issue != nil {
		on.issue.setOpen(!closed, c.user, c.now())
	} else {
		noun = "merge request"
		on.mergeRequest.setOpen(!closed, c.user)
	}
	return strings.ToUpper(verb[:1]) + verb[1:] + " this " + noun + "."
}

// setOpen opens or closes a merge request that is not merged.
func (m *MergeRequest) setOpen(open bool, by *User) {
	if open {
		m.reopen(by)
	} else {
		m.close(by)
	}
}
