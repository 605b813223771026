package serviceapi

// AccessTokensService gives access to access tokens: personal, of projects and of groups.
type AccessTokensService service
