package servicetest

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// uploadState keeps the uploads of all projects and groups.
type uploadState struct{ uploads table[*upload] }

// An upload is a file that texts of a project or a group refer to.
type upload struct {
	id        int64
	home      any // *Project or *Group
	secret    string
	name      string
	content   *content
	size      int64
	by        *User
	createdAt time.Time
}

// maxUploadSize is the size above which the content of an upload is not kept.
const maxUploadSize = 10 << 20

// unusual matches characters that the name of an upload cannot have.
var unusual = regexp.MustCompile(`[^a-zA-Z0-9._-]`)

// shownInTexts lists the suffixes of pictures and videos.
var shownInTexts = []string{
	".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tiff", ".ico", ".webp", ".svg", ".mp4", ".m4v", ".mov", ".webm", ".ogv",
}

// upload stores a file that texts of a project or a group refer to.
func (s *Service) upload(home any, name string, data []byte, size int64, by *User) *upload {
	u := &upload{
		home: home, name: unusual.ReplaceAllString(path.Base(name), "_"), size: size, by: by,
		content: textContent(data, s.now()), createdAt: s.now(),
	}
	u.id, _ = state[uploadState](s).uploads.add(0, u)
	u.secret = frame.SHA("upload", frame.Itoa(u.id))[:32]
	return u
}

// Upload adds a file that the texts of the group refer to, uploaded by Root, and returns its ID
// and the address that texts have for it.
func (g *Group) Upload(name, content string) (id int64, address string) {
	defer g.svc.lock()()
	u := g.svc.upload(g, name, []byte(content), int64(len(content)), g.svc.admin)
	return u.id, u.address()
}

func (u *upload) address() string { return "/uploads/" + u.secret + "/" + u.name }

func createUpload(c *call, project *Project) *reply {
	file := c.RequiredFile("file")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	u := c.svc.upload(project, file.Name, file.Content, file.Size, c.user)
	alt, mark, suffix := u.name, "", path.Ext(u.name)
	if slices.Contains(shownInTexts, strings.ToLower(suffix)) {
		mark, alt = "!", strings.TrimSuffix(u.name, suffix)
	}
	address := u.address()
	return c.Created(object{
		"id": u.id, "alt": alt, "url": address, "full_path": "/-/project/" + frame.Itoa(project.id) + address,
		"markdown": mark + "[" + alt + "](" + address + ")",
	})
}

func listUploads(c *call, home any) *reply {
	found := state[uploadState](c.svc).uploads.all(func(u *upload) bool { return u.home == home })
	slices.Reverse(found)
	return frame.ListOf(c, found, func(u *upload) object {
		o := object{
			"id": u.id, "size": u.size, "filename": u.name, "created_at": jsonTime(u.createdAt), "uploaded_by": nil,
		}
		if by := u.by.shown(); by != nil {
			o["uploaded_by"] = object{"id": by.id, "name": by.name, "username": by.username}
		}
		return o
	})
}

// findUpload returns the upload of the path.
func (c *call) findUpload() (*upload, *reply) {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return nil, refusal
	}
	id, secret, name := c.PathInt64("upload_id"), c.PathString("secret"), c.PathString("filename")
	for _, u := range state[uploadState](c.svc).uploads.all(nil) {
		if u.home == home && (u.id == id || u.secret == secret && u.name == name) {
			return u, nil
		}
	}
	return nil, frame.NotFound("")
}

func downloadUpload(c *call, u *upload) *reply {
	return u.content.reply(c, u.name, "application/octet-stream")
}

func deleteUpload(c *call, u *upload) *reply {
	state[uploadState](c.svc).uploads.remove(u.id)
	return c.NoContent()
}
