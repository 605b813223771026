// Package demo has what the example programs share: how they start and end, and
// the service that they call. It is the one that the environment names, or an
// embedded one with a sample company.
package demo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"example.com/serviceapi"
)

// A Program writes its result to out, and messages for the user to notes.
type Program func(ctx context.Context, args []string, out, notes io.Writer) error

// Main runs a program with the arguments of the process, and exits with the
// program's status. An interrupt cancels the program's context. A second one
// ends the process.
func Main(name string, program Program) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(Run(ctx, name, program, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs a program and returns its status: 0 for success, 1 for failure, 2
// for wrong usage. It writes the reason to notes.
func Run(ctx context.Context, name string, program Program, args []string, out, notes io.Writer) int {
	err := program(ctx, args, out, notes)
	var usage *usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		if usage.problem != "" {
			fmt.Fprintf(notes, "%s: %s\n", name, usage.problem)
		}
		return 2
	}
	fmt.Fprintf(notes, "%s: %v\n", name, err)
	if hint := hintFor(err); hint != "" {
		fmt.Fprintln(notes, hint)
	}
	return 1
}

// hintFor says what the user can do about an error.
func hintFor(err error) string {
	switch {
	case errors.Is(err, serviceapi.ErrUnauthorized):
		return "The token was refused. Is it still valid?"
	case errors.Is(err, serviceapi.ErrForbidden):
		return "The token's user may not do that."
	case errors.Is(err, serviceapi.ErrNotFound):
		return "Is the name right? What the token's user may not see is not found either."
	}
	return ""
}

// usageError is an error in the usage of a program. The problem is "" if it has
// already been written.
type usageError struct{ problem string }

func (e *usageError) Error() string { return e.problem }

// Usage returns an error for wrong usage of a program.
func Usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// Flags returns a set of flags for a program. The synopsis is the first line of
// its help.
func Flags(synopsis string, notes io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(notes)
	flags.Usage = func() {
		fmt.Fprintln(notes, "usage:", synopsis)
		flags.PrintDefaults()
	}
	return flags
}

// Parse parses flags, and writes what is wrong with them.
func Parse(flags *flag.FlagSet, args []string) error {
	err := flags.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return &usageError{}
}
