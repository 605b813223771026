package move

import (
	"go/ast"
	"go/types"
)

// functionCall rewrites a call of a function of client-go.
func (r *mover) functionCall(n *ast.CallExpr, f *types.Func) (string, bool) {
	name := f.Name()
	if _, ok := pointers[name]; ok && len(n.Args) == 1 {
		return r.pointer(n, name), true
	}
	switch name {
	case "NewClient", "NewJobClient", "NewOAuthClient", "NewAuthSourceClient", "NewBasicAuthClient":
		return r.newClient(n, name)
	case "WithContext":
		r.p.carries = true
		r.note(n, "context", "pass the context as an argument of the calls: an option carries it until then")
		return r.help("withContext") + "(" + r.render(n.Args[0]) + ")", true
	case "AssigneeID", "ReviewerID", "UserID":
		return r.userFilter(n)
	case "ApproverIDs":
		return r.usersFilter(n)
	case "WithKeysetPaginationParameters":
		return r.use("serviceapi.WithPageToken(") + r.render(n.Args[0]) + ")", true
	case "WithSudo":
		ref, ok := r.reference("user", n.Args[0])
		return "serviceapi.WithSudo(" + ref + ")", ok
	case "WithHeader":
		return r.withHeader(n)
	case "WithHeaders":
		return r.withHeaders(n)
	case "WithOffsetPaginationParameters":
		r.imports["strconv"] = true
		page := "strconv.FormatInt(int64(" + r.render(n.Args[0]) + "), 10)"
		return r.use("serviceapi.WithQuery(") + `"page", ` + page + ")", true
	case "WithNext":
		return r.help("nextPage") + "(" + r.render(n.Args[0]) + ")", true
	case "WithToken":
		return r.withToken(n)
	case "PathEscape":
		r.imports["net/url"] = true
		return "url.PathEscape(" + r.render(n.Args[0]) + ")", true
	case "ParseWebhook", "ParseHook", "ParseSystemhook":
		return r.parseWebhook(n, name)
	case "WebhookEventType", "HookEventType":
		return r.use("webhook.Kind(") + r.render(n.Args[0]) + `.Header.Get("X-Gitlab-Event"))`, true
	case "HookEventToken":
		return r.render(n.Args[0]) + `.Header.Get("X-Gitlab-Token")`, true
	case "HasStatusCode":
		return r.hasStatusCode(n), true
	case "ParseISOTime":
		return r.use("serviceapi.ParseDate(") + r.render(n.Args[0]) + ")", true
	case "Scan", "Scan2", "ScanAndCollect", "ScanAndCollectN":
		return r.scan(n, name)
	}
	if option, ok := r.clientOption(n, name); ok {
		return r.listedOption(n, option)
	}
	reason := "has no counterpart"
	for _, entry := range r.p.table.Function(name) {
		if entry.ByHand != "" {
			reason = entry.ByHand
		}
	}
	return r.block(n, "no counterpart", "%s: %s", name, reason)
}

// pointer rewrites Ptr(x), String(x) and so on where the wanted type is unknown.
func (r *mover) pointer(n *ast.CallExpr, name string) string {
	text := r.render(n.Args[0])
	switch basic := pointers[name]; {
	case basic == "":
	case basic == "LabelOptions":
		return "new([]string(" + text + "))"
	case types.Universe.Lookup(basic) != nil, basic == "time.Time":
		t := r.info.TypeOf(n.Args[0])
		constant := r.info.Types[n.Args[0]].Value != nil
		if constant && types.TypeString(t, nil) != basic && basic != "time.Time" {
			text = basic + "(" + text + ")"
		}
	default:
		if now := r.p.newType(r.m.typeName(basic)); now != nil {
			if value := r.info.Types[n.Args[0]].Value; value != nil {
				text = r.use(constantOf(now, value.ExactString()))
			}
		}
	}
	return "new(" + text + ")"
}

// userFilter rewrites AssigneeID(x) and the like.
func (r *mover) userFilter(n *ast.CallExpr) (string, bool) {
	r.use("serviceapi.")
	arg := n.Args[0]
	if obj := r.oldObject(arg); obj != nil {
		switch obj.Name() {
		case "UserIDNone":
			return "serviceapi.NoUser", true
		case "UserIDAny":
			return "serviceapi.AnyUser", true
		}
	}
	basic, ok := r.info.TypeOf(arg).Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return r.block(n, "argument", "write serviceapi.UserIs(id), serviceapi.NoUser or serviceapi.AnyUser")
	}
	if !r.isFilled(arg) {
		r.mayBeEmpty(n, "UserIs", []string{"id"})
	}
	return "serviceapi.UserIs(" + r.render(arg) + ")", true
}

// usersFilter rewrites ApproverIDs(x).
func (r *mover) usersFilter(n *ast.CallExpr) (string, bool) {
	r.use("serviceapi.")
	arg := n.Args[0]
	if obj := r.oldObject(arg); obj != nil {
		switch obj.Name() {
		case "UserIDNone":
			return "serviceapi.NoUsers", true
		case "UserIDAny":
			return "serviceapi.AnyUsers", true
		}
	}
	if _, ok := r.info.TypeOf(arg).Underlying().(*types.Slice); !ok {
		return r.block(n, "argument", "write serviceapi.UsersAre(ids...), serviceapi.NoUsers or serviceapi.AnyUsers")
	}
	if lit, ok := ast.Unparen(arg).(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
		return "serviceapi.UsersAre(" + r.render(arg) + "...)", true
	}
	return r.help("usersFilter") + "(" + r.render(arg) + ")", true
}

// defaultBaseURL is the instance that client-go uses when a program names none.
const defaultBaseURL = `"https://gitlab.com"`

// newClient rewrites the construction of a client.
func (r *mover) newClient(n *ast.CallExpr, name string) (string, bool) {
	r.use("serviceapi.")
	if len(n.Args) == 0 {
		return r.block(n, "client", "the arguments are the results of another call")
	}
	maker, credential, ok := r.credential(n, name)
	if !ok {
		return r.source(n), true
	}
	given := 1
	if name == "NewBasicAuthClient" {
		given = 2
	}
	return r.withOptions(n, clientMaker{maker, credential, given})
}

// newClientText makes a client with a credential of this library.
const newClientText = "serviceapi.NewClient"

// credential renders the credential of a client, and the function that makes a client with it.
func (r *mover) credential(n *ast.CallExpr, name string) (maker, text string, ok bool) {
	token := n.Args[0]
	switch name {
	case "NewAuthSourceClient":
		return r.authSource(token)
	case "NewBasicAuthClient":
		if len(n.Args) < 2 {
			r.block(n, "client", "the arguments are the results of another call")
			return "", "", false
		}
		return "newPasswordClient", r.render(token) + ", " + r.render(n.Args[1]), true
	}
	function := map[string]string{"NewClient": "PrivateToken", "NewJobClient": "JobToken",
		"NewOAuthClient": "BearerToken"}[name]
	return newClientText, r.credentialText(function, token), true
}

// authSource rewrites literals of the credential sources of client-go. Sources that the
// program defines go to a helper.
func (r *mover) authSource(n ast.Expr) (maker, text string, ok bool) {
	if lit := literalOf(n); lit != nil {
		var value ast.Expr
		if len(lit.Elts) == 1 {
			value = lit.Elts[0]
			if kv, ok := value.(*ast.KeyValueExpr); ok {
				value = kv.Value
			}
		}
		switch name := oldName(r.info.TypeOf(lit)); {
		case name == "Unauthenticated":
			return newClientText, "serviceapi.Anonymous()", true
		case value == nil:
		case name == "AccessTokenAuthSource":
			return newClientText, r.credentialText("PrivateToken", value), true
		case name == "JobTokenAuthSource":
			return newClientText, r.credentialText("JobToken", value), true
		case name == "OAuthTokenSource":
			r.noteSource(n)
			return newClientText, "serviceapi.OAuth2(" + r.render(value) + ")", true
		}
	}
	r.noteSource(n)
	return "newSourceClient", r.render(n), true
}

func (r *rewriter) noteSource(n ast.Node) {
	r.note(n, "refused", "if the source returns an empty token, a call fails before anything is sent")
}

// helperTypes are types of the helpers that replace types of client-go, with the helper that has them.
var helperTypes = map[string]struct{ name, helper string }{
	"AuthSource":                           {"authSource", "authSource"},
	"OAuthTokenSource":                     {"oauthTokenSource", "authSource"},
	"AccessTokenAuthSource":                {"accessTokenSource", "authSource"},
	"ResolveMergeRequestDiscussionOptions": {"resolveOptions", "setResolved"},
	"AuthType":                             {"tokenKind", "tokenKind"},
}

// conversion rewrites a conversion to a type of client-go.
func (r *mover) conversion(n *ast.CallExpr, obj *types.TypeName) (string, bool) {
	if obj.Name() == "ISOTime" {
		if len(n.Args) == 1 {
			return r.use("serviceapi.DateOf(") + r.render(n.Args[0]) + ")", true
		}
		return r.block(n, "no counterpart", "%s has no counterpart", obj.Name())
	}
	if len(n.Args) == 1 && oldName(r.info.TypeOf(n.Args[0])) == "ListOptions" && obj.Name() != "ListOptions" {
		if now := r.p.newType(r.m.typeName(obj.Name())); now != nil {
			to, ok := now.Underlying().(*types.Struct)
			if ok && structField(to, "ListOptions") != nil && now.Obj().Name() != "ListOptions" {
				return r.use("serviceapi."+now.Obj().Name()) + "{ListOptions: " + r.render(n.Args[0]) + "}", true
			}
		}
	}
	return "", false
}

// A Note says something about moved code.
type Note struct {
	Pos  ast.Node
	Kind string
	Text string
}

func (r *rewriter) note(n ast.Node, kind, text string) {
	r.u.notes = append(r.u.notes, Note{n, kind, text})
}

// parseWebhook rewrites the decoding of an event if its request is verified elsewhere.
func (r *mover) parseWebhook(n *ast.CallExpr, name string) (string, bool) {
	r.note(n, "refused", doubledNames)
	if name == "ParseSystemhook" && len(n.Args) == 1 {
		return r.help("decodeEvent") + "(" + r.use("webhook.KindSystem, ") + r.render(n.Args[0]) + ")", true
	}
	if len(n.Args) != 2 {
		return r.block(n, "webhook", "call webhook.Decode with the kind and the body")
	}
	return r.help("decodeEvent") + "(" + r.value(n.Args[0], nil) + ", " + r.render(n.Args[1]) + ")", true
}
