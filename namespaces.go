package serviceapi

// NamespacesService gives access to namespaces: users and groups, as what projects are in.
type NamespacesService service
