package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/contract"
	"colophon/internal/cli/manual"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/rights"
)

func newRoot() *cobra.Command {
	return rootCommand(&cli.Env{Dir: registrydir.Dir{Getenv: emptyEnvironment}})
}

// environment returns what getenv says of some variables, and that the memory is
// not limited. A command leaves such a limit alone; the one that it sets instead
// would outlast it in this process, and the garbage collector would take a third
// of the time of all later tests.
func environment(variables map[string]string) func(string) string {
	return func(name string) string {
		if name == "GOMEMLIMIT" {
			return "off"
		}
		return variables[name]
	}
}

// emptyEnvironment has no other variables.
var emptyEnvironment = environment(nil)

// call runs the program outside of any registry.
func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = runProgram(context.Background(), args, strings.NewReader(""), &out, &errs, emptyEnvironment)
	return code, out.String(), errs.String()
}

// allEffects returns the effect of every command, by its words.
func allEffects() map[string]contract.Effect {
	all := map[string]contract.Effect{}
	contract.WalkCommands(newRoot(), func(cmd *cobra.Command) {
		if what := contract.EffectOf(effects, cmd); what != 0 {
			all[contract.CommandPath(cmd)] = what
		}
	})
	return all
}

// TestCommandTree checks that each command has an example, a description and
// --json, and --dry-run if it writes, and that every command that effects.go
// names exists.
func TestCommandTree(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	contract.WalkCommands(newRoot(), func(cmd *cobra.Command) {
		name := contract.CommandPath(cmd)
		if cmd.Short == "" {
			t.Errorf("%q has no description: give it a Short", name)
		}
		what := contract.EffectOf(effects, cmd)
		if what == 0 {
			return // a group
		}
		seen[name] = true
		if !strings.Contains(cmd.Example, "colophon "+name) {
			t.Errorf("%q has no example that calls it: give it an Example", name)
		}
		if cmd.InheritedFlags().Lookup("json") == nil {
			t.Errorf("%q lacks --json: do not hide the flag of the root", name)
		}
		hasDryRun := cmd.Flags().Lookup("dry-run") != nil
		if writes := what == contract.WritesFiles || what == contract.Publishes || what == contract.WritesRegistry; writes && !hasDryRun {
			t.Errorf("%q writes and lacks --dry-run: bind one to env.DryRun", name)
		} else if !writes && hasDryRun {
			t.Errorf("%q has --dry-run, but its effect in effects.go is not one that writes", name)
		}
	})
	for name := range effects {
		if !seen[name] {
			t.Errorf("effects.go names %q, which is no command", name)
		}
	}
}

// TestUnknownWords gives a misspelt and an unknown word to each group, and an
// extra word to each command that takes none: the exit code must be 2, and the
// one line of error must suggest a similar word or say where to find all.
func TestUnknownWords(t *testing.T) {
	t.Parallel()
	refused := func(hint string, args ...string) {
		t.Helper()
		for _, extra := range [][]string{nil, {"--json"}, {"--reason", "x"}} {
			code, stdout, stderr := call(append(slices.Clone(args), extra...)...)
			if code != exitUsage || stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%q %q: exit code %d, stdout %q, stderr %q", args, extra, code, stdout, stderr)
				continue
			}
			if slices.Contains(extra, "--json") {
				var doc struct{ Error struct{ Message string } }
				if err := json.Unmarshal([]byte(stderr), &doc); err != nil || doc.Error.Message == "" {
					t.Errorf("%q --json: %v in %q", args, err, stderr)
				}
				stderr = doc.Error.Message
			}
			if len(args) > 1 && !slices.Contains(extra, "--reason") && !strings.Contains(stderr, hint) {
				t.Errorf("%q: %q does not suggest %q", args, stderr, hint)
			}
		}
	}

	groups := 0
	contract.WalkCommands(newRoot(), func(cmd *cobra.Command) {
		path := strings.Fields(contract.CommandPath(cmd))
		if !cmd.HasSubCommands() {
			return
		}
		groups++
		refused("--help\" lists all", append(slices.Clone(path), "zzzzzzzzzzzz")...)
		for _, c := range cmd.Commands() {
			misspelled := c.Name()[:len(c.Name())-1] + "q"
			if found, _, err := cmd.Find([]string{misspelled}); err == nil && found != cmd {
				continue // the word is another command
			}
			refused("\"colophon "+contract.CommandPath(c)+"\"", append(slices.Clone(path), misspelled)...)
		}
	})
	if groups < 10 {
		t.Errorf("only %d groups were walked", groups)
	}
	refused("\"colophon grant\"", "help", "grnt")
	refused("takes no arguments;", "publisher", "list", "everything")
	refused("takes GRANT_ID;", "grant", "revoke")
	if code, stdout, _ := call("grant"); code != exitOK || !strings.Contains(stdout, "revoke") {
		t.Errorf("a group without a word: exit code %d, %q", code, stdout)
	}
	if code, stdout, _ := call("help", "grant", "revoke"); code != exitOK || !strings.Contains(stdout, "GRANT_ID") {
		t.Errorf("help: exit code %d, %q", code, stdout)
	}
}

// dryRunOf has the arguments of commands that write, for the registry of
// TestDryRun. Words in braces stand for values of it.
var dryRunOf = map[string]string{
	"readiness check":          "harbor-ledger --allow-private --connect-to harbor-ledger.example:443=127.0.0.1:1 --dns 127.0.0.1:1",
	"answer remove":            "harbor-ledger volume",
	"answer set":               "harbor-ledger other --label Other --body Words.",
	"apply":                    "{document}",
	"backup":                   "--to {backups} --recipient {recipient}",
	"build":                    "",
	"buyer add":                "Labs",
	"buyer credential issue":   "{buyer}",
	"buyer credential resume":  "{credential}",
	"buyer credential revoke":  "{credential}",
	"buyer credential suspend": "{credential}",
	"buyer resume":             "{buyer}",
	"buyer suspend":            "{buyer}",
	"corpus":                   "--publishers 2 --pages 3",
	"demand add":               "tides --headline Tides --uses rag",
	"demand approve":           "{demand}",
	"demand close":             "{demand}",
	"demo":                     "",
	"doctor":                   "--confirm-clock",
	"entry restore":            "{withdrawn}",
	"entry withdraw":           "{waiting}",
	"export":                   "--to {dir}/registry.json",
	"grant add":                "{buyer} --site harbor-ledger --use rag",
	"grant join":               "{grant} harbor-ledger",
	"grant leave":              "{grant} harbor-ledger",
	"grant resume":             "{grant}",
	"grant revoke":             "{grant}",
	"grant suspend":            "{grant}",
	"group inbox-link":         "{group}",
	"group join":               "{group} harbor-ledger",
	"group leave":              "{grouped}",
	"group set":                "{group} --name Other",
	"import":                   "{pages} --site harbor-ledger",
	"init":                     "",
	"inquiry hold":             "{received}",
	"inquiry move":             "{request} decline --reason territory",
	"inquiry reject":           "{held}",
	"inquiry release":          "{held}",
	"inquiry reply":            "{request} --body Hello.",
	"inquiry tick":             "",
	"key generate":             "--dir {empty}",
	"key revoke":               "--reason lost -- {key}",
	"key rotate":               "",
	"ledger verify":            "{dir}/dist",
	"letter retry":             "--all",
	"manual":                   "--to {dir}/manual",
	"offer add":                "harbor-ledger wire --title Wire --permits syndication --payment-model subscription",
	"offer pause":              "harbor-ledger grounding",
	"offer set":                "harbor-ledger grounding --title Other",
	"offer withdraw":           "harbor-ledger grounding",
	"origin copy":              "--to sqlite:{dir}/copy.db",
	"reservation add":          "harbor-ledger ISCC:GABXOD4P2IS6YHS2XOK6IBVPVXPPG --uses rag",
	"reservation withdraw":     "{reservation}",
	"origin dump":              "",
	"partner add":              "Labs",
	"partner key issue":        "{partner}",
	"partner key resume":       "{partnerkey}",
	"partner key revoke":       "{partnerkey}",
	"partner key suspend":      "{partnerkey}",
	"partner resume":           "{partner}",
	"partner suspend":          "{partner}",
	"person erase":             "r@example.org",
	"publisher add":            "new-site --name New --site-url https://new.example/",
	"publisher approve":        "harbor-ledger",
	"publisher close":          "harbor-ledger",
	"publisher inbox-link":     "harbor-ledger",
	"publisher pack":           "harbor-ledger --out {dir}/pack",
	"publisher reopen":         "old-site",
	"publisher set":            "harbor-ledger --name Other",
	"publisher suspend":        "harbor-ledger",
	"refresh":                  "harbor-ledger --allow-private --connect-to harbor-ledger.example:443=127.0.0.1:1 --dns 127.0.0.1:1",
	"restore":                  "--from {backups} --identity {identity} --dir {empty} --offline",
	"review accept":            "{waiting}",
	"review reject":            "{waiting}",
	"template activate":        "{template} --site harbor-ledger",
	"template set":             "--site harbor-ledger --keep div.story",
	"webhook add":              "https://desk.example/hooks",
	"webhook pause":            "{webhook}",
	"webhook resume":           "{webhook}",
	"webhook retry":            "{webhook}",
	"webhook send":             "",
}

// dryRunElsewhere lists the commands whose --dry-run needs a server, with the
// test that checks it.
var dryRunElsewhere = map[string]string{
	"deploy":         "TestDeployDryRun",
	"join approve":   "TestJoinCommand",
	"join check":     "TestJoinCommand",
	"mirror":         "TestScreen",
	"screen":         "TestScreen",
	"join decline":   "TestJoinCommand",
	"publish":        "TestPublish",
	"publisher move": "TestPublisherMoves",
	"pull":           "TestCopyMirror",
	"template learn": "TestTemplateIsProposedBeforeItCounts",
}

// treeDigest returns the mode and the digest of each file in a folder, by its
// path in it.
func treeDigest(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		tree[rel] = fmt.Sprintf("%v %x", info.Mode(), sha256.Sum256(data))
		return err
	})
	must(t, err)
	return tree
}

// submitReceived stores a request that has not been delivered.
func submitReceived(t *testing.T, o operator) (id string) {
	t.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}}
	err := e.WithStore(context.Background(), func(store *originsql.Store) error {
		r, _, err := cli.NewInquiryService(store).Submit(context.Background(), origin.Request{SiteID: "harbor-ledger", Channel: "public", BuyerName: "R. Example",
			BuyerEmail: "new@example.org", IntendedUse: "Grounding", RequestedScope: "/x/*", Message: "Hello.", BudgetCents: -1, TermMonths: -1, TokenHash: "new"})
		id = r.RequestID
		return err
	})
	must(t, err)
	return id
}

// addPageInReview adds a page that waits for a decision.
func addPageInReview(t *testing.T, o operator) (entryID string) {
	t.Helper()
	const at = "2026-11-20T09:00:00Z"
	page := origin.Page{
		EntryID: "ent_000000000000000000000001", SiteID: "harbor-ledger", CanonicalURL: "https://harbor-ledger.example/waiting", Title: "Waiting",
		State: "active", ContentFormat: "html", RegisteredAt: at, ChangedAt: at,
	}
	x := origin.Extraction{EntryID: page.EntryID, SiteID: page.SiteID, Review: origin.ReviewWaiting, ChangedAt: at}
	ctx := context.Background()
	err := (&cli.Env{Dir: registrydir.Dir{Path: o.dir}}).WithStore(ctx, func(store *originsql.Store) error {
		if err := store.PutPage(ctx, page, nil); err != nil {
			return err
		}
		return store.PutExtraction(ctx, x)
	})
	must(t, err)
	return page.EntryID
}

// addWithdrawn adds an entry that is withdrawn.
func addWithdrawn(t *testing.T, o operator) (entryID string) {
	t.Helper()
	const at = "2026-11-20T09:00:00Z"
	page := origin.Page{
		EntryID: "ent_000000000000000000000002", SiteID: "harbor-ledger", CanonicalURL: "https://harbor-ledger.example/gone", Title: "Gone",
		State: "withdrawn", ContentFormat: "html", RegisteredAt: at, ChangedAt: at,
	}
	err := (&cli.Env{Dir: registrydir.Dir{Path: o.dir}}).WithStore(context.Background(), func(store *originsql.Store) error { return store.PutPage(context.Background(), page, nil) })
	must(t, err)
	return page.EntryID
}

// addTemplate activates a template and proposes another one, whose digest it
// returns.
func addTemplate(t *testing.T, o operator) string {
	t.Helper()
	var made struct{ Digest string }
	o.data(&made, "template", "set", "--site", "harbor-ledger", "--keep", "main")
	o.ok("template", "activate", made.Digest, "--site", "harbor-ledger")
	o.data(&made, "template", "set", "--site", "harbor-ledger", "--keep", "article")
	return made.Digest
}

// world is a registry in which every command has something to do.
type world struct {
	operator
	backups string            // folder with one backup
	words   map[string]string // values of the words in braces of dryRunOf
}

// madeWorld is a world that is made once; each test takes a copy.
var madeWorld struct {
	once   sync.Once
	folder string // "" before it is made
	words  map[string]string
}

// newWorld returns a copy of madeWorld.
func newWorld(t *testing.T) *world {
	t.Helper()
	m := &madeWorld
	m.once.Do(func() {
		folder, err := os.MkdirTemp("", "colophon-fixture")
		must(t, err)
		fixtures.publishers.copyTo(t, filepath.Join(folder, "reg"))
		m.folder, m.words = folder, makeWorld(t, folder)
	})
	if m.words == nil {
		t.Fatal("the registry of these tests could not be made")
	}
	folder := t.TempDir()
	copyTree(t, m.folder, folder)
	w := &world{operator: operator{t, filepath.Join(folder, "reg")}, backups: filepath.Join(folder, "backups"), words: map[string]string{}}
	for word, value := range m.words {
		w.words[word] = strings.Replace(value, m.folder, folder, 1)
	}
	return w
}

// makeWorld fills the registry in folder/reg, backs it up to folder/backups and
// returns the words of a world.
func makeWorld(t *testing.T, folder string) map[string]string {
	t.Helper()
	w := operator{t, filepath.Join(folder, "reg")}
	var added struct {
		BuyerID      string `json:"buyer_id"`
		OrgID        string `json:"org_id"`
		KeyID        string `json:"key_id"`
		GrantID      string `json:"grant_id"`
		CredentialID string `json:"credential_id"`
		WebhookID    string `json:"webhook_id"`
	}
	w.data(&added, "buyer", "add", "Example Labs")
	w.data(&added, "buyer", "credential", "issue", added.BuyerID)
	w.data(&added, "grant", "add", added.BuyerID, "--site", "harbor-ledger", "--use", "rag")
	w.data(&added, "partner", "add", "Example Labs")
	w.data(&added, "partner", "key", "issue", added.OrgID)
	w.data(&added, "webhook", "add", "https://desk.example/hooks")
	w.ok("reservation", "add", "harbor-ledger", "ISCC:EQASNZJ36ZT33AL7", "--uses", "training")
	w.ok("offer", "add", "harbor-ledger", "grounding", "--title", "Grounded answers", "--permits", "rag", "--payment-model", "use")
	w.ok("demand", "add", "needed", "--headline", "Something", "--uses", "rag")
	w.ok("publisher", "add", "old-site", "--name", "Old", "--site-url", "https://old-site.example/")
	w.ok("publisher", "close", "old-site")
	w.ok("group", "set", "pub_house", "--name", "House")
	w.ok("answer", "set", "harbor-ledger", "volume", "--label", "How much", "--body", "How many pages?")
	w.ok("group", "join", "pub_house", "old-site")
	var keys []struct {
		KeyID string `json:"key_id"`
	}
	w.data(&keys, "key", "list")
	key, err := age.GenerateX25519Identity()
	must(t, err)
	identity, pages := filepath.Join(folder, "identity"), filepath.Join(folder, "pages.ndjson")
	document := filepath.Join(folder, "registry.json")
	for path, text := range map[string]string{
		document: `{"format":"colophon.registry.v1","publishers":[{"site_id":"new-site","name":"New","site_url":"https://new.example/"}]}`,
		identity: key.String() + "\n",
		pages:    `{"url":"https://harbor-ledger.example/a","title":"A","text":"Some words."}` + "\n",
	} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	words := map[string]string{
		"buyer": added.BuyerID, "credential": added.CredentialID, "grant": added.GrantID, "partnerkey": added.KeyID, "partner": added.OrgID,
		"webhook": added.WebhookID, "key": keys[0].KeyID, "request": w.submit(""), "held": w.submit("spam"), "received": submitReceived(t, w),
		"group": "pub_house", "grouped": "old-site", "reservation": rights.ReservationID("harbor-ledger", "ISCC:EQASNZJ36ZT33AL7"), "document": document, "demand": "needed", "withdrawn": addWithdrawn(t, w),
		"pages": pages, "identity": identity, "recipient": key.Recipient().String(), "waiting": addPageInReview(t, w), "template": addTemplate(t, w),
	}
	for word, value := range words {
		if value == "" {
			t.Fatalf("the registry is not as it should be: no %s in %+v", word, added)
		}
	}
	w.ok("backup", "--to", filepath.Join(folder, "backups"), "--recipient", words["recipient"])
	return words
}

// fill replaces the words in braces by values.
func (w *world) fill(arguments, dir, empty, backups string) []string {
	pairs := []string{"{dir}", dir, "{empty}", empty, "{backups}", backups}
	for word, value := range w.words {
		pairs = append(pairs, "{"+word+"}", value)
	}
	return strings.Fields(strings.NewReplacer(pairs...).Replace(arguments))
}

// TestDryRun runs every writing command with --dry-run: it must succeed and
// leave the registry unchanged, byte for byte.
func TestDryRun(t *testing.T) {
	t.Parallel()
	o := newWorld(t)
	empty := t.TempDir()
	o.ok("build")

	before := treeDigest(t, o.dir)
	contract.WalkCommands(newRoot(), func(cmd *cobra.Command) {
		name := contract.CommandPath(cmd)
		what := contract.EffectOf(effects, cmd)
		if what != contract.WritesFiles && what != contract.Publishes && what != contract.WritesRegistry {
			return
		}
		arguments, ok := dryRunOf[name]
		if !ok {
			if dryRunElsewhere[name] == "" {
				t.Errorf("%q writes: add a call of it to dryRunOf, so that its --dry-run is tested", name)
			}
			return
		}
		args := append(strings.Fields(name), "--dry-run", "--json", "--dir", o.dir)
		args = append(args, o.fill(arguments, o.dir, empty, o.backups)...)
		code, stdout, stderr := call(args...)
		if code != exitOK {
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
		}
		if !strings.Contains(stdout, `"dry_run":true`) {
			t.Errorf("%q does not say that it is a dry run: %s", args, stdout)
		}
		if strings.Contains(stdout+stderr, "colophon-dry-run-") {
			t.Errorf("%q tells the folder of the copy: %s%s", args, stdout, stderr)
		}
		after := treeDigest(t, o.dir)
		for path := range after {
			if before[path] != after[path] {
				t.Errorf("%q changed %s", args, path)
			}
		}
		if len(after) != len(before) {
			t.Errorf("%q: %d files before, %d after", args, len(before), len(after))
		}
		before = after
	})
}

// TestManual writes the man pages twice: there must be one for each command,
// and both times the same.
func TestManual(t *testing.T) {
	t.Parallel()
	first, second := t.TempDir(), t.TempDir()
	for _, to := range []string{first, second} {
		if code, _, stderr := call("manual", "--to", to); code != exitOK {
			t.Fatal(stderr)
		}
	}
	tree := treeDigest(t, first)
	if !maps.Equal(tree, treeDigest(t, second)) {
		t.Error("two runs differ")
	}
	contract.WalkCommands(newRoot(), func(cmd *cobra.Command) {
		if contract.CommandPath(cmd) != "help" && tree[filepath.Join("share", "man", "man1", manual.PageName(cmd))] == "" {
			t.Errorf("there is no man page for %q", contract.CommandPath(cmd))
		}
	})
	for _, path := range []string{"share/bash-completion/completions/colophon", "share/zsh/site-functions/_colophon", "share/fish/vendor_completions.d/colophon.fish"} {
		if tree[filepath.FromSlash(path)] == "" {
			t.Errorf("there is no %s", path)
		}
	}
}

// TestNextStepIsToldLast checks that the next step comes after the result if
// both outputs go to one terminal.
func TestNextStepIsToldLast(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "--base-url", "https://registry.example"},
		{"publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/"},
		{"offer", "add", "harbor-ledger", "wire", "--title", "Wire", "--permits", "rag", "--payment-model", "use"},
		{"build"},
	} {
		var out strings.Builder
		code := runProgram(context.Background(), append(args, "--dir", dir), strings.NewReader(""), &out, &out, emptyEnvironment)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if next := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "next: ") }); code != 0 || len(lines) < 2 || next != len(lines)-1 {
			t.Errorf("%v ends with code %d:\n%s", args, code, out.String())
		}
	}
}
