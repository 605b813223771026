package move

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"example.com/serviceapi/migrate/internal/table"
)

// oldAPI has the API of client-go, in the versions that the program uses.
type oldAPI struct {
	versions map[string]table.Version // by path
	services map[string]string        // fields of the client, by path and type of the service
}

// add reads which field of the client holds which service.
func (o *oldAPI) add(pkg *types.Package) {
	if o.services == nil {
		o.services = map[string]string{}
	}
	client, ok := pkg.Scope().Lookup("Client").(*types.TypeName)
	if !ok {
		return
	}
	fields, ok := client.Type().Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range fields.Fields() {
		if named := namedOf(field.Type()); named != nil && field.Exported() {
			o.services[pkg.Path()+"."+named.Obj().Name()] = field.Name()
		}
	}
}

// service returns the name of the field with a service, or "" for other types.
func (o *oldAPI) service(t types.Type) string {
	named := namedOf(t)
	if named == nil || !isOld(named.Obj()) {
		return ""
	}
	return o.services[named.Obj().Pkg().Path()+"."+named.Obj().Name()]
}

// isOld reports whether an object belongs to client-go.
func isOld(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && oldPath(obj.Pkg().Path())
}

// namedOf returns the named type of T, *T and of an alias for them, or nil.
func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// oldName returns the name of a type of client-go or of a pointer to one, or "".
func oldName(t types.Type) string {
	if named := namedOf(t); named != nil && isOld(named.Obj()) {
		return named.Obj().Name()
	}
	return ""
}

// involves reports whether a type mentions a type of client-go. It does not look into
// other named types, because they have declarations of their own.
func involves(t types.Type) bool {
	return anyType(t, func(n *types.Named) bool { return isOld(n.Obj()) })
}

func anyType(t types.Type, found func(*types.Named) bool) bool {
	switch t := t.(type) {
	case *types.Alias:
		return anyType(types.Unalias(t), found)
	case *types.Named:
		if found(t) {
			return true
		}
		for arg := range t.TypeArgs().Types() {
			if anyType(arg, found) {
				return true
			}
		}
	case *types.Pointer:
		return anyType(t.Elem(), found)
	case *types.Slice:
		return anyType(t.Elem(), found)
	case *types.Array:
		return anyType(t.Elem(), found)
	case *types.Chan:
		return anyType(t.Elem(), found)
	case *types.Map:
		return anyType(t.Key(), found) || anyType(t.Elem(), found)
	case *types.Tuple:
		for v := range t.Variables() {
			if anyType(v.Type(), found) {
				return true
			}
		}
	case *types.Signature:
		return anyType(t.Params(), found) || anyType(t.Results(), found)
	case *types.Struct:
		for f := range t.Fields() {
			if anyType(f.Type(), found) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if anyType(m.Type(), found) {
				return true
			}
		}
		for e := range t.EmbeddedTypes() {
			if anyType(e, found) {
				return true
			}
		}
	}
	return false
}

// minimalOAuth2 stands in for package oauth2 where the program does not import it.
func (p *program) minimalOAuth2() (*types.Package, error) {
	const text = `package oauth2
import ("context"; "time")
type Token struct { AccessToken, TokenType, RefreshToken string; Expiry time.Time; ExpiresIn int64 }
type TokenSource interface { Token() (*Token, error) }
type Config struct { ClientID, ClientSecret string; Endpoint Endpoint; RedirectURL string; Scopes []string }
type Endpoint struct { AuthURL, DeviceAuthURL, TokenURL string; AuthStyle AuthStyle }
type AuthStyle int
func (c *Config) PasswordCredentialsToken(ctx context.Context, username, password string) (*Token, error)
func (c *Config) TokenSource(ctx context.Context, t *Token) TokenSource
func StaticTokenSource(t *Token) TokenSource
`
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "oauth2.go", text, 0)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: p, IgnoreFuncBodies: true}
	pkg, err := config.Check("golang.org/x/oauth2", fset, []*ast.File{syntax}, nil)
	if err == nil {
		p.all[pkg.Path()] = pkg
	}
	return pkg, err
}

// only reports whether the program uses no other version of client-go.
func (o *oldAPI) only(version table.Version) bool {
	for _, v := range o.versions {
		if v != version {
			return false
		}
	}
	return true
}
