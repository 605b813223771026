// Command report does the same work with this library, with client-go and with
// only net/http, in turns, and writes the costs as a Markdown table.
//
//	go run ./report [-quick] [-only regexp] [-o file]
//
// The service runs in a separate process. So does each transfer, whose memory
// is measured.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"regexp"
)

func main() {
	log.SetFlags(log.Ltime)
	var (
		quick  = flag.Bool("quick", false, "fewer rounds and smaller transfers, within 2 minutes")
		only   = flag.String("only", "", "run the experiments whose names match")
		output = flag.String("o", "", "also write the table to this file")
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
	default:
		err = report(ctx, *quick, *only, *output)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func report(ctx context.Context, quick bool, only, output string) error {
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
	var text bytes.Buffer
	if err := writeReport(&text, rows, failed, quick); err != nil {
		return err
	}
	if output != "" {
		if err := os.WriteFile(output, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	os.Stdout.Write(text.Bytes())
	if len(failed) > 0 {
		return fmt.Errorf("%d experiments failed", len(failed))
	}
	return nil
}
