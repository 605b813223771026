package serviceapi

// TagsService gives access to the tags of a repository.
type TagsService service
