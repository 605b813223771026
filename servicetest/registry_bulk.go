package servicetest

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A bulkRule says which tags of a repository to delete.
type bulkRule struct {
	remove, keep *regexp.Regexp // keep is nil if nothing is kept by name
	keepN        int64
	before       time.Time // zero means any age
}

// readBulkRule reads the parameters of a bulk deletion. Expressions have the
// syntax of RE2 and match whole names.
func readBulkRule(c *call) bulkRule {
	rule := bulkRule{
		remove: wholeName(c, "name_regex_delete"),
		keep:   wholeName(c, "name_regex_keep"),
		keepN:  c.Int64("keep_n"),
	}
	if old := wholeName(c, "name_regex"); rule.remove == nil {
		rule.remove = old
	}
	if c.Str("name_regex_delete") == "" && c.Str("name_regex") == "" {
		c.Require("name_regex_delete")
	}
	if rule.keepN < 0 {
		c.Problem("keep_n is invalid")
	}
	if text := c.Str("older_than"); text != "" {
		span, ok := parseSpan(text)
		if !ok {
			c.Problem("older_than is invalid")
		}
		rule.before = c.now().Add(-span)
	}
	return rule
}

// wholeName returns the expression of a parameter, or nil if it is absent.
func wholeName(c *call, name string) *regexp.Regexp {
	text := c.Str(name)
	if text == "" {
		return nil
	}
	// It is compiled by itself first, so that a parenthesis cannot close the group.
	if _, err := regexp.Compile(text); err != nil {
		c.Problem(name + " is an invalid regexp")
		return nil
	}
	return regexp.MustCompile(`\A(?:` + text + `)\z`)
}

// choose returns the tags to delete, at most limit of them if limit is not 0.
// The tag latest is never one of them. Of the tags that match by name, the
// newest keepN are kept, by the creation time of their manifests. Of the rest,
// those that are not old enough are kept.
func (b bulkRule) choose(r *RegistryRepository, limit int) []*registryTag {
	newestFirst := func(x, y *registryTag) int {
		return cmp.Or(y.createdAt.Compare(x.createdAt), cmp.Compare(y.pushed, x.pushed))
	}
	var chosen []*registryTag
	kept := int64(0)
	for _, tag := range r.sorted(newestFirst) {
		switch {
		case !b.matches(tag.name):
		case kept < b.keepN:
			kept++
		case !b.before.IsZero() && !tag.createdAt.Before(b.before):
		default:
			chosen = append(chosen, tag)
		}
	}
	if limit > 0 && len(chosen) > limit {
		chosen = chosen[len(chosen)-limit:] // the oldest
	}
	return chosen
}

func (b bulkRule) matches(name string) bool {
	return name != "latest" && b.remove.MatchString(name) && (b.keep == nil || !b.keep.MatchString(name))
}

const (
	oneDay = 24 * time.Hour
	// maxSpan keeps sums of spans within a time.Duration.
	maxSpan = 100 * 365 * oneDay
)

// spanUnits are the units of a span. A month has 30 days, a year 365.
var spanUnits = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hour": time.Hour,
	"d": oneDay, "day": oneDay,
	"w": 7 * oneDay, "week": 7 * oneDay,
	"mo": 30 * oneDay, "mon": 30 * oneDay, "month": 30 * oneDay,
	"y": 365 * oneDay, "yr": 365 * oneDay, "year": 365 * oneDay,
}

var spanPart = regexp.MustCompile(`^(\d{1,9})\s*([a-z]+)[\s,]*`)

// parseSpan parses a human-readable span: "1h", "7d", "1month", "2 weeks", "1h
// 30m".
func parseSpan(text string) (time.Duration, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	total := time.Duration(0)
	for text != "" {
		part := spanPart.FindStringSubmatch(text)
		if part == nil {
			return 0, false
		}
		unit := cmp.Or(spanUnits[part[2]], spanUnits[strings.TrimSuffix(part[2], "s")])
		n, err := strconv.ParseInt(part[1], 10, 64)
		if unit == 0 || err != nil || n > int64(maxSpan/unit) {
			return 0, false
		}
		if total += time.Duration(n) * unit; total > maxSpan {
			return 0, false
		}
		text = text[len(part[0]):]
	}
	return total, total > 0
}
