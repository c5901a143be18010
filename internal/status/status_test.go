package status

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/assert"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/registrydir/dirtest"
)

var must = assert.NoError

// folder is a registry with one publisher and a build, and now.
type folder struct {
	*testing.T
	*registrydir.Dir
	now       time.Time
	submitted int // inquiries
}

func newFolder(t *testing.T) *folder {
	t.Parallel()
	return &folder{T: t, Dir: dirtest.New(t, "https://registry.example"), now: time.Now()}
}

// put writes to the store.
func (r *folder) put(do func(*originsql.Store) error) {
	r.Helper()
	if err := r.WithStore(r.Context(), do); err != nil {
		r.Fatal(err)
	}
}

// read returns the report, with what expires within some days.
func (r *folder) read(days int) (report *Report) {
	r.Helper()
	r.put(func(store *originsql.Store) (err error) {
		report, err = Read(r.Context(), r.Dir, store, r.now, days)
		return err
	})
	return report
}

// in returns the instant some days from now.
func (r *folder) in(days int) string { return exports.Instant(r.now.AddDate(0, 0, days)) }

func service(store *originsql.Store) inquiry.Service {
	return inquiry.Service{Store: store, Now: time.Now, Rand: rand.Reader}
}

// submit adds an inquiry, delivered unless it is held for a reason, and returns
// its id.
func (r *folder) submit(store *originsql.Store, heldFor string) (id string, err error) {
	r.submitted++
	request, _, err := service(store).Submit(r.Context(), origin.Request{
		SiteID: dirtest.SiteID, Channel: "public", BuyerName: "R. Example", BuyerEmail: "r@example.org", IntendedUse: "Grounding", RequestedScope: "/x/*",
		Message: fmt.Sprint("Hello there, ", r.submitted), HeldFor: heldFor, BudgetCents: -1, TermMonths: -1, TokenHash: fmt.Sprint("x", r.submitted),
	})
	if err != nil {
		return "", err
	}
	return request.RequestID, service(store).Deliver(r.Context(), request)
}

// TestReadNothing checks that nothing waits in a registry that is built, and
// that its lists are empty rather than null.
func TestReadNothing(t *testing.T) {
	r := newFolder(t)
	text, err := json.Marshal(r.read(30))
	must(t, err)
	begin := `{"inquiries":[],"publishers_pending":0,"joins_waiting":0,"demand_held":0,"pages_not_built":0,"reviews":[],"webhooks_in_trouble":[],"expiring":[],"release":{"built_at":"`
	if !strings.HasPrefix(string(text), begin) || !strings.HasSuffix(string(text), `","age_hours":0}}`) {
		t.Errorf("%s", text)
	}
}

// TestReadQueues checks what waits for a decision: inquiries by state,
// publishers, sites that asked to be listed, needs, and pages.
func TestReadQueues(t *testing.T) {
	r := newFolder(t)
	at := exports.Instant(r.now)
	r.put(func(store *originsql.Store) error {
		for _, heldFor := range []string{"", "", "spam"} {
			if _, err := r.submit(store, heldFor); err != nil {
				return err
			}
		}
		answered, err := r.submit(store, "")
		if err == nil {
			_, _, err = service(store).Reply(r.Context(), answered, inquiry.MessageDraft{Kind: inquiry.Text, Body: "Which pages?"})
		}
		if err != nil {
			return err
		}
		for i, state := range []origin.SiteState{origin.Pending, origin.Suspended, origin.Suspended} {
			id := fmt.Sprint("site-", i)
			err := store.PutSite(r.Context(), origin.Site{
				SiteID: id, PublisherID: "pub_" + dirtest.SiteID, Name: id, SiteURL: "https://" + id + ".example/", State: state, Visibility: "public", DomainControl: "none", CreatedAt: at, ChangedAt: at,
			})
			if err != nil {
				return err
			}
		}
		for _, j := range []origin.Join{{JoinID: "jn_a", State: origin.JoinWaiting, Host: "a.example"}, {JoinID: "jn_b", State: origin.JoinDeclined, Host: "b.example"}} {
			j.Lookup, j.Hash, j.CreatedAt, j.ChangedAt, j.ExpiresAt = j.JoinID, j.JoinID, at, at, r.in(90)
			if err := store.PutJoin(r.Context(), j); err != nil {
				return err
			}
		}
		for _, d := range []origin.Demand{{DemandID: "dem_held"}, {DemandID: "dem_open", OptedIn: true, OptedInAt: at}, {DemandID: "dem_closed", OptedInAt: at}} {
			d.Headline, d.ChangedAt = "Tides", at
			if err := store.PutDemand(r.Context(), d); err != nil {
				return err
			}
		}
		for i, review := range []string{origin.ReviewWaiting, origin.ReviewWaiting, origin.ReviewAccepted} {
			page := origin.Page{
				EntryID: fmt.Sprintf("ent_%024d", i+1), SiteID: dirtest.SiteID, CanonicalURL: fmt.Sprint("https://harbor-ledger.example/", i), Title: "Tides",
				State: "active", ContentFormat: "html", RegisteredAt: at, ChangedAt: at,
			}
			if err := store.PutPage(r.Context(), page, nil); err != nil {
				return err
			}
			if err := store.PutExtraction(r.Context(), origin.Extraction{EntryID: page.EntryID, SiteID: page.SiteID, Review: review, ChangedAt: at}); err != nil {
				return err
			}
		}
		return nil
	})

	report := r.read(30)
	if want := []StateCount{{"held", 1, "operator"}, {"delivered", 2, "publisher"}, {"in_discussion", 1, "requester"}}; !slices.Equal(report.Inquiries, want) {
		t.Errorf("inquiries %+v, want %+v", report.Inquiries, want)
	}
	if report.Publishers != 1 || report.Joins != 1 || report.Demand != 1 || report.Unbuilt != 3 {
		t.Errorf("publishers %d, joins %d, needs %d, pages that are not built %d", report.Publishers, report.Joins, report.Demand, report.Unbuilt)
	}
	if want := []ReviewCount{{dirtest.SiteID, 2}}; !slices.Equal(report.Reviews, want) {
		t.Errorf("reviews %+v, want %+v", report.Reviews, want)
	}
	dirtest.Build(t, r.Dir)
	if report = r.read(30); report.Unbuilt != 0 {
		t.Errorf("after a build %d pages are not built", report.Unbuilt)
	}
}

// TestReadWebhooks checks that receivers that fail, or for which something was
// given up, are listed, and no others.
func TestReadWebhooks(t *testing.T) {
	r := newFolder(t)
	at := exports.Instant(r.now)
	r.put(func(store *originsql.Store) error {
		for _, id := range []string{"whk_fails", "whk_gave_up", "whk_works"} {
			if err := store.PutWebhook(r.Context(), origin.Webhook{WebhookID: id, URL: "https://desk.example/" + id, State: "active", CreatedAt: at, ChangedAt: at}); err != nil {
				return err
			}
		}
		if _, err := r.submit(store, ""); err != nil {
			return err
		}
		if _, err := store.FailOldEvents(r.Context(), "whk_gave_up", r.in(1), "answered 404"); err != nil {
			return err
		}
		return store.PutHealth(r.Context(), origin.ReceiverHealth{ReceiverID: "whk_fails", AskedAt: at, Failures: 2, FailingSince: at, RetryAt: r.in(1), LastError: "answered 500"})
	})
	webhooks := r.read(30).Webhooks
	if len(webhooks) != 2 || webhooks[1].WebhookID != "whk_gave_up" || webhooks[1].Failed == 0 || webhooks[0].WebhookID != "whk_fails" || webhooks[0].Breaker != "open" || webhooks[0].LastError != "answered 500" {
		t.Errorf("%+v", webhooks)
	}
}

// TestReadExpiring checks that everything that ends is listed within its days if
// it is active, and what does not end is not.
func TestReadExpiring(t *testing.T) {
	r := newFolder(t)
	at := exports.Instant(r.now)
	credential := func(state, expires string) origin.Credential {
		return origin.Credential{State: state, ExpiresAt: expires, CreatedAt: at, ChangedAt: at}
	}
	as := func(c origin.Credential, secret string) origin.Credential {
		c.Hash, c.Lookup = secret, secret
		return c
	}
	r.put(func(store *originsql.Store) error {
		if err := store.PutPartner(r.Context(), origin.Partner{OrgID: "org_labs", Name: "Labs", State: "active", CreatedAt: at, ChangedAt: at}); err != nil {
			return err
		}
		if err := store.PutBuyer(r.Context(), origin.Buyer{BuyerID: "byr_labs", Name: "Labs", State: "active", CreatedAt: at, ChangedAt: at}); err != nil {
			return err
		}
		for name, c := range map[string]origin.Credential{
			"soon": credential("active", r.in(10)), "late": credential("active", r.in(60)), "revoked": credential("revoked", r.in(10)), "never": credential("active", ""),
		} {
			if err := store.PutKey(r.Context(), origin.PartnerKey{KeyID: "key_" + name, OrgID: "org_labs", Credential: as(c, "k"+name)}); err != nil {
				return err
			}
			if err := store.PutCredential(r.Context(), origin.BuyerCredential{CredentialID: "crd_" + name, BuyerID: "byr_labs", Credential: as(c, "c"+name)}); err != nil {
				return err
			}
			if err := store.PutLink(r.Context(), origin.InboxLink{LinkID: "lnk_" + name, SiteID: dirtest.SiteID, Credential: as(c, "l"+name)}); err != nil {
				return err
			}
			g := origin.Grant{GrantID: "grt_" + name, BuyerID: "byr_labs", Kind: "direct", Sites: []string{dirtest.SiteID}, Uses: []string{"rag"}, State: c.State, ValidUntil: c.ExpiresAt, CreatedAt: at, ChangedAt: at}
			if err := store.PutGrant(r.Context(), g); err != nil {
				return err
			}
		}
		return nil
	})
	told := func(days int) string {
		var list []string
		for _, x := range r.read(days).Expiring {
			id := x.ID
			if strings.HasSuffix(x.Kind, "g_key") || x.Kind == "ledger_key" {
				id = ""
			}
			list = append(list, strings.TrimSpace(x.Kind+" "+id+" "+x.Of))
		}
		slices.Sort(list)
		return strings.Join(list, ", ")
	}
	soon := "buyer_credential crd_soon byr_labs, grant grt_soon byr_labs, inbox_link lnk_soon harbor-ledger, partner_key key_soon org_labs"
	assert.Equal(t, told(9), "", "within 9 days")
	assert.Equal(t, told(30), soon, "within 30 days")
	if got := told(400); strings.Count(got, "_late") != 4 || !strings.Contains(got, "ledger_key") || !strings.Contains(got, "signing_key") || strings.Contains(got, "never") || strings.Contains(got, "revoked") {
		t.Errorf("within 400 days: %s", got)
	}

	must(t, assert.Err(r.RotateKey(registrydir.KeysFolder, 5)))
	assert.Equal(t, told(30), soon+", signing_key", "after a rotation, within 30 days")
	if got := told(400); strings.Count(got, "signing_key") != 1 {
		t.Errorf("a retired key is listed: %s", got)
	}
}

// TestReadRelease checks the age of a release, and that without one there is
// none.
func TestReadRelease(t *testing.T) {
	r := newFolder(t)
	notes := filepath.Join(r.File("dist"), filepath.FromSlash(generator.NotesFile))
	built := r.now.Add(-50 * time.Hour)
	must(t, os.Chtimes(notes, built, built))
	if got := r.read(30).Release; got == nil || got.Hours != 50 || got.BuiltAt != exports.Instant(built) {
		t.Errorf("%+v", got)
	}
	must(t, os.RemoveAll(r.File("dist")))
	if got := r.read(30).Release; got != nil {
		t.Errorf("without a build: %+v", got)
	}
	must(t, os.WriteFile(r.File(registrydir.SettingsFile), []byte("colour = 1\n"), 0o600))
	r.put(func(store *originsql.Store) error {
		assert.ErrorContains(t, assert.Err(Read(r.Context(), r.Dir, store, r.now, 30)), "settings that cannot be read", "colour")
		return nil
	})
}
