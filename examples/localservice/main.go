// Localservice runs the embedded service, with a sample project, until it is
// interrupted. Use it to try this library, or any other client of the API, on
// your machine.
//
//	go run ./examples/localservice -addr 127.0.0.1:8080
package main

import (
	"context"
	"fmt"
	"io"

	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/servicetest"
)

func main() { demo.Main("localservice", run) }

// greeting can be pasted into a shell.
const greeting = `# A service with the project acme/shop runs until it is interrupted.
# It keeps everything in memory.

export SERVICE_BASE_URL=%[1]s
export SERVICE_TOKEN=%[2]s   # of ada, who owns the group acme
# %[3]s is a token of grace, a developer of acme/shop,
# %[4]s one of root, the administrator.

go run ./examples/quickstart acme/shop
go run ./examples/registry-cleanup acme/shop
curl --header "PRIVATE-TOKEN: %[2]s" \
  "%[1]s/api/v4/projects/acme%%2Fshop/jobs?per_page=1"
`

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("localservice [flags]", notes)
	address := flags.String("addr", "127.0.0.1:8080", "the `address` to listen at; \nport 0 is any that is free")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return demo.Usage("what is %q? Flags say everything", flags.Arg(0))
	}
	shop, err := demo.Start(servicetest.WithAddress(*address))
	if err != nil {
		return err
	}
	defer shop.Service.Close()
	_, err = fmt.Fprintf(out, greeting, shop.Service.URL(), shop.Token, shop.DeveloperToken, shop.Service.AdminToken())
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
