package packcheck

import (
	"encoding/json"
	"fmt"

	"colophon/exports"
)

// readTDMRep reads tdmrep.json, in which the first matching rule counts.
func readTDMRep(body []byte, path string) (levels, error) {
	var rules []struct {
		Location    string
		Reservation *int `json:"tdm-reservation"`
	}
	var out levels
	if err := json.Unmarshal(body, &rules); err != nil {
		return out, err
	}
	for _, r := range rules {
		if !exports.MatchPattern(r.Location, path) {
			continue
		}
		if r.Reservation == nil || *r.Reservation != 1 {
			out.raiseUses(free, tdmUses...)
		}
		break
	}
	return out, nil
}

// odrlUses lists the uses that each ODRL action names.
var odrlUses = map[string][]int{
	"tdm:mine": {training, datasets}, "ai-training": {training}, "ai-augment": {rag}, "index": {search}, "distribute": {syndication},
}

// readODRL reads an ODRL policy. A permission without a duty is free. A
// permission with a duty only refines the reservations that link to it, and
// these are read with their own files.
func readODRL(body []byte, _ string) (levels, error) {
	var doc struct {
		Permission []struct {
			Action string
			Duty   []struct{ Action string }
		}
	}
	var out levels
	if err := json.Unmarshal(body, &doc); err != nil {
		return out, err
	}
	for _, p := range doc.Permission {
		if odrlUses[p.Action] == nil {
			return out, fmt.Errorf("action %q", p.Action)
		}
		if len(p.Duty) == 0 {
			out.raiseUses(free, odrlUses[p.Action]...)
		}
	}
	return out, nil
}

var cawgUses = map[string][]int{
	"cawg.data_mining": {datasets}, "cawg.ai_inference": {rag, summarization},
	"cawg.ai_training": {training, fineTuning}, "cawg.ai_generative_training": {training, fineTuning},
}

func readCAWG(body []byte, _ string) (levels, error) {
	var doc struct {
		Entries map[string]struct {
			Use  string
			Info string `json:"constraint_info"`
		}
	}
	var out levels
	if err := json.Unmarshal(body, &doc); err != nil {
		return out, err
	}
	for name, e := range doc.Entries {
		uses, known := cawgUses[name]
		switch {
		case !known:
			return out, fmt.Errorf("entry %q", name)
		case e.Use == "allowed":
			out.raiseUses(free, uses...)
		case e.Use == "constrained" && e.Info != "": // an offer only for the first use that it covers
			out.raiseUses(asking, uses[0])
		}
	}
	return out, nil
}

// compUses lists the uses of each of CoMP's functions, by number.
var compUses = [][]int{everyUse, {rag, training, summarization, datasets}, {training}, {rag}, {rag}, {search}}

func readCoMP(body []byte, _ string) (levels, error) {
	var doc struct {
		Package struct {
			Ext struct{ Function []int }
		}
	}
	var out levels
	if err := json.Unmarshal(body, &doc); err != nil {
		return out, err
	}
	for _, n := range doc.Package.Ext.Function {
		if n < 0 || n >= len(compUses) {
			return out, fmt.Errorf("function %d", n)
		}
		out.raiseUses(asking, compUses[n]...)
	}
	return out, nil
}

// classUses maps the classes of agents in declared access rules to uses.
var classUses = map[string]int{"training": training, "inference": rag, "search": search}

// readAccess reads the declared access rules: for each class, the first row
// whose path matches counts.
func readAccess(body []byte, path string) (levels, error) {
	var doc struct {
		AccessRules []struct{ Class, Decision, Path string } `json:"declared_posture"`
	}
	var out levels
	if err := json.Unmarshal(body, &doc); err != nil {
		return out, err
	}
	decided := map[string]bool{}
	for _, r := range doc.AccessRules {
		if decided[r.Class] || !exports.MatchPattern(r.Path, path) {
			continue
		}
		decided[r.Class] = true
		use, known := classUses[r.Class]
		switch {
		case !known:
			return out, fmt.Errorf("class %q", r.Class)
		case r.Decision == "allow":
			out.raiseUses(told, use) // the page is served together with its conditions
		case r.Decision == "license":
			out.raiseUses(asking, use)
		}
	}
	return out, nil
}
