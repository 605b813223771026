package wiretests

import (
	"context"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type scheduleMoves func(context.Context, serviceapi.ScheduleStorageMovesOptions,
	...serviceapi.RequestOption) (*serviceapi.Response, error)

func TestStorageMoves(t *testing.T) {
	for path, schedule := range map[string]func(*serviceapi.Client) scheduleMoves{
		"/project_repository_storage_moves": func(c *serviceapi.Client) scheduleMoves {
			return c.StorageMoves.MoveProjects
		},
		"/snippet_repository_storage_moves": func(c *serviceapi.Client) scheduleMoves {
			return c.StorageMoves.MoveSnippets
		},
		"/group_repository_storage_moves": func(c *serviceapi.Client) scheduleMoves {
			return c.StorageMoves.MoveGroups
		},
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t,
				exchange{
					Method: "POST", Path: path, Status: 202, Body: `{"message":"202 Accepted"}`,
					JSON: `{"source_storage_name":"disk-1","destination_storage_name":"disk-2"}`,
				},
				exchange{Method: "POST", Path: path, Status: 202, Body: `{"message":"202 Accepted"}`,
					JSON: `{"source_storage_name":"disk-1"}`},
				exchange{
					Method: "POST", Path: path, Status: 403, Body: `{"message":"403 Forbidden"}`,
					JSON: `{"source_storage_name":"disk-1","destination_storage_name":"disk-2"}`,
				},
			)
			options := serviceapi.ScheduleStorageMovesOptions{
				SourceStorageName:      "disk-1",
				DestinationStorageName: new("disk-2"),
			}
			resp, err := schedule(client)(t.Context(), options)
			require.NoError(t, err)
			assert.Equal(t, 202, resp.StatusCode)
			_, err = schedule(client)(t.Context(), serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "disk-1"})
			require.NoError(t, err, "the service chooses the destination")
			_, err = schedule(client)(t.Context(), options)
			assert.ErrorIs(t, err, serviceapi.ErrForbidden)

			for want, bad := range map[string][]serviceapi.ScheduleStorageMovesOptions{
				"SourceStorageName is missing": {{}, {DestinationStorageName: new("a")}},
				"DestinationStorageName is empty": {{SourceStorageName: "a",
					DestinationStorageName: new("")}},
				"DestinationStorageName is the source storage": {{SourceStorageName: "a",
					DestinationStorageName: new("a")}},
			} {
				for _, options := range bad {
					_, err = schedule(client)(t.Context(), options)
					var argument *serviceapi.ArgumentError
					require.ErrorAs(t, err, &argument, "%+v", options)
					assert.ErrorContains(t, err, want)
				}
			}
		})
	}
}
