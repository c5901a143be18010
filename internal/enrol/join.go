package enrol

import (
	"cmp"
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/intake"
	"colophon/internal/observed"
)

// maxLines bounds how much of one look is kept, for each list.
const maxLines = 40

// LookToJoin looks at a site that asks to be listed, and writes nothing: its
// file, the proof that the file is the host's, what its other channels say, and
// what is missing. It uses the network as an import does, within its guard.
// What was found is shown to strangers; what this machine or its network said
// is separate, for the operator.
func LookToJoin(ctx context.Context, p *intake.Prover, host, at string) (f exports.JoinFound, system []string) {
	own := p.Find(ctx, host)
	f = exports.JoinFound{At: at, Address: own.Address, Problem: own.Problem, Control: "none", File: fileState(own)}
	if own.Proof.Method != "" && own.Reading != nil {
		f.Control = own.Proof.Method
	}
	if own.Reading != nil {
		f.Name, f.Public = own.Reading.Name, wouldBePublic(own)
	} else {
		f.Missing = append(f.Missing, "The file "+own.Address+": "+own.Problem)
	}
	f.Missing = append(f.Missing, own.Notes...)
	system = own.System
	channels, err := channelsOf(ctx, p, host)
	if err != nil {
		channels = []string{"The site cannot be checked: " + intake.PlainWords(err)}
		system = append(system, err.Error())
	}
	f.Channels = channels
	f.Public = f.Public[:min(len(f.Public), maxLines)]
	f.Channels = f.Channels[:min(len(f.Channels), maxLines)]
	f.Missing = f.Missing[:min(len(f.Missing), maxLines)]
	return f, system
}

func fileState(own *intake.Own) string {
	switch {
	case own.Reading != nil:
		return "read"
	case own.Gone():
		return "gone"
	case own.Status != 0:
		return "refused"
	}
	return "unreachable"
}

// wouldBePublic returns, one per line, what a listing would show of a file.
func wouldBePublic(own *intake.Own) []string {
	r := own.Reading
	var lines []string
	add := func(what, value string) {
		if value != "" {
			lines = append(lines, what+": "+value)
		}
	}
	add("Name", r.Name)
	add("Summary", r.Summary)
	add("Categories", strings.Join(r.Categories, ", "))
	add("Further hosts, each when it shows that it belongs to you", strings.Join(r.Hosts, ", "))
	policy := r
	if own.House != nil {
		add("Policy of", own.House.Address)
		policy = own.House.Reading
	}
	for i := range policy.Preferences {
		lines = append(lines, preferenceLine(&policy.Preferences[i]))
	}
	for i := range policy.Offers {
		lines = append(lines, offerLine(&policy.Offers[i]))
	}
	if r.Inquiries != nil {
		add("Where to ask", r.Inquiries.Page)
		add("Public e-mail", r.Inquiries.Email)
	}
	return lines
}

func preferenceLine(p *publisherfile.Preference) string {
	line := "Use " + p.Use + ": " + cmp.Or(p.Declared, "not said")
	if p.Inquiry != "" {
		line += ", asking is " + strings.ReplaceAll(p.Inquiry, "_", " ")
	}
	if !p.WholeSite() {
		line += ", for " + strings.Join(p.Paths, " ")
	}
	return line
}

func offerLine(o *publisherfile.Offer) string {
	price := "on request"
	if o.Payment.Amount != "" {
		price = o.Payment.Amount + " " + o.Payment.Currency
	}
	return "Offer " + o.Slug + ": " + o.Title + " (" + strings.Join(o.Uses, ", ") + "; " + o.Payment.Model + ", " + price + ")"
}

// channelsOf lists the documents about rights that a site has besides its file.
func channelsOf(ctx context.Context, p *intake.Prover, host string) ([]string, error) {
	seen, err := p.Look(ctx, "https://"+host+"/")
	if err != nil {
		return nil, err
	}
	var lines []string
	for i := range seen {
		if seen[i].Channel == string(statements.PublisherFile) || seen[i].Status != 200 {
			continue
		}
		read := observed.Parse(&seen[i])
		if read.State == channel.Valid {
			lines = append(lines, strings.ReplaceAll(seen[i].Channel, "_", " ")+": "+seen[i].URL)
		}
	}
	return lines, nil
}
