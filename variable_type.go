package serviceapi

// VariableType says how a job gets a variable.
type VariableType string

// Types of variables. With VariableFile, the variable contains the path of a
// file with the value.
const (
	VariableEnv  VariableType = "env_var"
	VariableFile VariableType = "file"
)
