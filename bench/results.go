package bench

import (
	"context"
	"net/http"

	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// Result is what a call returns, to find out how much memory it holds.
type Result struct {
	Name string
	// Items is how many objects it has.
	Items int
	Ways  map[Contender]func(context.Context) (any, error)
}

// Results returns those that are measured. They need no server.
func Results() []Result {
	const perPage = 100
	users := newMemory(http.StatusOK, Users(1, perPage)).clients()
	settings := newMemory(http.StatusOK, SettingsJSON()).clients()
	return []Result{
		{"users of a page, each", perPage, map[Contender]func(context.Context) (any, error){
			Ours: func(ctx context.Context) (any, error) {
				all, _, err := users.ours.Users.List(ctx, nil)
				return all, err
			},
			Peer: func(ctx context.Context) (any, error) {
				all, _, err := users.peer.Users.ListUsers(nil, clientgo.WithContext(ctx))
				return all, err
			},
		}},
		{"settings of the instance", 1, map[Contender]func(context.Context) (any, error){
			Ours: func(ctx context.Context) (any, error) {
				all, _, err := settings.ours.Settings.Get(ctx)
				return all, err
			},
			Peer: func(ctx context.Context) (any, error) {
				all, _, err := settings.peer.Settings.GetSettings(clientgo.WithContext(ctx))
				return all, err
			},
		}},
	}
}
