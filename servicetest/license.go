package servicetest

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A License describes a license of the instance. Service.AddLicense adds it, and the
// API accepts its Text.
type License struct {
	Plan string // ultimate if empty
	// Name, Email and Company say who the license was issued to.
	Name, Email, Company string
	UserLimit            int       // 0 means no limit
	StartsAt             time.Time // zero means when the license is added
	ExpiresAt            time.Time // zero means never
	AddOns               map[string]int
}

// Text returns the string that the API accepts for the license.
func (l License) Text() string {
	text, _ := json.Marshal(l) // all fields can be encoded
	return base64.StdEncoding.EncodeToString(text)
}

// A license is a license that was added.
type license struct {
	License

	id        int64
	createdAt time.Time
	most      int // most users so far
}

// licenseState keeps the licenses of the instance.
type licenseState struct{ licenses table[*license] }

// AddLicense adds a license to the instance and returns its ID. Only the newest license
// counts.
func (s *Service) AddLicense(l License) int64 {
	defer s.lock()()
	return s.addLicense(l).id
}

func (s *Service) addLicense(l License) *license {
	l.Plan = either(l.Plan, "ultimate")
	if l.StartsAt.IsZero() {
		l.StartsAt = s.now()
	}
	added := &license{License: l, createdAt: s.now()}
	added.id, _ = state[licenseState](s).licenses.add(0, added)
	return added
}

// activeUsers counts the users who need a seat.
func (s *Service) activeUsers() int {
	return len(s.users.all(func(u *User) bool { return !u.internal && u.barred() == "" }))
}

// onLicenses makes a handler that only the paid tiers have.
func onLicenses(handle handler) handler {
	return func(c *call) *reply {
		if !c.hasTier(Premium) {
			return frame.NotFound("")
		}
		return handle(c)
	}
}

// licenseForm returns the JSON of a license.
func (c *call) licenseForm(l *license) object {
	users := c.svc.activeUsers()
	l.most = max(l.most, users)
	expired, counted := !l.ExpiresAt.IsZero() && !l.ExpiresAt.After(c.now()), users
	if expired {
		counted = l.most
	}
	overage := 0
	if l.UserLimit > 0 {
		overage = max(0, counted-l.UserLimit)
	}
	addOns := l.AddOns
	if addOns == nil {
		addOns = map[string]int{}
	}
	return object{
		"id": l.id, "plan": l.Plan, "created_at": jsonTime(l.createdAt), "starts_at": jsonDate(l.StartsAt),
		"expires_at": jsonDate(l.ExpiresAt), "historical_max": l.most, "maximum_user_count": l.most,
		"expired": expired, "overage": overage, "user_limit": l.UserLimit, "active_users": users,
		"licensee": object{"Name": l.Name, "Email": l.Email, "Company": l.Company}, "add_ons": addOns,
	}
}

// listLicenses returns all licenses at once, the newest first.
func listLicenses(c *call) *reply {
	all := state[licenseState](c.svc).licenses.all(nil)
	slices.Reverse(all)
	return c.OK(mapped(all, func(l *license) object {
		form := c.licenseForm(l)
		delete(form, "active_users")
		return form
	}))
}

func getCurrentLicense(c *call) *reply {
	all := state[licenseState](c.svc).licenses.all(nil)
	if len(all) == 0 {
		return c.OK(nil)
	}
	return c.OK(c.licenseForm(all[len(all)-1]))
}

// pathLicense returns the license of the path.
func (c *call) pathLicense() (*license, *reply) {
	if l, ok := state[licenseState](c.svc).licenses.get(c.PathInt64("id")); ok && c.hasTier(Premium) {
		return l, nil
	}
	return nil, frame.NotFound("")
}

func getLicense(c *call, l *license) *reply { return c.OK(c.licenseForm(l)) }

func createLicense(c *call) *reply {
	text := c.RequiredString("license")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	var l License
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(data, &l) != nil {
		return frame.Message(400, "The license key is invalid. Make sure it is exactly as you received it.")
	}
	if !l.ExpiresAt.IsZero() && !l.ExpiresAt.After(c.now()) {
		return frame.Message(400, "This license has already expired.")
	}
	return c.Created(c.licenseForm(c.svc.addLicense(l)))
}

func deleteLicense(c *call, l *license) *reply {
	state[licenseState](c.svc).licenses.remove(l.id)
	return c.NoContent()
}
