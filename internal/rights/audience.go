package rights

import (
	"slices"
	"strings"

	"colophon/exports"
)

const euMembers = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"

// Words for the audiences that no statement names.
const (
	otherTerritory = "ZZ" // any territory that no statement names
	otherWord      = "other"
	otherEUWord    = "EU_other"
)

// person is a user type in a territory; "" means every one.
type person struct{ userType, territory string }

// refusalFor returns the reason why an audience excludes a person, "" if it
// does not.
func (a *Audience) refusalFor(p person) string {
	if p.userType != "" {
		if slices.Contains(a.NotUserTypes, p.userType) || len(a.UserTypes) > 0 && !slices.Contains(a.UserTypes, p.userType) {
			return "user_type_excluded"
		}
	}
	if p.territory != "" {
		if territoryOverlaps(p.territory, a.NotTerritories) || len(a.Territories) > 0 && !territoryWithin(p.territory, a.Territories) {
			return "territory_excluded"
		}
	}
	return ""
}

// namesPerson reports whether an audience was written for this person rather than
// for everybody.
func (a *Audience) namesPerson(p person) bool {
	return p.userType != "" && len(a.UserTypes) > 0 || p.territory != "" && len(a.Territories) > 0
}

func (a *Audience) limitsUsers() bool { return len(a.UserTypes)+len(a.NotUserTypes) > 0 }

func (a *Audience) limitsPlaces() bool { return len(a.Territories)+len(a.NotTerritories) > 0 }

func isMember(code string) bool { return len(code) == 2 && strings.Contains(euMembers, code) }

// territoryWithin reports whether a list covers all of a territory.
func territoryWithin(territory string, list []string) bool {
	return slices.Contains(list, territory) || isMember(territory) && slices.Contains(list, "EU")
}

// territoryOverlaps reports whether a list covers any part of a territory.
func territoryOverlaps(territory string, list []string) bool {
	if territoryWithin(territory, list) {
		return true
	}
	return territory == "EU" && slices.ContainsFunc(list, isMember)
}

// territory is one that a question is about: its code, and the word for it in
// an answer.
type territory struct{ code, word string }

// distinguishedAudiences returns the user types and territories that a question
// is about: those it names, or else all that the audiences distinguish. A
// single empty one means that they distinguish none.
func distinguishedAudiences(q Question, limits []*Audience) (userTypes []string, territories []territory) {
	userTypes, territories = []string{q.UserType}, []territory{{q.Territory, q.Territory}}
	limitsUsers := false
	var codes []string
	for _, a := range limits {
		limitsUsers = limitsUsers || a.limitsUsers()
		codes = append(codes, a.Territories...)
		codes = append(codes, a.NotTerritories...)
	}
	if q.UserType == "" && limitsUsers {
		userTypes = exports.UserTypes
	}
	if q.Territory == "" && len(codes) > 0 {
		territories = territoriesTold(codes)
	}
	return userTypes, territories
}

// territoriesTold returns the named territories, the EU as a whole, a member of
// it that is not named, and one territory for the rest of the world.
func territoriesTold(codes []string) []territory {
	var out []territory
	for _, code := range uniqueWords(append(slices.Clone(codes), "EU")) {
		out = append(out, territory{code, code})
	}
	if member := unnamedMember(codes); member != "" {
		out = append(out, territory{member, otherEUWord})
	}
	return append(out, territory{otherTerritory, otherWord})
}

// unnamedMember returns a member state of the EU to represent those that a list
// does not name, "" if the list names all.
func unnamedMember(codes []string) string {
	for _, member := range strings.Fields(euMembers) {
		if !slices.Contains(codes, member) {
			return member
		}
	}
	return ""
}
