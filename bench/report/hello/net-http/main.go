// Command net-http prints the response for the user, with only net/http.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	req, err := http.NewRequest(http.MethodGet, os.Args[1]+"/api/v4/user", nil)
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", os.Args[2])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(os.Stdout, resp.Body); err != nil {
		log.Fatal(err)
	}
}
