package graphql

import (
	"encoding/json"
	"strings"
)

// limit refuses an operation that costs more than the schema allows.
func (x *execution[C]) limit(root *Type[C]) {
	if x.schema.MaxComplexity == nil || len(x.errors) > 0 {
		return
	}
	highest, cost := x.schema.MaxComplexity(x.context), int(x.cost(root, x.operation.fields))
	if cost > highest {
		x.refuse(Location{1, 1}, nil, "Query has complexity of %d, which exceeds max complexity of %d", cost, highest)
	}
}

// cost returns the complexity of a selection: one for each field, and for a connection the
// hundredth part of its cost for each item that it may have.
func (x *execution[C]) cost(typ *Type[C], fields []*selection) float64 {
	sum := 0.0
	for _, f := range fields {
		d := typ.Fields[f.name]
		if d == nil { // __typename
			sum++
			continue
		}
		cost := 1.0
		if d.Type != nil {
			cost += x.cost(d.Type, f.fields)
		}
		if d.Type != nil && strings.HasSuffix(d.Type.Name, "Connection") {
			cost *= 1 + float64(x.first(f))/100
		}
		for name, extra := range map[string]float64{"sort": 1, "search": 5} {
			if x.plain(f.args[name]) != nil {
				cost += extra
			}
		}
		sum += cost
	}
	return sum
}

// first returns how many items a connection may have.
func (x *execution[C]) first(f *selection) int64 {
	number, _ := x.plain(f.args["first"]).(json.Number)
	n, err := number.Int64()
	if err != nil || n < 0 {
		return MaxPage
	}
	return min(n, MaxPage)
}
