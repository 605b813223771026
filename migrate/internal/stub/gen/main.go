// Command gen writes the stubs of the library's packages.
package main

import (
	"log"
	"os"

	"example.com/serviceapi/migrate/internal/stub"
)

func main() {
	texts, err := stub.Generate("../../..")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range texts {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
