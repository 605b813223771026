// Command golden runs the programs of its folders against the embedded service, and
// prints what each one sent and what it returned. They are moved to this library in a test,
// which compares the two.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"example.com/serviceapi/migrate/testdata/golden/commands"
	"example.com/serviceapi/migrate/testdata/golden/comments"
	"example.com/serviceapi/migrate/testdata/golden/contents"
	"example.com/serviceapi/migrate/testdata/golden/contexts"
	"example.com/serviceapi/migrate/testdata/golden/dots"
	"example.com/serviceapi/migrate/testdata/golden/embeds"
	"example.com/serviceapi/migrate/testdata/golden/errs"
	"example.com/serviceapi/migrate/testdata/golden/events"
	"example.com/serviceapi/migrate/testdata/golden/extras"
	"example.com/serviceapi/migrate/testdata/golden/factories"
	"example.com/serviceapi/migrate/testdata/golden/files"
	"example.com/serviceapi/migrate/testdata/golden/flags"
	"example.com/serviceapi/migrate/testdata/golden/gaps"
	"example.com/serviceapi/migrate/testdata/golden/graphs"
	"example.com/serviceapi/migrate/testdata/golden/hooks"
	"example.com/serviceapi/migrate/testdata/golden/interfaces"
	"example.com/serviceapi/migrate/testdata/golden/kinds"
	"example.com/serviceapi/migrate/testdata/golden/legacy"
	"example.com/serviceapi/migrate/testdata/golden/levels"
	"example.com/serviceapi/migrate/testdata/golden/lists"
	"example.com/serviceapi/migrate/testdata/golden/literals"
	"example.com/serviceapi/migrate/testdata/golden/logins"
	"example.com/serviceapi/migrate/testdata/golden/mixed"
	"example.com/serviceapi/migrate/testdata/golden/mocks"
	"example.com/serviceapi/migrate/testdata/golden/names"
	"example.com/serviceapi/migrate/testdata/golden/numbers"
	"example.com/serviceapi/migrate/testdata/golden/parts"
	"example.com/serviceapi/migrate/testdata/golden/pools"
	"example.com/serviceapi/migrate/testdata/golden/predicates"
	"example.com/serviceapi/migrate/testdata/golden/raw"
	"example.com/serviceapi/migrate/testdata/golden/refs"
	"example.com/serviceapi/migrate/testdata/golden/refusals"
	"example.com/serviceapi/migrate/testdata/golden/requests"
	"example.com/serviceapi/migrate/testdata/golden/responses"
	"example.com/serviceapi/migrate/testdata/golden/rules"
	"example.com/serviceapi/migrate/testdata/golden/shares"
	"example.com/serviceapi/migrate/testdata/golden/splits"
	"example.com/serviceapi/migrate/testdata/golden/texts"
	"example.com/serviceapi/migrate/testdata/golden/tokens"
	"example.com/serviceapi/migrate/testdata/golden/verdicts"
	"example.com/serviceapi/migrate/testdata/golden/wides"
	"example.com/serviceapi/migrate/testdata/golden/wire"
	"example.com/serviceapi/migrate/testdata/golden/writes"
	"example.com/serviceapi/servicetest"
)

// programs are called with the address of the service and a token.
var programs = map[string]func(url, token string) (string, error){
	"commands":   commands.Run,
	"comments":   comments.Run,
	"contents":   contents.Run,
	"contexts":   contexts.Run,
	"dots":       dots.Run,
	"embeds":     embeds.Run,
	"errs":       errs.Run,
	"events":     events.Run,
	"extras":     extras.Run,
	"factories":  factories.Run,
	"files":      files.Run,
	"flags":      flags.Run,
	"gaps":       gaps.Run,
	"graphs":     graphs.Run,
	"hooks":      hooks.Run,
	"interfaces": interfaces.Run,
	"kinds":      kinds.Run,
	"legacy":     legacy.Run,
	"levels":     levels.Run,
	"lists":      lists.Run,
	"literals":   literals.Run,
	"logins":     logins.Run,
	"mixed":      mixed.Run,
	"mocks":      mocks.Run,
	"names":      names.Run,
	"numbers":    numbers.Run,
	"parts":      parts.Run,
	"pools":      pools.Run,
	"predicates": predicates.Run,
	"raw":        raw.Run,
	"refs":       refs.Run,
	"refusals":   refusals.Run,
	"requests":   requests.Run,
	"responses":  responses.Run,
	"rules":      rules.Run,
	"shares":     shares.Run,
	"splits":     splits.Run,
	"texts":      texts.Run,
	"tokens":     tokens.Run,
	"verdicts":   verdicts.Run,
	"wides":      wides.Run,
	"writes":     writes.Run,
}

func main() {
	results := map[string]wire.Result{}
	for name, run := range programs {
		result, err := record(run)
		if err != nil {
			fmt.Fprintln(os.Stderr, name+":", err)
			os.Exit(1)
		}
		results[name] = result
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// record runs a program against a service of its own.
func record(run func(url, token string) (string, error)) (wire.Result, error) {
	service, err := servicetest.Start()
	if err != nil {
		return wire.Result{}, err
	}
	defer service.Close()
	wire.Seed(service)
	output, err := run(service.URL(), service.AdminToken())
	if err != nil {
		return wire.Result{}, err
	}
	return wire.Result{Output: output, Requests: wire.Requests(service)}, nil
}
