package servicetest

import (
	"mime"
	"path"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A picture is the avatar of a project or a group. The zero value means no avatar.
type picture struct {
	name    string // name of the file
	content *content
}

const maxPictureSize = 200 << 10

// checkAvatar refuses a picture that is too large.
func (c *call) checkAvatar() {
	if file := c.Files["avatar"]; file != nil && file.Size > maxPictureSize {
		c.Invalid("avatar")
	}
}

// avatar returns the picture that a call sends, the zero value if the call removes the
// picture, and otherwise the old one.
func (c *call) avatar(before picture) picture {
	if file := c.Files["avatar"]; file != nil {
		return picture{file.Name, textContent(file.Content, c.now())}
	}
	if c.Has("avatar") && c.String("avatar") == "" {
		return picture{}
	}
	return before
}

// reply sends the picture.
func (p picture) reply(c *call) *reply {
	if p.name == "" {
		return frame.NotFound("Avatar")
	}
	return p.content.reply(c, p.name, either(mime.TypeByExtension(path.Ext(p.name)), "application/octet-stream"))
}

func getProjectAvatar(c *call, project *Project) *reply { return project.avatar.reply(c) }
