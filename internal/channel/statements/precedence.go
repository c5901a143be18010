package statements

import (
	"math"
	"slices"

	"colophon/exports"
)

// licenceSet holds the RSL files that robots.txt names for an agent.
type licenceSet struct {
	inForce map[string]bool // named for this agent, or found in another way
	named   map[string]bool // named by robots.txt for any agent
}

// licencesInForce applies RSL's rule for robots.txt: a licence inside the
// agent's group hides the global ones. A file that was also found in another
// way, or that robots.txt does not name at all, is always in force.
func licencesInForce(docs []Document, agent string) licenceSet {
	set := licenceSet{map[string]bool{}, map[string]bool{}}
	for i := range docs {
		d := &docs[i]
		if len(d.Links) == 0 {
			continue
		}
		for _, l := range d.Links {
			if l.Rel == "license" && d.Channel == Robots {
				set.named[l.URL] = true
			}
			if l.Rel == "license" && d.Channel != Robots {
				set.inForce[l.URL] = true
			}
		}
		if d.Channel != Robots {
			continue
		}
		for _, u := range d.licencesFor(agent) {
			set.inForce[u] = true
		}
	}
	return set
}

// licencesFor lists the licence files that a robots file names for an agent.
func (d *Document) licencesFor(agent string) []string {
	if own := d.licenceFiles(d.groupsFor(agent)); len(own) > 0 {
		return own
	}
	return d.licenceFiles([]int{0})
}

// licenceFiles lists the licence files named in some groups, 0 being outside.
func (d *Document) licenceFiles(groups []int) []string {
	var out []string
	for _, l := range d.Links {
		if l.Rel == "license" && slices.Contains(groups, l.Group) {
			out = append(out, l.URL)
		}
	}
	return out
}

func (s licenceSet) isHidden(u string) bool { return s.named[u] && !s.inForce[u] }

// rslAnswers evaluates all applicable licences together. Narrower contents
// come first; a use that a level leaves open is decided by the next.
func rslAnswers(own []found) []Answer {
	shut := Terms{}
	for _, f := range own {
		shut.NotUserTypes = append(shut.NotUserTypes, f.Terms.NotUserTypes...)
		shut.NotTerritories = append(shut.NotTerritories, f.Terms.NotTerritories...)
	}
	levels := rslLevels(own)
	out := make([]Answer, 0, len(exports.Uses))
	for _, u := range exports.Uses {
		a := Answer{Channel: RSL, Use: u}
		for _, level := range levels {
			if a.rslLevel(level) {
				break
			}
		}
		for i := range a.Options {
			t := &a.Options[i].Terms
			t.NotUserTypes = SortedSet(slices.Clone(shut.NotUserTypes))
			t.NotTerritories = SortedSet(slices.Clone(shut.NotTerritories))
		}
		a.explainSilence(own)
		out = append(out, a)
	}
	return out
}

// rslLevels groups statements by specificity, most specific first; what came
// with the page itself is narrower than any pattern.
func rslLevels(own []found) [][]found {
	by := map[int][]found{}
	var keys []int
	for _, f := range own {
		key := math.MaxInt
		if f.Pattern != "" {
			key = f.octets
		}
		if by[key] == nil {
			keys = append(keys, key)
		}
		by[key] = append(by[key], f)
	}
	slices.SortFunc(keys, func(a, b int) int { return b - a })
	levels := make([][]found, 0, len(keys))
	for _, k := range keys {
		levels = append(levels, by[k])
	}
	return levels
}

// rslLevel decides a use at one level, or reports that the level leaves it
// open: prohibits win, then what is permitted or offered; a word that covers
// the use only loosely leaves it unknown; a closed list disallows the rest.
func (a *Answer) rslLevel(level []found) bool {
	var permits, prohibits, loose, unlisted []found
	for _, f := range level {
		effect, cover := f.Reads(a.Use)
		switch {
		case f.Word == "unlisted" && cover != NotCovered:
			unlisted = append(unlisted, f)
		case effect == Disallow:
			prohibits = append(prohibits, f)
		case effect != Unknown:
			permits = append(permits, f)
		case cover == Loosely:
			loose = append(loose, f)
		}
	}
	for _, decisive := range [][]found{prohibits, permits, loose, unlisted} {
		if len(decisive) == 0 {
			continue
		}
		for _, f := range decisive {
			a.takeStatement(f)
		}
		return true
	}
	return false
}

// tdmAnswers returns the answers of TDMRep: page takes precedence over header
// and header over file, and in the file the first matching rule counts. A
// policy that permits what is reserved refines the reservation.
func tdmAnswers(own, policies []found) []Answer {
	inForce := tdmInForce(own)
	out := plainAnswers(TDMRep, own, inForce)
	terms := policiesInForce(policies, own)
	for i := range out {
		a := &out[i]
		if a.Effect != Disallow {
			continue
		}
		for _, f := range terms {
			if effect, _ := f.Reads(a.Use); effect == Allow || effect == Priced {
				a.Effect, a.Why = Unknown, WhyRefined
				break
			}
		}
	}
	return out
}

func tdmInForce(own []found) []found {
	var out []found
	for _, f := range own {
		switch {
		case len(out) == 0 || f.Layer > out[0].Layer:
			out = []found{f}
		case f.Layer < out[0].Layer:
		case f.Layer == LayerFile && f.Group < out[0].Group:
			out = []found{f}
		case f.Layer != LayerFile || f.Group == out[0].Group:
			out = append(out, f)
		}
	}
	return out
}

// policiesInForce returns the policies that the reservation in force points to.
// A policy without any reservation counts by itself.
func policiesInForce(policies, reservations []found) []found {
	if len(reservations) == 0 {
		return policies
	}
	var out []found
	for _, p := range policies {
		for _, r := range tdmInForce(reservations) {
			if r.Effect == Disallow && r.Terms.Custom == p.from.URL {
				out = append(out, p)
				break
			}
		}
	}
	return out
}
