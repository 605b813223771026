package serviceapi

// SSHKeysService gives access to the SSH keys of users.
type SSHKeysService service
