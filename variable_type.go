package serviceapi

// VariableType says how a job gets a variable.
type VariableType string

// Types of variables. VariableFile gives the job a file with the value, and its
// path in the variable.
const (
	VariableEnv  VariableType = "env_var"
	VariableFile VariableType = "file"
)
