package rights

import (
	"strings"

	"colophon/exports"
)

const euMembers = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"

// elsewhere stands for a territory that no statement names.
const elsewhere = "ZZ"

// person is one user type in one territory, "" where everybody is meant.
type person struct{ userType, territory string }

// refusal says why an audience leaves a person out, "" when it does not.
func (a *Audience) refusal(p person) string {
	if p.userType != "" {
		if exports.OneOf(p.userType, a.NotUserTypes) || len(a.UserTypes) > 0 && !exports.OneOf(p.userType, a.UserTypes) {
			return "user_type_excluded"
		}
	}
	if p.territory != "" {
		if overlaps(p.territory, a.NotTerritories) || len(a.Territories) > 0 && !within(p.territory, a.Territories) {
			return "territory_excluded"
		}
	}
	return ""
}

// names reports whether an audience was written for this person rather than
// for everybody.
func (a *Audience) names(p person) bool {
	return p.userType != "" && len(a.UserTypes) > 0 || p.territory != "" && len(a.Territories) > 0
}

func (a *Audience) limitsUsers() bool { return len(a.UserTypes)+len(a.NotUserTypes) > 0 }
func (a *Audience) limitsPlaces() bool {
	return len(a.Territories)+len(a.NotTerritories) > 0
}

func isMember(code string) bool { return len(code) == 2 && strings.Contains(euMembers, code) }

// within reports whether all of a territory lies in a list.
func within(territory string, list []string) bool {
	return exports.OneOf(territory, list) || isMember(territory) && exports.OneOf("EU", list)
}

// overlaps reports whether any part of a territory lies in a list.
func overlaps(territory string, list []string) bool {
	if within(territory, list) {
		return true
	}
	if territory != "EU" {
		return false
	}
	for _, code := range list {
		if isMember(code) {
			return true
		}
	}
	return false
}

// people lists whom a question may be about: the one it names, or, when it
// names no user type or territory and some audience is limited by it, each
// that could matter.
func people(q Query, limits []*Audience) (types, places []string) {
	types, places = []string{q.UserType}, []string{q.Territory}
	users, codes := false, []string{}
	for _, a := range limits {
		users = users || a.limitsUsers()
		codes = append(append(codes, a.Territories...), a.NotTerritories...)
	}
	if q.AnyAudience {
		return types, places
	}
	if q.UserType == "" && users {
		types = exports.UserTypes
	}
	if q.Territory == "" && len(codes) > 0 {
		places = append(uniqueWords(append(codes, "EU")), elsewhere)
	}
	return types, places
}
