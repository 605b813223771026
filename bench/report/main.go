// Command report does the same work with this library, with client-go and with
// only net/http, in turns, and writes the costs as a Markdown table.
//
//	go run ./report [-quick] [-only regexp] [-o file]
//	go run ./report -update
//	GOTOOLCHAIN=go1.27.4 go run ./report -newest
//	go run ./report -draw
//
// With -update, it also writes everything in the repository that depends on the figures:
// figures/figures.json, what is drawn of it, the table in README.md, and what the README
// of the library says. With -newest, it measures what is measured in memory, with a later
// release of Go than that of go.mod, and writes figures/newest.json and the same pages. With
// -draw, it measures nothing and does the same with the figures that are in figures/. All are
// run in the directory of the module.
//
// The service runs in a separate process. So does each transfer, whose memory
// is measured.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(log.Ltime)
	var (
		quick  = flag.Bool("quick", false, "fewer rounds and less work, within 5 minutes")
		only   = flag.String("only", "", "run the experiments whose names match")
		output = flag.String("o", "", "also write the table to this file, or the record if it ends in .json")
		update = flag.Bool("update", false, "write the table and the figures in the repository; of a whole run only")
		newest = flag.Bool("newest", false, "measure what needs no service, and write it as the newest Go's")
		redraw = flag.Bool("draw", false, "measure nothing; write what depends on figures/figures.json again")
		serve  = flag.Bool(serveFlag, false, "be the service (used by report itself)")
		child  = flag.Bool(transferFlag, false, "make a transfer (used by report itself)")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *serve:
		err = serveUntilClosed(os.Stdin, os.Stdout)
	case *child:
		err = transferChild(ctx, flag.Args())
	case *redraw:
		var r record
		if r, err = readRecord(recordFile); err == nil {
			err = r.publish(".")
		}
	case (*update || *newest) && (*quick || *only != "") || *update && *newest:
		err = errors.New("-update and -newest need a run of their own, without -quick and -only")
	default:
		err = run{quick: *quick, only: *only, output: *output, update: *update, newest: *newest}.report(ctx)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// A run is what is measured, and where it is written.
type run struct {
	quick, update, newest bool
	only, output          string
}

// chosen returns the experiments of a run.
func (w run) chosen(l *lab) ([]experiment, error) {
	all := l.experiments()
	if w.newest {
		all = l.withoutService()
	}
	pattern, err := regexp.Compile(w.only)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(e experiment) bool { return !pattern.MatchString(e.name) }), nil
}

func (w run) report(ctx context.Context) error {
	l, err := newLab(ctx, w.quick)
	if err != nil {
		return err
	}
	defer l.close()
	chosen, err := w.chosen(l)
	if err != nil {
		return err
	}
	rows, failed := runAll(ctx, chosen)
	r := newRecord(rows, failed, w.quick)
	var text bytes.Buffer
	if err := r.writeReport(&text); err != nil {
		return err
	}
	if strings.HasSuffix(w.output, ".json") {
		err = r.write(w.output)
	} else if w.output != "" {
		err = os.WriteFile(w.output, text.Bytes(), 0o644)
	}
	if err != nil {
		return err
	}
	os.Stdout.Write(text.Bytes())
	if len(failed) > 0 {
		return fmt.Errorf("%d experiments failed", len(failed))
	}
	for _, name := range r.missed() {
		log.Printf("misses its goal: %s", name)
	}
	switch {
	case w.newest:
		return publishNewest(r)
	case w.update:
		return r.publish(".")
	}
	return nil
}

// publishNewest writes a record beside that of the whole run, and what depends on both.
func publishNewest(newest record) error {
	r, err := readRecord(recordFile)
	if err != nil {
		return err
	}
	if newest.Go == r.Go {
		return errors.New("the whole run was with " + r.Go + ", too: choose another one with GOTOOLCHAIN")
	}
	if err := newest.write(newestFile); err != nil {
		return err
	}
	return r.publish(".")
}
