package servicetest

import (
	"net/http"
	"strings"
)

// scheduleExport starts an export. While one is in progress, another call
// changes nothing.
func scheduleExport(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	order := exportOrder{description: c.str("description")}
	// An empty object means none: some clients always send one.
	if upload := c.sub("upload"); len(upload.values) > 0 {
		if order.uploadTo = upload.str("url"); order.uploadTo == "" {
			c.problem("upload[url] is missing")
		}
		if method := upload.str("http_method"); method != "" && method != "PUT" && method != "POST" {
			c.problem("upload[http_method] does not have a valid value")
		}
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if e := c.svc.exportOf(project); e.step == "" {
		e.step = "queued"
		c.svc.after(ExportQueuedFor, func() { c.svc.beginExport(project, order) })
	}
	return c.accepted(object{"message": "202 Accepted"})
}

func exportStatus(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	o := exportObject{projectSummary: project.summary(), ExportStatus: c.svc.exportOf(project).status()}
	if o.ExportStatus == "finished" {
		o.Links = &exportLinks{
			APIURL: c.base() + strings.TrimSuffix(c.r.URL.EscapedPath(), "/") + "/download",
			WebURL: project.webURL("download_export"),
		}
	}
	return c.ok(o)
}

// base returns the origin at which the caller reached the service.
func (c *call) base() string {
	if c.r.TLS != nil {
		return "https://" + c.r.Host
	}
	return "http://" + c.r.Host
}

func downloadExport(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	e := c.svc.exportOf(project)
	if e.archive == nil {
		return message(http.StatusNotFound, "404 Not Found - The project export file does not exist yet")
	}
	archive, name := e.archive, e.name
	return &reply{stream: func(w http.ResponseWriter, r *http.Request) {
		archive().reply(c, name, gzipType).write(w, r)
	}}
}
