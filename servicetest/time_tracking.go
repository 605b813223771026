package servicetest

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// workPart is a part of a duration, such as "3h", with its sign. A number without a
// unit means hours.
var workPart = regexp.MustCompile(`^([+-]?)\s*(\d+(?:\.\d+)?)\s*(mo|w|d|h|m)?\s*`)

// workUnits are the sizes of the units of durations, in hours of work.
var workUnits = map[string]time.Duration{
	"mo": 160 * time.Hour, "w": 40 * time.Hour, "d": 8 * time.Hour, "h": time.Hour, "": time.Hour, "m": time.Minute,
}

// maxWorkTime is more than anybody estimates, and less than a time.Duration holds.
const maxWorkTime = 100 * 365 * 24 * time.Hour

// readWorkTime reads a duration such as "1w 2d" or "-3h30m". A sign also applies to the
// following parts. It reports false for any other string.
func readWorkTime(text string) (d time.Duration, ok bool) {
	rest, sign, total := strings.TrimSpace(text), 1.0, 0.0
	for rest != "" {
		part := workPart.FindStringSubmatch(rest)
		if part == nil {
			return 0, false
		}
		if part[1] != "" {
			sign, _ = strconv.ParseFloat(part[1]+"1", 64)
		}
		n, _ := strconv.ParseFloat(part[2], 64) // digits always parse
		total, ok = total+sign*n*float64(workUnits[part[3]]), true
		rest = rest[len(part[0]):]
	}
	if math.Abs(total) > float64(maxWorkTime) {
		return 0, false
	}
	return time.Duration(total).Round(time.Second), ok
}

// tracked returns the topic of the issue or the merge request.
func (on *noteable) tracked() *topic {
	if on.issue != nil {
		return &on.issue.topic
	}
	return &on.mergeRequest.topic
}

// mayTrack refuses callers who may not change tracked times.
func (on *noteable) mayTrack() *reply {
	least := Reporter
	if on.mergeRequest != nil {
		least = Developer
	}
	if on.level < least {
		return frame.Forbidden("")
	}
	return nil
}

func getTimeStats(c *call, on *noteable) *reply { return c.OK(on.tracked().timeStats()) }

// track sets the estimated and the spent time. If they change, it adds the note.
func (c *call) track(on *noteable, estimate, spent time.Duration, note string) {
	t := on.tracked()
	if t.estimate == estimate && t.spent == spent {
		return
	}
	t.estimate, t.spent, t.updatedBy = estimate, spent, c.user
	c.svc.tell(on.discussion, c.user, "%s", note)
	on.changed(c.now())
}

func setTimeEstimate(c *call, on *noteable) *reply {
	if refusal := on.mayTrack(); refusal != nil {
		return refusal
	}
	c.RequireGiven("duration")
	estimate, ok := readWorkTime(c.String("duration"))
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !ok || estimate < 0 {
		return frame.BadRequest("Time estimate must have a valid format and be greater than or equal to zero.")
	}
	note := "changed time estimate to " + workingTime(estimate)
	if estimate == 0 {
		note = "removed time estimate"
	}
	c.track(on, estimate, on.tracked().spent, note)
	return getTimeStats(c, on)
}

func resetTimeEstimate(c *call, on *noteable) *reply {
	if refusal := on.mayTrack(); refusal != nil {
		return refusal
	}
	c.track(on, 0, on.tracked().spent, "removed time estimate")
	return getTimeStats(c, on)
}

// addSpentTime adds to the spent time. An unreadable duration changes nothing.
func addSpentTime(c *call, on *noteable) *reply {
	if refusal := on.mayTrack(); refusal != nil {
		return refusal
	}
	c.RequireGiven("duration")
	d, _ := readWorkTime(c.String("duration"))
	frame.Accept(c.String, "summary") // no call returns it
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	t := on.tracked()
	if t.spent+d < 0 {
		problem := object{"base": []string{"Time to subtract exceeds the total time spent"}}
		return frame.JSONReply(http.StatusBadRequest, object{"message": problem})
	}
	note := "added " + workingTime(d) + " of time spent"
	if d < 0 {
		note = "subtracted " + workingTime(-d) + " of time spent"
	}
	c.track(on, t.estimate, t.spent+d, note)
	return c.Created(t.timeStats())
}

func resetSpentTime(c *call, on *noteable) *reply {
	if refusal := on.mayTrack(); refusal != nil {
		return refusal
	}
	c.track(on, on.tracked().estimate, 0, "removed time spent")
	return getTimeStats(c, on)
}
