// Localservice runs the embedded service, with a sample project, until it is
// interrupted. Use it to try this library, or any other client of the API, on
// your machine, and watch it on a page in your browser.
//
//	go run ./examples/localservice -addr 127.0.0.1:8080 -page 127.0.0.1:8081
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/examples/localservice/page"
	"example.com/serviceapi/servicetest"
)

func main() { demo.Main("localservice", run) }

// greeting can be pasted into a shell.
const greeting = `# A service with the project acme/shop runs until it is interrupted.
# It keeps everything in memory.%[5]s

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
	pageAddress := flags.String("page", "127.0.0.1:8081", "the `address` of the page for browsers; \n"+
		"\"\" is none. The page has no password: others \nuse it, too, if they reach the address")
	hosts := flags.String("page-hosts", "", "further `names` under which browsers \n"+
		"reach the page, with commas between them")
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

	ctx, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer stop()
	work.Go(func() { keepTime(ctx, shop.Service) })
	watched := ""
	if *pageAddress != "" {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *pageAddress)
		if err != nil {
			return fmt.Errorf("the page cannot be served; choose another address with -page: %w", err)
		}
		watched = fmt.Sprintf(" Watch it at http://%s/", listener.Addr())
		served := page.New(shop.Service, options(listener.Addr(), *hosts))
		work.Go(func() {
			if err := served.Serve(ctx, listener); err != nil {
				fmt.Fprintf(notes, "the page has ended: %v\n", err)
			}
		})
	}
	_, err = fmt.Fprintf(out, greeting, shop.Service.URL(), shop.Token, shop.DeveloperToken, shop.Service.AdminToken(),
		watched)
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// options lets browsers reach the page under what it listens at, and under the names of a
// flag.
func options(listening net.Addr, hosts string) page.Options {
	tcp, ok := listening.(*net.TCPAddr)
	names := strings.FieldsFunc(strings.ToLower(hosts), func(r rune) bool { return r == ',' || r == ' ' })
	return page.Options{Hosts: names, AnyAddress: ok && !tcp.IP.IsLoopback()}
}

// keepTime lets happen what is due by the clock, such as the end of a job, also while
// nobody calls.
func keepTime(ctx context.Context, service *servicetest.Service) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			service.Advance(0)
		case <-ctx.Done():
			return
		}
	}
}
