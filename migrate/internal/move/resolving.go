package move

// resolving is a method of client-go that is two methods here. Where the program makes its options
// elsewhere than in the call, a type of the helpers stands for them, and a function that calls one
// of the two.
const resolving = "Discussions.ResolveMergeRequestDiscussion"

// resolve rewrites a call whose options are a value of this type. It reports false for other calls.
func (c *newCall) resolve(receiver string) (string, bool) {
	options := c.values["opt"]
	if c.method.Old != resolving || options == nil || c.r.literalOf(options) != nil {
		return "", false
	}
	delete(c.values, "opt")
	args, ok := c.arguments()
	if !ok {
		return c.r.source(c.node), true
	}
	args = append([]string{args[0], receiver, args[1], args[2], c.r.render(options)}, args[3:]...)
	return c.keepOptions(c.r.help("setResolved") + c.r.list(c.node, args))
}
