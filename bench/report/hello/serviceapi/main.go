// Command serviceapi prints the name of the user, with this library.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.com/serviceapi"
)

func main() {
	client, err := serviceapi.NewClient(os.Args[1], serviceapi.PrivateToken(os.Args[2]))
	if err != nil {
		log.Fatal(err)
	}
	user, _, err := client.Users.Current(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Hello,", user.Name)
}
