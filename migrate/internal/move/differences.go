package move

// differences are calls that return something else than those of client-go in a case that the program
// may not expect.
var differences = map[string]string{
	"Invites.GroupInvites":   refusedAddresses,
	"Invites.ProjectInvites": refusedAddresses,
}

const refusedAddresses = "where the service refuses some of the addresses, the call returns a " +
	"serviceapi.InvitationError: client-go returns no error"
