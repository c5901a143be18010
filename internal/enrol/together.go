package enrol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// Added is a publisher that was added by its own file.
type Added struct {
	Site   origin.Site
	Report Report
	Own    *intake.Own
}

// ErrNoFile is returned for a site that has no file of its own.
var ErrNoFile = errors.New("has no file " + publisherfile.WellKnown + ", and names none in a link or in DNS; see the page \"List your site in ten minutes\"")

// FindFile looks for the own file of a host. It returns ErrNoFile if there is
// none, and another error if it cannot be used.
func FindFile(ctx context.Context, p *intake.Prover, host string) (*intake.Own, error) {
	own := p.Find(ctx, host)
	if own.Reading == nil {
		return nil, fmt.Errorf("%w%s", noFile(own), addPrefix("; ", slices.Concat(own.Notes, own.System)))
	}
	return own, nil
}

// AddByFile adds the publisher of a file that FindFile found, pending, at the
// instant at (RFC 3339). All of it is written, or nothing.
func AddByFile(ctx context.Context, store *originsql.Store, p *intake.Prover, own *intake.Own, at string) (*Added, error) {
	s, err := newSite(ctx, store, own.Host, own, at)
	if err != nil {
		return nil, err
	}
	seen := lookFrom(ctx, p, s.SiteID, own.Host, own, nil)
	added := &Added{Own: own}
	err = store.Atomically(ctx, func(store *originsql.Store) error {
		account := origin.Publisher{PublisherID: s.PublisherID, LegalName: own.Reading.LegalName, CreatedAt: at}
		if account.LegalName == "" {
			account.LegalName = s.Name
		}
		if err := store.PutPublisher(ctx, account); err != nil {
			return err
		}
		if err := store.PutSite(ctx, s); err != nil {
			return err
		}
		if added.Report, err = Take(ctx, store, s.SiteID, seen, at); err != nil {
			return err
		}
		if home := added.Report.Hosts[0]; !Proven(home.Method) {
			return fmt.Errorf("nothing shows that %s belongs to this publisher: %s; \"colophon publisher add SITE_ID\" adds one by flags", home.Host, strings.Join(home.Why, "; "))
		}
		return snapshot.RefreshEvidence(ctx, store, s.SiteID)
	})
	if err != nil {
		return nil, err
	}
	added.Site, err = store.Site(ctx, s.SiteID)
	return added, err
}

func noFile(own *intake.Own) error {
	if own.Gone() {
		return fmt.Errorf("%s %w", own.Host, ErrNoFile)
	}
	return fmt.Errorf("the file %s cannot be used: %s; correct it there, or add the publisher by flags with \"colophon publisher add SITE_ID\"", own.Address, own.Problem)
}

// addPrefix joins texts, each with a prefix.
func addPrefix(prefix string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return prefix + strings.Join(list, prefix)
}

// Refresh looks again at a publisher, at its file and its channels, and returns
// what changed in what it states since the last look. all says that it is one of
// all publishers: one without a file and a proof then does not become enrolled.
func Refresh(ctx context.Context, store *originsql.Store, p *intake.Prover, siteID string, all bool, at string) (r Report, changes []exports.PolicyChange, err error) {
	look := !all
	if all {
		if look, err = isEnrolled(ctx, store, siteID); err != nil {
			return r, nil, err
		}
	}
	channels, err := lookAtChannels(ctx, store, p, siteID)
	if err != nil {
		return r, nil, err
	}
	before, err := snapshot.PolicyChanges(ctx, store, siteID)
	if err != nil {
		return r, nil, err
	}
	if look {
		r, err = lookAgain(ctx, store, p, siteID, channels, at)
	} else {
		r.SiteID = siteID
		err = putChannels(ctx, store, siteID, channels, func(store *originsql.Store) error {
			return Observed(ctx, store, siteID, at, &r)
		})
	}
	if err != nil {
		return r, nil, err
	}
	after, err := snapshot.PolicyChanges(ctx, store, siteID)
	return r, after[min(len(before), len(after)):], err
}

// lookAgain looks at the file and the hosts of a publisher of whose channels
// something was observed. What it writes is written together.
func lookAgain(ctx context.Context, store *originsql.Store, p *intake.Prover, siteID string, channels []origin.Observation, at string) (r Report, err error) {
	seen, err := Look(ctx, store, p, siteID)
	if err != nil {
		return r, err
	}
	err = putChannels(ctx, store, siteID, channels, func(store *originsql.Store) error {
		r, err = Take(ctx, store, siteID, seen, at)
		return err
	})
	return r, err
}

// putChannels writes observations, what take makes of them, and the evidence
// that follows, all together.
func putChannels(ctx context.Context, store *originsql.Store, siteID string, channels []origin.Observation, take func(*originsql.Store) error) error {
	return store.Atomically(ctx, func(store *originsql.Store) error {
		for _, o := range channels {
			if err := store.PutObservation(ctx, o); err != nil {
				return err
			}
		}
		if err := take(store); err != nil {
			return err
		}
		return snapshot.RefreshEvidence(ctx, store, siteID)
	})
}

// AfterImport looks at the file and the proofs of a publisher whose pages were
// imported, if it has any; priced RSL becomes offers of every publisher.
func AfterImport(ctx context.Context, store *originsql.Store, opt intake.Options, at string) (r Report, err error) {
	has, err := isEnrolled(ctx, store, opt.SiteID)
	if err != nil {
		return r, err
	}
	if !has {
		err = Observed(ctx, store, opt.SiteID, at, &r)
		return r, err
	}
	p, err := intake.NewProver(opt)
	if err != nil {
		return r, err
	}
	defer p.Close()
	if r, err = lookAgain(ctx, store, p, opt.SiteID, nil, at); err != nil {
		return r, err
	}
	site, err := store.Site(ctx, opt.SiteID)
	if err == nil {
		_, err = CheckCheap(ctx, store, p, site, at)
	}
	return r, err
}

// SetState sets the state of a publisher, and since when it is approved.
func SetState(ctx context.Context, store *originsql.Store, s origin.Site, state origin.SiteState, reason, at string) (origin.Site, error) {
	s.State, s.StateReason, s.ChangedAt = state, reason, at
	if state == origin.Approved && s.ApprovedAt == "" {
		s.ApprovedAt = at
	}
	if err := store.PutSite(ctx, s); err != nil {
		return s, err
	}
	return s, snapshot.RefreshEvidence(ctx, store, s.SiteID)
}

// ApproveJoin approves a publisher and the request to be listed that led to it.
func ApproveJoin(ctx context.Context, store *originsql.Store, site origin.Site, j *origin.Join, at string) error {
	j.State, j.SiteID, j.ChangedAt = origin.JoinApproved, site.SiteID, at
	return store.Atomically(ctx, func(store *originsql.Store) error {
		if err := store.PutJoin(ctx, *j); err != nil {
			return err
		}
		_, err := SetState(ctx, store, site, origin.Approved, site.StateReason, at)
		return err
	})
}
