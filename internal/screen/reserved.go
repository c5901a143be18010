package screen

import (
	"encoding/hex"
	"slices"
	"strings"

	"colophon/internal/iscc"
	"colophon/internal/release"
	"colophon/internal/rights"
)

// reservations are the reservations of a release by the codes of their content.
type reservations struct {
	list   []reservation
	byCode map[string][]uint32 // places in the list
	near   *nearIndex          // of the similarity codes; nil without Text-Codes
	short  bool                // there are Text-Codes of less than 256 bits
}

// textCode is how Text-Codes begin.
const textCode = "ISCC:EA"

type reservation struct {
	id    string
	site  uint32
	uses  []string
	since string
}

func (l *loading) addReservations(rows []release.Reservation) error {
	for i := range rows {
		r := &rows[i]
		n, known := l.siteOf[r.Site]
		if !known {
			continue // the site may not appear
		}
		at := uint32(len(l.reserved.list))
		l.reserved.list = append(l.reserved.list, reservation{r.ReservationID, n, slices.Clone(r.Uses), r.Since})
		l.reserved.byCode[r.Code] = append(l.reserved.byCode[r.Code], at)
		if code, err := iscc.Parse(r.Code); err == nil {
			l.reservedCodes = append(l.reservedCodes, code)
			l.reservedRows = append(l.reservedRows, at)
		} else if strings.HasPrefix(r.Code, textCode) {
			l.reserved.short = true
		}
	}
	return nil
}

// reserve applies the reservations for the content of a row, however the row was
// found, and names those for similar content. They make verdicts stricter and never
// less strict.
func (m *Matcher) reserve(row *Row, out *Result) {
	all := &m.Release.reserved
	if len(all.list) == 0 || row.Text == "" || row.Fault != "" {
		return
	}
	if !m.readText(row.Text, out) {
		return
	}
	found := all.byCode[hex.EncodeToString(m.text.digest[:])]
	if all.near != nil {
		if code, characters := m.codeOfText(); characters > 0 {
			found = slices.Concat(found, all.byCode[code.String()])
			for bits := 64; all.short && bits < 256; bits += 32 {
				found = append(found, all.byCode[code.Prefix(bits)]...)
			}
			for _, n := range all.near.find(&code, NearMinima) {
				if r := &all.list[n.row]; n.equal < iscc.Minima && m.concerns(r) {
					out.Similar = append(out.Similar, r.id)
				}
			}
			out.Similar = out.Similar[:min(len(out.Similar), maxCandidates)]
		}
	}
	for _, n := range found {
		if r := &all.list[n]; m.concerns(r) {
			m.applyReservation(r, out)
		}
	}
}

// concerns reports whether a reservation counts: with a requested site, only that
// of this site.
func (m *Matcher) concerns(r *reservation) bool {
	return m.Site == "" || m.Release.sites[r.site].id == m.Site
}

// applyReservation names a reservation for the content of a row, and declines the
// uses that it reserves.
func (m *Matcher) applyReservation(r *reservation, out *Result) {
	if len(out.Reservations) < maxCandidates && !slices.Contains(out.Reservations, r.id) {
		out.Reservations = append(out.Reservations, r.id)
	}
	if out.MatchedBy == ByNothing {
		out.MatchedBy = ByContent
	}
	out.addParty(&m.Release.sites[r.site])
	declined := rights.UseVerdict{Verdict: "declined"}
	out.Uses = slices.Clone(out.Uses)
	for i := range out.Uses {
		u := &out.Uses[i]
		if !slices.Contains(r.uses, u.Use) {
			continue
		}
		if declined.StricterThan(&rights.UseVerdict{Verdict: u.Verdict}) {
			*u = Verdict{Use: u.Use, Verdict: declined.Verdict, Reason: rights.ReasonReserved, reserved: u.reserved}
		}
		if m.Content && u.Verdict != "withdrawn" {
			u.reserved = addReserved(u.reserved, reserved{use: u.Use, channel: rights.ChannelReservation, first: r.since, last: r.since})
		}
	}
}

// addReserved adds a reservation, or its time to that of the same channel.
func addReserved(list []reserved, r reserved) []reserved {
	list = slices.Clone(list)
	for i := range list {
		if list[i].channel == r.channel {
			list[i].first, list[i].last = min(list[i].first, r.first), max(list[i].last, r.last)
			return list
		}
	}
	return append(list, r)
}
