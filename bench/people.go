package bench

import "fmt"

// person is the short form of a user in other objects.
type person struct {
	ID        int     `json:"id"`
	Name      string  `json:"name"`
	Username  string  `json:"username"`
	State     string  `json:"state"`
	AvatarURL *string `json:"avatar_url"`
	WebURL    string  `json:"web_url"`
}

var (
	firstNames = []string{"Ada", "Charles", "Grace", "Alan", "Katherine", "Edsger", "Barbara", "Donald", "Frances",
		"Tony", "Radia"}
	lastNames = []string{"Lovelace", "Babbage", "Hopper", "Turing", "Johnson", "Dijkstra", "Liskov", "Knuth", "Allen",
		"Hoare", "Perlman", "Kay", "Wirth"}
)

// teamSize is the number of people who work in a project. The same people occur
// on every page, as in real life.
const teamSize = 30

// member returns a member of the team. Every fifth one has no picture.
func member(n int) person {
	n = n % teamSize
	first, last := firstNames[n%len(firstNames)], lastNames[n%len(lastNames)]
	p := person{
		ID: 101 + 7*n, Name: first + " " + last, Username: fmt.Sprintf("%c%s%d", first[0]|0x20, last, n),
		State: "active",
	}
	p.WebURL = "https://service.test/" + p.Username
	if n%5 != 4 {
		p.AvatarURL = new(fmt.Sprintf("https://secure.avatars.example.com/avatar/%s?s=80&d=identicon",
			hash("avatar", n)[:32]))
	}
	return p
}

// profile returns the additional members of a user in jobs.
func profile(n int) members {
	p := member(n)
	m := members{
		"/user/id": p.ID, "/user/name": p.Name, "/user/username": p.Username, "/user/avatar_url": p.AvatarURL,
		"/user/web_url": p.WebURL, "/user/created_at": moment(-p.ID * 1000),
		"/user/location":     []string{"London", "Amsterdam", "New York", "Zürich"}[n%4],
		"/user/public_email": p.Username + "@example.com", "/user/website_url": "https://" + p.Username +
			".example.com",
		"/user/skype": "", "/user/linkedin": p.Username + "-l", "/user/twitter": p.Username + "_t",
		"/user/bio": fmt.Sprintf("Analyst number %d. Writes programs for engines that do not exist yet.", p.ID),
	}
	if n%3 == 0 {
		m["/user/bio"], m["/user/organization"] = nil, nil
	}
	return m
}
