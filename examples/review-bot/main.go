// Review-bot receives the events of merge requests and comments, and responds to
// them: it labels and greets a new merge request, and approves it when somebody comments
// "/approve" who has the Developer role, is no bot, and is not its author.
//
//	SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=… HOOK_TOKEN=… \
//		go run ./examples/review-bot -listen :8080
//
// The hook of the project must have HOOK_TOKEN as its token. Without these
// variables, the bot makes a hook of an embedded service, shows what happens when
// somebody opens a merge request and asks for approval, and ends.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
)

func main() { demo.Main("review-bot", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("review-bot [flags]", notes)
	listen := flags.String("listen", "127.0.0.1:0", "the `address` to receive events at")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	if demo.Embedded() {
		return show(ctx, *listen, out)
	}
	client, err := serviceapi.FromEnv()
	if err != nil {
		return err
	}
	server, err := start(ctx, client, *listen, os.Getenv("HOOK_TOKEN"), out)
	if err != nil {
		return err
	}
	fmt.Fprintln(notes, "receiving events at", server.address)
	<-ctx.Done()
	return server.stop()
}

// server receives events until it is stopped.
type server struct {
	address string
	http    *http.Server
	bot     *bot
}

// start starts to receive events.
func start(ctx context.Context, client *serviceapi.Client, listen, hookToken string, out io.Writer) (*server, error) {
	verifier, err := webhook.NewVerifier(webhook.Token(hookToken), webhook.OnError(func(_ *http.Request, err error) {
		slog.Warn("event refused", "error", err)
	}))
	if err != nil {
		return nil, err
	}
	me, _, err := client.Users.Current(ctx)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, err
	}
	b := newBot(client, me.ID, out)
	s := &server{address: "http://" + listener.Addr().String() + "/", bot: b}
	s.http = &http.Server{
		Handler:     webhook.Handler(verifier, webhook.Once(time.Hour, b.mux())),
		ReadTimeout: 30 * time.Second,
	}
	go func() { _ = s.http.Serve(listener) }()
	return s, nil
}

// stop takes no more events, and waits for the work that they caused.
func (s *server) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return errors.Join(s.http.Shutdown(ctx), s.bot.stop())
}

// show makes a merge request in an embedded service, asks for its approval as its author and
// as somebody else, and waits until the bot has done its work.
func show(ctx context.Context, listen string, out io.Writer) error {
	service, err := servicetest.Start()
	if err != nil {
		return err
	}
	defer service.Close()
	robot, ada, grace := service.User("review-bot"), service.User("ada"), service.User("grace")
	shop := service.Project("acme/shop", servicetest.Member(robot, servicetest.Developer),
		servicetest.Member(ada, servicetest.Developer), servicetest.Member(grace, servicetest.Developer))
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.Token(robot)))
	if err != nil {
		return err
	}
	const hookToken = "a long random string"
	server, err := start(ctx, client, listen, hookToken, out)
	if err != nil {
		return err
	}
	shop.Hook(server.address, servicetest.HookToken(hookToken),
		servicetest.HookEvents("merge_requests_events", "note_events"))
	mr := shop.MergeRequest("cart", servicetest.By(ada))
	server.settle(service)
	for _, user := range []*servicetest.User{ada, grace} { // its author may not
		mr.Note("/approve", servicetest.By(user))
		server.settle(service)
	}
	for _, note := range mr.Notes() {
		fmt.Fprintf(out, "%s: %s\n", note.Author().Username(), note.Body())
	}
	if err := server.stop(); err != nil {
		return err
	}
	for _, delivery := range service.Deliveries() {
		fmt.Fprintln(out, "delivered", delivery.Event, delivery.Status)
	}
	return nil
}

// settle waits until neither the service nor the bot has anything to do.
func (s *server) settle(service *servicetest.Service) {
	for range 3 { // what the bot does causes events
		service.Flush()
		s.bot.idle.Wait()
	}
}
