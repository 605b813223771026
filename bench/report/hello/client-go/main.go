// Command client-go prints the name of the user, with client-go.
package main

import (
	"fmt"
	"log"
	"os"

	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func main() {
	client, err := clientgo.NewClient(os.Args[2], clientgo.WithBaseURL(os.Args[1]))
	if err != nil {
		log.Fatal(err)
	}
	user, _, err := client.Users.CurrentUser()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Hello,", user.Name)
}
