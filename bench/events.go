package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/serviceapi/webhook"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// push is the body of a webhook about a push.
func push() Case {
	return decoded[*webhook.PushEvent]("Push", webhook.KindPush, clientgo.EventTypePush, PushJSON())
}

// mergeRequestEvent is the body of a webhook about a merge request.
func mergeRequestEvent() Case {
	return decoded[*webhook.MergeRequestEvent]("MergeRequestEvent", webhook.KindMergeRequest,
		clientgo.EventTypeMergeRequest, MergeRequestEventJSON())
}

// decoded is a case of an event whose header is known.
func decoded[E webhook.Event](name string, kind webhook.Kind, theirs clientgo.EventType, text string) Case {
	body, fresh := []byte(text), plain(text)
	return Case{Name: name, Ways: map[Contender]Way{
		Ours: func(context.Context) error {
			event, err := webhook.Decode(kind, body)
			if _, ok := event.(E); !ok {
				return fmt.Errorf("%s was decoded as %T, error %w", name, event, err)
			}
			return event.Info().Problem
		},
		Peer: func(context.Context) error {
			event, err := clientgo.ParseWebhook(theirs, body)
			if event == nil && err == nil {
				return errors.New("the peer does not know the event")
			}
			return err
		},
		Decoding: func(context.Context) error { return json.Unmarshal(body, fresh()) },
		Floor: func(context.Context) error {
			return jsonv2.Unmarshal(body, fresh(), jsontext.AllowInvalidUTF8(true))
		},
	}}
}
