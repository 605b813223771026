package serviceapi

// refusedInput is the input of a call that cannot be made as the caller asked.
type refusedInput struct{ err error }

func (in refusedInput) encode(*call) error { return in.err }

// queryAndBody is the input of a call that has both.
type queryAndBody struct{ query, body input }

func (in queryAndBody) encode(cl *call) error {
	if err := in.query.encode(cl); err != nil {
		return err
	}
	return in.body.encode(cl)
}

// secretList is the query of a list whose items contain secrets, which errors
// must not quote.
func secretList(in input) input { return secretInput{in} }

type secretInput struct{ input }

func (in secretInput) encode(cl *call) error {
	cl.sensitive = true
	return in.input.encode(cl)
}

// deletion is the query of a call that deletes a project or a group.
type deletion struct {
	PermanentlyRemove bool   `url:"permanently_remove,omitempty"`
	FullPath          string `url:"full_path,omitempty"`
}

func deletionOf(d deletion) input {
	if d.PermanentlyRemove != (d.FullPath != "") {
		return refusedInput{&ArgumentError{Argument: "FullPath", Problem: "must be set together with PermanentlyRemove"}}
	}
	return queryOf(d)
}
