package move

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// A clientMaker is the function that makes a client here, with the credential and the number of
// arguments that it comes from.
type clientMaker struct {
	function, credential string
	given                int
}

// listMakers are the functions of the helpers that make clients with options that are known at run
// time, beside the functions of the helpers that take options of this library.
var listMakers = map[string]string{newClientText: "newServiceClient", "newPasswordClient": "newPasswordServiceClient",
	"newSourceClient": "newSourceServiceClient"}

// withOptions makes a client with the options of a call.
func (r *mover) withOptions(n *ast.CallExpr, maker clientMaker) (string, bool) {
	base := defaultBaseURL
	var options, retry []string
	for _, arg := range n.Args[maker.given:] {
		call, isCall := ast.Unparen(arg).(*ast.CallExpr)
		var obj types.Object
		if isCall {
			obj = r.oldObject(call.Fun)
		}
		if obj == nil || n.Ellipsis.IsValid() || ownRules[obj.Name()] {
			return r.dynamicClient(n, maker)
		}
		option, known := r.clientOption(call, obj.Name())
		switch {
		case !known:
			return r.block(call, "client", "%s has no counterpart: see the options of serviceapi.NewClient", obj.Name())
		case option.base != "":
			base = option.base
		case option.retry != "":
			retry = append(retry, option.retry)
		case option.blocked:
			return r.source(n), true
		default:
			options = append(options, option.texts...)
		}
	}
	if len(retry) > 0 {
		options = append(options, "serviceapi.WithRetry(serviceapi.RetryPolicy{"+strings.Join(retry, ", ")+"})")
	}
	for _, middleware := range r.middlewares() {
		options = append(options, "serviceapi.WithMiddleware("+middleware+")")
	}
	return r.helped(maker.function) + r.list(n, append([]string{base, maker.credential}, options...)), true
}

// helped renders the name of a function that makes clients, which may be one of the helpers.
func (r *mover) helped(function string) string {
	switch function {
	case newClientText:
		return function
	case "newSourceClient":
		r.help("authSource")
		return r.free(function)
	}
	return r.help(function)
}

// dynamicClient keeps options in a slice. Functions of helpers.go apply them.
func (r *mover) dynamicClient(n *ast.CallExpr, maker clientMaker) (string, bool) {
	r.help("clientOption")
	function := r.free("newServiceClient")
	if maker.function != newClientText {
		function = r.help(listMakers[maker.function])
	}
	args := []string{maker.credential}
	for i, arg := range n.Args[maker.given:] {
		text := r.render(arg)
		if n.Ellipsis.IsValid() && i == len(n.Args)-maker.given-1 {
			for _, option := range r.middlewareOptions() {
				text = "append(" + text + ", " + option + ")"
			}
			text += "..."
		}
		args = append(args, text)
	}
	if !n.Ellipsis.IsValid() {
		args = append(args, r.middlewareOptions()...)
	}
	return function + r.list(n, args), true
}

// middlewares returns what each new client has for what other code of the program does.
func (r *mover) middlewares() (names []string) {
	if r.p.requests {
		names = append(names, r.help("rememberRequest"))
	}
	if r.p.callRules {
		r.help("withCallRule")
		names = append(names, r.free("repeatByCall"))
	}
	return names
}

func (r *mover) middlewareOptions() (options []string) {
	for _, name := range r.middlewares() {
		options = append(options, r.help("withOption")+"(serviceapi.WithMiddleware("+name+"))")
	}
	return options
}

// A clientOption is the replacement of an option of the client.
type clientOption struct {
	texts       []string // options of this library; none if nothing has to be said here
	base, retry string
	listed      string // an option of the helpers, where the options are in a list
	blocked     bool   // there is no replacement
}

// ownRules are the options with which the program repeats requests by rules of its own. Then it has
// the options of the helpers, because the rules need the others.
var ownRules = map[string]bool{"WithCustomRetry": true}

// listedOption renders an option in a list, which is one of the helpers.
func (r *mover) listedOption(n *ast.CallExpr, option clientOption) (string, bool) {
	switch {
	case option.blocked:
		return r.source(n), true
	case option.base != "":
		return r.help("withBaseURL") + "(" + option.base + ")", true
	case option.listed != "":
		return option.listed, true
	}
	return r.help("withOption") + "(" + strings.Join(option.texts, ", ") + ")", true
}

// dropsError reports whether the program drops the error of the call that makes a client, in whose
// arguments an option stands.
func (r *reader) dropsError(option ast.Node) bool {
	for n := r.parents[option]; n != nil; n = r.parents[n] {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.CompositeLit, *ast.ParenExpr:
		case *ast.AssignStmt:
			return len(n.Lhs) == 2 && len(n.Rhs) == 1 && idName(n.Lhs[1]) == "_"
		default:
			return false
		}
	}
	return false
}

// clientOption rewrites an option of the client. It reports false for other functions.
func (r *mover) clientOption(n *ast.CallExpr, name string) (clientOption, bool) {
	if len(n.Args) == 1 && r.contextIn(n.Args[0]) != nil && name == "WithRequestOptions" {
		r.note(n, "context", "each call has its own context here: the one of the client is dropped")
		return clientOption{}, true
	}
	r.use("serviceapi.")
	switch name {
	case "WithBaseURL":
		if !r.hasScheme(n.Args[0]) {
			text := "an address that does not begin with https:// or http:// is refused when the client is made"
			if r.dropsError(n) {
				text += ": the client is nil then, and calling it panics, because the program drops the error"
			}
			r.note(n, "refused", text)
		}
		return clientOption{base: r.render(n.Args[0])}, true
	case "WithHTTPClient", "WithUserAgent":
		o := one("serviceapi." + name + "(" + r.render(n.Args[0]) + ")")
		if name == "WithHTTPClient" && r.p.rules {
			o.listed = r.help("withHTTPClient") + "(" + r.render(n.Args[0]) + ")"
		}
		return o, true
	case "WithCustomLimiter":
		return one("serviceapi.WithLimiter(" + r.render(n.Args[0]) + ")"), true
	case "WithCustomLeveledLogger", "WithCustomLogger":
		return r.loggerOption(n, name), true
	case "WithoutRetries", "WithCustomRetryMax", "WithCustomRetryWaitMinMax", "WithCustomRetry", "WithCustomBackoff",
		"WithErrorHandler":
		return r.retryOption(n, name), true
	case "WithOnlyIdempotentRetries", "WithURLWarningLogger":
		return clientOption{}, true
	case "WithRequestOptions":
		return r.requestOptions(n), true
	case "WithRequestLogHook", "WithResponseLogHook":
		helper := map[string]string{"WithRequestLogHook": "requestHook", "WithResponseLogHook": "responseHook"}[name]
		return one("serviceapi.WithMiddleware(" + r.help(helper) + "(" + r.render(n.Args[0]) + "))"), true
	case "WithInterceptor":
		return one("serviceapi.WithMiddleware(" + r.render(n.Args[0]) + ")"), true
	case "WithCookieJar":
		return one("serviceapi.WithMiddleware(" + r.help("cookieJar") + "(" + r.render(n.Args[0]) + "))"), true
	}
	return clientOption{}, false
}

func one(text string) clientOption { return clientOption{texts: []string{text}} }

func (r *mover) loggerOption(n *ast.CallExpr, name string) clientOption {
	if isNil(r.info, n.Args[0]) {
		return one("serviceapi.WithLogger(nil)")
	}
	helper := "printfLogger"
	if name == "WithCustomLeveledLogger" {
		helper = "leveledLogger"
	}
	return one("serviceapi.WithLogger(" + r.help(helper) + "(" + r.render(n.Args[0]) + "))")
}

// retryOption rewrites an option for retries. Numbers and waits are fields of the policy here. Where the
// program decides itself what is repeated, the helpers repeat by its rules.
func (r *mover) retryOption(n *ast.CallExpr, name string) clientOption {
	var args []string
	for _, arg := range n.Args {
		args = append(args, r.render(arg))
	}
	var o clientOption
	switch name {
	case "WithoutRetries":
		o = clientOption{retry: "MaxAttempts: 1", listed: r.help("withMaxRetries") + "(0)"}
	case "WithCustomRetryMax":
		o = clientOption{retry: "MaxAttempts: " + r.oneMore(args[0]),
			listed: r.help("withMaxRetries") + "(" + args[0] + ")"}
	case "WithCustomRetryWaitMinMax":
		o = clientOption{retry: "MinWait: " + args[0] + ", MaxWait: " + args[1],
			listed: r.help("withRetryWaits") + "(" + args[0] + ", " + args[1] + ")"}
	case "WithCustomRetry":
		r.note(n, "retries", "the program repeats requests by its own rule, also writes where it says so, and this "+
			"library does not repeat them")
		o = clientOption{listed: r.help("withRetryRule") + "(" + args[0] + ")"}
	case "WithCustomBackoff":
		if r.p.rules {
			return clientOption{listed: r.help("withBackoff") + "(" + args[0] + ")"}
		}
		r.note(n, "retries", name+" is dropped: see serviceapi.RetryPolicy for the waits")
	case "WithErrorHandler":
		if r.p.rules {
			return clientOption{listed: r.help("withErrorHandler") + "(" + args[0] + ")"}
		}
		r.note(n, "retries", name+" is dropped: the call returns the error of the last attempt")
	}
	return o
}

func (r *mover) oneMore(text string) string {
	if n, err := strconv.Atoi(text); err == nil {
		return strconv.Itoa(n + 1)
	}
	return text + " + 1"
}

// requestOptions rewrites options that all requests of a client have. Functions of the program see each
// request on its way.
func (r *mover) requestOptions(n *ast.CallExpr) clientOption {
	if n.Ellipsis.IsValid() || len(n.Args) == 0 {
		r.block(n, "client", "pass each request option to serviceapi.NewClient")
		return clientOption{blocked: true}
	}
	var o clientOption
	var functions []string
	for _, arg := range n.Args {
		if r.contextIn(arg) != nil {
			r.note(n, "context", "each call has its own context here: the one of the client is dropped")
			continue
		}
		if function := r.requestFunc(arg); function != nil {
			functions = append(functions, r.render(function))
			continue
		}
		if headers := r.headersIn(arg); headers != nil {
			functions = append(functions, r.help("setHeaders")+"("+r.render(headers)+")")
			continue
		}
		if r.optionKind(arg) != plainOption {
			r.block(n, "client", "pass the option to the calls: it may be a function, or have a context")
			return clientOption{blocked: true}
		}
		o.texts = append(o.texts, r.render(arg))
	}
	if len(functions) == 0 {
		return o
	}
	r.note(n, "context", "the function gets the context of the call, also where that is set for one call only; its "+
		"error becomes a serviceapi.ArgumentError with the same text")
	list := "(" + strings.Join(functions, ", ") + ")"
	if r.p.rules {
		o.listed = r.help("withRequestFunctions") + list
		if len(o.texts) > 0 {
			others := r.help("withOption") + "(" + strings.Join(o.texts, ", ") + ")"
			o.listed = r.help("withOptions") + "(" + o.listed + ", " + others + ")"
		}
	}
	o.texts = append(o.texts, "serviceapi.WithMiddleware("+r.help("requestFunctions")+list+")")
	return o
}

// headersIn returns headers for WithHeaders(headers), or nil.
func (r *reader) headersIn(n ast.Expr) ast.Expr {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if obj := r.oldObject(call.Fun); obj == nil || obj.Name() != "WithHeaders" {
		return nil
	}
	return call.Args[0]
}

// requestFunc returns the function of the program that an option is, nil for other options.
func (r *reader) requestFunc(n ast.Expr) ast.Expr {
	n = ast.Unparen(n)
	if call, ok := n.(*ast.CallExpr); ok && r.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return r.requestFunc(call.Args[0])
	}
	var id *ast.Ident
	switch n := n.(type) {
	case *ast.FuncLit:
		return n
	case *ast.Ident:
		id = n
	case *ast.SelectorExpr:
		id = n.Sel
	default:
		return nil
	}
	if f, ok := r.info.Uses[id].(*types.Func); ok && !isOld(f) && !involves(f.Type()) {
		return n
	}
	return nil
}

// noteRetries notes that the program has options for retries.
func (r *reader) noteRetries(n *ast.CallExpr) {
	if obj := r.oldObject(n.Fun); obj != nil {
		r.p.rules = r.p.rules || ownRules[obj.Name()]
		r.p.callRules = r.p.callRules || obj.Name() == "WithRequestRetry"
		r.p.retries = r.p.retries || strings.Contains(obj.Name(), "Retr")
	}
}

// ruleIn returns rule for WithRequestRetry(rule), or nil.
func (r *reader) ruleIn(n ast.Expr) ast.Expr {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if obj := r.oldObject(call.Fun); obj == nil || obj.Name() != "WithRequestRetry" {
		return nil
	}
	return call.Args[0]
}

// addRule says that the library has no rule for the retries of a call that has one of the program.
func (c *newCall) addRule() {
	if c.rule != "" {
		c.given = append(c.given, requestOption{repeatable: true,
			text: c.r.use("serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1, NoSharedPause: true})")})
	}
}

// carryRule gives the context of such a call the rule.
func (c *newCall) carryRule() {
	if c.rule != "" {
		c.context = c.r.help("withCallRule") + "(" + c.context + ", " + c.rule + ")"
	}
}
