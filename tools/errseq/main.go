// Errseq is a vet tool that reports loops over a sequence of values and errors that
// take only the values. Such a loop compiles, and ends silently at the first error:
//
//	for job := range client.Jobs.All(ctx, project, nil) { // and the error?
//
// It works for every iter.Seq2 whose second value is an error, in any module:
//
//	go build -o /tmp/errseq ./errseq
//	go vet -vettool=/tmp/errseq ./...
package main

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() { unitchecker.Main(analyzer) }

var analyzer = &analysis.Analyzer{
	Name: "errseq",
	Doc:  "report loops that drop the errors of a sequence",
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			if ok && loop.Value == nil && yieldsErrors(pass.TypesInfo.TypeOf(loop.X)) {
				pass.Reportf(loop.Pos(), "the loop drops the errors of the sequence: write for v, err := range")
			}
			return true
		})
	}
	return nil, nil
}

// yieldsErrors reports whether a type is a function that yields a value and an error,
// as iter.Seq2[V, error] is.
func yieldsErrors(typ types.Type) bool {
	if typ == nil {
		return false
	}
	seq, ok := typ.Underlying().(*types.Signature)
	if !ok || seq.Params().Len() != 1 || seq.Results().Len() != 0 {
		return false
	}
	yield, ok := seq.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() == 2 &&
		types.Identical(yield.Params().At(1).Type(), types.Universe.Lookup("error").Type())
}
