// Package demo is what the example programs share: a way to start and end, and
// a service to talk to, be it the one that the environment names or an embedded
// one with a made-up company.
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

// A Program writes its result to out, and what a person wants to know meanwhile
// to notes.
type Program func(ctx context.Context, args []string, out, notes io.Writer) error

// Main runs a program with the arguments of the process, and ends the process
// with the program's status. An interrupt ends the program's context, a second
// one the process.
func Main(name string, program Program) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(Run(ctx, name, program, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs a program and returns its status: 0 if all went well, 1 if not, 2 if
// it was called wrongly. Notes say why.
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

// hintFor says what a person can do about an error.
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

// usageError is a program that was called wrongly. The problem is "" if it has
// been told already.
type usageError struct{ problem string }

func (e *usageError) Error() string { return e.problem }

// Usage returns the error of a program that was called wrongly.
func Usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// Flags returns a set of flags for a program. The synopsis is what its first
// line of help says.
func Flags(synopsis string, notes io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(notes)
	flags.Usage = func() {
		fmt.Fprintln(notes, "usage:", synopsis)
		flags.PrintDefaults()
	}
	return flags
}

// Parse reads flags. What is wrong with them it tells at once.
func Parse(flags *flag.FlagSet, args []string) error {
	err := flags.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return &usageError{}
}
