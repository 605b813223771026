// Package contents reads and writes files, whose content client-go leaves in Base64.
package contents

import (
	"encoding/base64"
	"errors"
	"fmt"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type file struct{ path, content string }

func (f file) text() string {
	data, _ := base64.StdEncoding.DecodeString(f.content)
	return string(data)
}

// Run reads a file in every way.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	ref := &gitlab.GetFileOptions{Ref: gitlab.Ptr("work")}
	f, _, err := client.RepositoryFiles.GetFile("acme/shop", "work.txt", ref)
	if err != nil {
		return "", err
	}
	// The usual way.
	data, err := base64.StdEncoding.DecodeString(f.Content)
	if err != nil {
		return "", err
	}
	other, err := decode(f.Content, f.Encoding)
	if err != nil {
		return "", err
	}
	last, err := bytesOf(f)
	if err != nil || f.Content == "" || len(f.Content) != 8 {
		return "", errors.New("no content")
	}
	return fmt.Sprint(string(data), other, string(last), file{f.FilePath, f.Content}.text(), f.Content), nil
}

func bytesOf(f *gitlab.File) ([]byte, error) { return base64.StdEncoding.DecodeString(f.Content) }

func decode(content, encoding string) (string, error) {
	switch encoding {
	case "", "text":
		return content, nil
	case "base64":
		data, err := base64.StdEncoding.DecodeString(content)
		return string(data), err
	}
	return "", errors.New("unknown encoding " + encoding)
}
