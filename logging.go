package serviceapi

import (
	"log/slog"
	"net/http"
	"time"
)

// outcome is how an attempt ended.
type outcome struct {
	resp *http.Response
	err  error
	// again tells that another attempt follows.
	again bool
}

// log describes the attempt that just ended.
func (cl *call) log(logger *slog.Logger, o outcome) {
	level, text := slog.LevelDebug, "request"
	if o.again {
		level, text = slog.LevelInfo, "request will be repeated"
	}
	if !logger.Enabled(cl.ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", cl.method),
		slog.String("operation", cl.endpoint.template),
		slog.String("url", withoutQuery(cl.url())),
		slog.Int("attempt", cl.attempt.count),
		slog.Duration("duration", time.Since(cl.attempt.started)),
	}
	if o.resp != nil {
		attrs = append(attrs, slog.Int("status", o.resp.StatusCode),
			slog.String("request_id", printable(o.resp.Header.Get(requestIDHeader), 100)))
	}
	if o.err != nil {
		attrs = append(attrs, slog.String("error", printable(cl.redact(causeText(o.err)), maxErrorText)))
	}
	if o.again {
		attrs = append(attrs, slog.Duration("wait", cl.attempt.wait))
	}
	logger.LogAttrs(cl.ctx, level, text, attrs...)
}
