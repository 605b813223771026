// Command report does the same work with this library, with client-go and with
// only net/http, in turns, and writes the costs as a Markdown table.
//
//	go run ./report [-quick] [-only regexp] [-o file]
//	go run ./report -update
//	go run ./report -draw
//
// With -update, it also writes everything in the repository that depends on the figures:
// figures/figures.json, what is drawn of it, the table in README.md, and what the README
// of the library says. With -draw, it measures nothing and does the same with the figures
// that are in figures/figures.json. Both are run in the directory of the module.
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
	"strings"
)

func main() {
	log.SetFlags(log.Ltime)
	var (
		quick  = flag.Bool("quick", false, "fewer rounds and less work, within 5 minutes")
		only   = flag.String("only", "", "run the experiments whose names match")
		output = flag.String("o", "", "also write the table to this file, or the record if it ends in .json")
		update = flag.Bool("update", false, "write the table and the figures in the repository; of a whole run only")
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
	case *update && (*quick || *only != ""):
		err = errors.New("-update needs a whole run, without -quick and -only")
	default:
		err = report(ctx, *quick, *only, *output, *update)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func report(ctx context.Context, quick bool, only, output string, update bool) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	l, err := newLab(ctx, quick)
	if err != nil {
		return err
	}
	defer l.close()
	var chosen []experiment
	for _, e := range l.experiments() {
		if pattern.MatchString(e.name) {
			chosen = append(chosen, e)
		}
	}
	rows, failed := runAll(ctx, chosen)
	r := newRecord(rows, failed, quick)
	var text bytes.Buffer
	if err := r.writeReport(&text); err != nil {
		return err
	}
	if strings.HasSuffix(output, ".json") {
		err = r.write(output)
	} else if output != "" {
		err = os.WriteFile(output, text.Bytes(), 0o644)
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
	if update {
		return r.publish(".")
	}
	return nil
}
