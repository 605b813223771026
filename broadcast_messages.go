package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// BroadcastMessagesService manages the messages that the instance shows on its pages. Whoever reaches
// the instance can read them, without a credential; changing them requires an administrator.
//
// Its options are [CreateBroadcastMessageOptions], [ListOptions] and
// [UpdateBroadcastMessageOptions]. See the example of [BroadcastMessagesService.Create].
type BroadcastMessagesService service

// List returns one page of the messages, the newest first, with those of the past and the future.
//
//	GET /broadcast_messages
func (s *BroadcastMessagesService) List(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*BroadcastMessage, *Response, error) {
	return list[*BroadcastMessage](ctx, using(s), Route("/broadcast_messages"), queryOf(options), opts)
}

// All returns every message. See [BroadcastMessagesService.List].
//
//	GET /broadcast_messages
func (s *BroadcastMessagesService) All(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*BroadcastMessage, error] {
	return all[*BroadcastMessage](ctx, using(s), Route("/broadcast_messages"), queryOf(options), opts)
}

// Get returns a message.
//
//	GET /broadcast_messages/:id
func (s *BroadcastMessagesService) Get(
	ctx context.Context, messageID int64, opts ...RequestOption,
) (*BroadcastMessage, *Response, error) {
	return do[BroadcastMessage](ctx, using(s), http.MethodGet, Route("/broadcast_messages/:id", messageID), nil, opts)
}

// Create shows a message, from now on unless the options say otherwise. It is refused with
// [ErrBadRequest] if a color is none.
//
//	POST /broadcast_messages
func (s *BroadcastMessagesService) Create(
	ctx context.Context, options CreateBroadcastMessageOptions, opts ...RequestOption,
) (*BroadcastMessage, *Response, error) {
	return do[BroadcastMessage](ctx, using(s), http.MethodPost, Route("/broadcast_messages"), jsonOf(options), opts)
}

// Update changes a message.
//
//	PUT /broadcast_messages/:id
func (s *BroadcastMessagesService) Update(
	ctx context.Context, messageID int64, options UpdateBroadcastMessageOptions, opts ...RequestOption,
) (*BroadcastMessage, *Response, error) {
	return do[BroadcastMessage](ctx, using(s), http.MethodPut,
		Route("/broadcast_messages/:id", messageID), jsonOf(options), opts)
}

// Delete deletes a message.
//
//	DELETE /broadcast_messages/:id
func (s *BroadcastMessagesService) Delete(
	ctx context.Context, messageID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/broadcast_messages/:id", messageID), nil, opts)
}

// BroadcastMessage is a message on the pages of the instance.
type BroadcastMessage struct {
	ID      int64  `json:"id"`
	Message string `json:"message"`
	// Active reports whether the message was shown when the service responded, between StartsAt and EndsAt.
	Active   bool      `json:"active"`
	StartsAt time.Time `json:"starts_at"`
	EndsAt   time.Time `json:"ends_at"`
	// Color and Font are colors of older releases, such as "#E75E40". Later ones have Theme.
	Color string                `json:"color"`
	Font  string                `json:"font"`
	Theme BroadcastMessageTheme `json:"theme"`
	// TargetAccessLevels are the roles that see the message. It is empty if everybody does.
	TargetAccessLevels []AccessLevel `json:"target_access_levels"`
	// TargetPath limits the message to pages, such as "/acme/*". It is empty for all.
	TargetPath    string               `json:"target_path"`
	BroadcastType BroadcastMessageType `json:"broadcast_type"`
	// Dismissable reports whether people can close the message. Nil means no.
	Dismissable *bool `json:"dismissable"`
}

// BroadcastMessageType says where a message is shown.
type BroadcastMessageType string

// Types of messages. A notification stands in a corner of the page.
const (
	BroadcastMessageTypeBanner       BroadcastMessageType = "banner"
	BroadcastMessageTypeNotification BroadcastMessageType = "notification"
)

// BroadcastMessageTheme is the color of a message. Since 17.6.
type BroadcastMessageTheme string

// Themes of messages.
const (
	BroadcastMessageThemeIndigo      BroadcastMessageTheme = "indigo"
	BroadcastMessageThemeLightIndigo BroadcastMessageTheme = "light-indigo"
	BroadcastMessageThemeBlue        BroadcastMessageTheme = "blue"
	BroadcastMessageThemeLightBlue   BroadcastMessageTheme = "light-blue"
	BroadcastMessageThemeGreen       BroadcastMessageTheme = "green"
	BroadcastMessageThemeLightGreen  BroadcastMessageTheme = "light-green"
	BroadcastMessageThemeRed         BroadcastMessageTheme = "red"
	BroadcastMessageThemeLightRed    BroadcastMessageTheme = "light-red"
	BroadcastMessageThemeDark        BroadcastMessageTheme = "dark"
	BroadcastMessageThemeLight       BroadcastMessageTheme = "light"
)

// CreateBroadcastMessageOptions describes a message, as [BroadcastMessage] does. Message is required.
type CreateBroadcastMessageOptions struct {
	Message string `json:"message" required:"true"`
	// StartsAt is now and EndsAt is in one hour by default.
	StartsAt           *time.Time    `json:"starts_at,omitzero"`
	EndsAt             *time.Time    `json:"ends_at,omitzero"`
	TargetAccessLevels []AccessLevel `json:"target_access_levels,omitzero"`
	TargetPath         *string       `json:"target_path,omitzero"`
	// BroadcastType is a banner, and Theme indigo by default.
	BroadcastType *BroadcastMessageType  `json:"broadcast_type,omitzero"`
	Dismissable   *bool                  `json:"dismissable,omitzero"`
	Theme         *BroadcastMessageTheme `json:"theme,omitzero"`
	// Color and Font are deprecated.
	Color *string `json:"color,omitzero"`
	Font  *string `json:"font,omitzero"`
}

// UpdateBroadcastMessageOptions changes a [BroadcastMessage]. Nil fields are left unchanged.
type UpdateBroadcastMessageOptions struct {
	Message  *string    `json:"message,omitzero"`
	StartsAt *time.Time `json:"starts_at,omitzero"`
	EndsAt   *time.Time `json:"ends_at,omitzero"`
	// TargetAccessLevels replaces the roles. An empty list that is not nil means everybody.
	TargetAccessLevels []AccessLevel          `json:"target_access_levels,omitzero"`
	TargetPath         *string                `json:"target_path,omitzero"`
	BroadcastType      *BroadcastMessageType  `json:"broadcast_type,omitzero"`
	Dismissable        *bool                  `json:"dismissable,omitzero"`
	Theme              *BroadcastMessageTheme `json:"theme,omitzero"`
	Color              *string                `json:"color,omitzero"`
	Font               *string                `json:"font,omitzero"`
}
