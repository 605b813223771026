package frame

import (
	"net/url"
	"strings"
)

// nest adds form or query values to params. It understands brackets in names: a[]=1 is
// an array, a[b]=1 an object, and a[][b]=1 an array of objects. A repeated member
// begins the next object.
func nest(params map[string]any, encoded string) error {
	for pair := range strings.SplitSeq(encoded, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return err
		}
		value, err = url.QueryUnescape(value)
		if err != nil {
			return err
		}
		set(params, name, value)
	}
	return nil
}

// set adds one form value under a name with brackets.
func set(params map[string]any, name, value string) {
	head, rest, bracketed := strings.Cut(name, "[")
	if !bracketed || head == "" {
		params[name] = value
		return
	}
	params[head] = insert(params[head], "["+rest, value)
}

// insert returns a value after adding another one below it.
func insert(into any, path, value string) any {
	if path == "" {
		return value
	}
	key, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	if !ok {
		return value
	}
	if key != "" {
		members, isObject := into.(map[string]any)
		if !isObject {
			members = make(map[string]any)
		}
		members[key] = insert(members[key], rest, value)
		return members
	}
	items, _ := into.([]any)
	if rest != "" && len(items) > 0 {
		last, isObject := items[len(items)-1].(map[string]any)
		if isObject && !occupied(last, rest) {
			insert(last, rest, value)
			return items
		}
	}
	return append(items, insert(nil, rest, value))
}

// occupied reports whether an object in an array already has the member that a path
// names. If so, the value belongs to the next object.
func occupied(members map[string]any, path string) bool {
	key, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
	_, taken := members[key]
	return taken && rest != "[]"
}
