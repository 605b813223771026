package servicetest

import (
	"net/http"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// scheduleExport starts an export. While one is in progress, another call
// changes nothing.
func scheduleExport(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	order := exportOrder{description: c.Str("description")}
	// An empty object means none: some clients always send one.
	if upload := c.Sub("upload"); len(upload.Values) > 0 {
		if order.uploadTo = upload.Str("url"); order.uploadTo == "" {
			c.Problem("upload[url] is missing")
		}
		if method := upload.Str("http_method"); method != "" && method != "PUT" && method != "POST" {
			c.Problem("upload[http_method] does not have a valid value")
		}
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if e := c.svc.exportOf(project); e.step == "" {
		e.step = "queued"
		c.svc.after(ExportQueuedFor, func() { c.svc.beginExport(project, order) })
	}
	return c.Accepted(object{"message": "202 Accepted"})
}

func exportStatus(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	o := exportObject{projectSummary: project.summary(), ExportStatus: c.svc.exportOf(project).status()}
	if o.ExportStatus == "finished" {
		o.Links = &exportLinks{
			APIURL: c.base() + strings.TrimSuffix(c.Request.URL.EscapedPath(), "/") + "/download",
			WebURL: project.webURL("download_export"),
		}
	}
	return c.OK(o)
}

// base returns the origin at which the caller reached the service.
func (c *call) base() string {
	if c.Request.TLS != nil {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}

func downloadExport(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	e := c.svc.exportOf(project)
	if e.archive == nil {
		return frame.Message(http.StatusNotFound, "404 Not Found - The project export file does not exist yet")
	}
	archive, name := e.archive, e.name
	return &reply{Stream: func(w http.ResponseWriter, r *http.Request) {
		archive().reply(c, name, gzipType).Write(w, r)
	}}
}
