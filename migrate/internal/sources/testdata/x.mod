module example.com/sources

go 1.26

require github.com/xanzy/go-gitlab v0.115.0
