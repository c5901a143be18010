package page_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/templates/content"
	"colophon/worker/page"
)

// hostile is a text that breaks out of markup wherever it is not escaped.
const (
	hostile = "<b a=\"1\" b='2'>&amp;\u202e"
	escaped = "&lt;b a=&#34;1&#34; b=&#39;2&#39;&gt;&amp;amp;\u202e"
)

const (
	otherUses = `<label><input type="checkbox" name="use_fine_tuning" value="1"> Fine-tuning</label> <label><input type="checkbox" name="use_search_indexing" value="1"> Search indexing</label> <label><input type="checkbox" name="use_summarization" value="1"> Summarization</label> <label><input type="checkbox" name="use_datasets" value="1"> Datasets</label> ` +
		`<label><input type="checkbox" name="use_syndication" value="1"> Syndication</label> <label><input type="checkbox" name="use_research" value="1"> Research</label> `
	talkForm = `<form class="form" method="post" action="/c/"><input type="hidden" name="thread_id" value="t1"><input type="hidden" name="token" value="` + escaped + `"><input type="hidden" name="kind" value="`
)

// typed are the texts of a form.
type typed map[string]string

func (t typed) Get(name string) string { return t[name] }

// keep is a private link, and kept what is written of it.
var keep = page.PrivateLink{Path: "/c/#a&b", Address: "https://x.example/c/#a&b", Letters: hostile}

const kept = `<h2>Your private link</h2><p class="warn">Save it now: it is shown only here, and anyone with it can read and answer.</p><p class="cite"><a class="break" id="conversation-link" href="/c/#a&amp;b">https://x.example/c/#a&amp;b</a></p>` +
	`<p class="actions"><button type="button" class="plain" data-copy="conversation-link">Copy the link</button> <button type="button" class="plain waits" data-qr="conversation-link">Show a QR code</button></p><p class="note">Open it and bookmark it. ` + escaped + `</p>`

// verdicts are those of a check page; summed, used and because are their
// expected markup.
var verdicts = page.Verdicts{
	Groups: []page.RightsGroup{{Verdict: page.Verdict{Word: "Ask"}, Uses: "RAG"}, {Verdict: page.Verdict{Word: "No"}, Uses: hostile}},
	Uses: []page.UseVerdict{
		{Use: "RAG", Meaning: "Answers", Verdict: page.Verdict{Letter: "l", Word: "Ask", Use: "rag", Name: "license_required"}, Reason: "Because.", Obligations: hostile, Copies: hostile, Dated: []string{"today"}, Audiences: []page.AudienceVerdict{{Verdict: "No", Who: hostile, Reason: "So."}}},
		{Use: "X", Meaning: "Y", Verdict: page.Verdict{Letter: "d", Word: "No", Use: "x", Name: "declined"}, Reason: hostile, Copies: "not stated"},
	},
	Conflicts: []string{hostile}, Statements: "2 statements",
	Evidence: []page.Statement{{Channel: "A", Path: "https://a.example/?a&b", Text: hostile, Dated: "today", CDN: true, Old: true}, {Channel: "B", Text: "b", Dated: "now"}},
}

// alike is a list of pages with similar wording, and aliked its expected
// markup.
var alike = page.AlikeList{More: "1 more", Pages: []page.AlikePage{{Path: "/check/?q=1&b", Title: hostile, PublisherPath: "/p/a/", Publisher: hostile, URL: hostile, Alike: "half", Withdrawn: true}, {Path: "/2", Title: "2", PublisherPath: "/p/a/", Publisher: "A", URL: "u", Alike: "less"}}}

// offered is an offer that says nothing, before and after its title.
var offered = [2]string{`<article class="offer">`, `<dl class="facts"><dt>For</dt><dd>not stated</dd><dt>Covers</dt><dd>0 pages<bdi></bdi></dd><dt>Where</dt><dd>everywhere</dd><dt>Price</dt><dd></dd><dt>Status</dt><dd>offered, since <time datetime="">not known</time></dd></dl></article>`}

const (
	summed = `<p class="lead"><strong>Ask</strong>: RAG. <strong>No</strong>: ` + escaped + `.</p>`
	used   = `<ul class="uses"><li><h3>RAG <small>Answers</small></h3><p><span class="state v-l" data-use="rag" data-verdict="license_required">Ask</span></p><div>Because. <small>It depends on who asks:</small><ul><li><strong>No</strong> for ` + escaped + ` <small>So.</small></li></ul>` +
		` <span class="conditions">Obligations: ` + escaped + `.</span> <span class="conditions">Copies: ` + escaped + `.</span> <small>today</small></div></li><li><h3>X <small>Y</small></h3><p><span class="state v-d" data-use="x" data-verdict="declined">No</span></p><div>` + escaped + ` <span class="conditions">Copies: not stated.</span></div></li></ul>`
	because = `<div class="warn" role="note"><p><strong>These channels contradict each other.</strong> The strictest statement was taken.</p><ul><li>` + escaped + `</li></ul></div>` +
		`<details><summary>What this rests on: 2 statements</summary><section class="scroll" tabindex="0" aria-label="Evidence"><table><thead><tr><th scope="col">Channel</th><th scope="col">Says</th><th scope="col">When</th></tr></thead><tbody>` +
		`<tr><th scope="row"><a href="https://a.example/?a&amp;b" rel="nofollow noopener">A</a></th><td><bdi>` + escaped + `</bdi>  <small>added by the site’s CDN</small></td><td>today <small>not looked at again since; a permission would count no more</small></td></tr><tr><th scope="row">B</th><td><bdi>b</bdi> </td><td>now</td></tr></tbody></table></section></details>`
	likely  = `<p>Registered under a similar address, perhaps the same page:</p><ul><li><a href="/check/?q=1"><bdi>` + escaped + `</bdi></a>, ` + escaped + `</li></ul>`
	notFree = `<p><strong>No match does not mean free to use.</strong> It says nothing about rights.</p>`
	aliked  = `<ol class="entries"><li><h3><a href="/check/?q=1&amp;b"><bdi>` + escaped + `</bdi></a></h3><p class="meta"><a href="/p/a/"><bdi>` + escaped + `</bdi></a> <span><bdi>` + escaped + `</bdi></span> <span>half</span> <span>withdrawn</span></p>` + unstated + `</li>` +
		`<li><h3><a href="/2"><bdi>2</bdi></a></h3><p class="meta"><a href="/p/a/"><bdi>A</bdi></a> <span><bdi>u</bdi></span> <span>less</span></p>` + unstated + `</li></ol><p>1 more</p>`
	answerJSON = `<p class="note"><a href="/v1/?a&amp;b" type="application/json">This answer as JSON</a></p>`
)

// components are all components of the package, each with its expected markup.
var components = []struct {
	name string
	part templ.Component
	want string
}{
	{"fault", page.Fault(page.FaultPage{Detail: hostile, Help: "Help.", Fields: []string{"/a: " + hostile, "/b: no"}, Code: "x", Path: "/p/x?a&b", Status: "404", RequestID: "rid\x00"}),
		`<p class="lead">` + escaped + `</p><p>Help.</p><ul><li>/a: ` + escaped + `</li><li>/b: no</li></ul><dl class="facts wide"><dt>Code</dt><dd><a href="/p/x?a&amp;b"><code>x</code></a></dd><dt>Status</dt><dd>404</dd><dt>Request</dt><dd><code>rid` + "\ufffd" + `</code></dd></dl>`},
	{"fault in short", page.Fault(page.FaultPage{Help: "Help.", Code: "x", Path: "/p", Status: "500", RequestID: "r"}),
		`<p>Help.</p><dl class="facts wide"><dt>Code</dt><dd><a href="/p"><code>x</code></a></dd><dt>Status</dt><dd>500</dd><dt>Request</dt><dd><code>r</code></dd></dl>`},
	{"warning", page.Warning(hostile), `<p class="warn" role="alert">` + escaped + `</p>`},
	{"no talk", page.NoTalk("Help.", "/c/"), `<p>Help.</p><p><a href="/c/">Open a conversation</a></p>`},
	{"talk", page.Talk(page.TalkPage{
		Trouble: "No.", RequestID: "r1", Publisher: "Harbor & Co", PublisherPath: "/p/s1/", State: "Open",
		Messages: []page.Message{
			{Who: "Publisher", At: "2026", Moment: "now", Kind: "question", Body: hostile + "\n\nb", Terms: "Uses: rag"},
			{Own: true, Who: "Requester", At: "2026", Moment: "now", Body: "a"},
		},
		Form: page.TalkForm{Path: "/c/", ThreadID: "t1", Token: hostile},
		Acts: []page.TalkAct{{Kind: "answer", Writes: "answer"}, {Kind: "withdraw"}},
	}),
		`<p class="warn" role="alert">No.</p><p class="note">Messages here are not binding. Binding terms, rights and payment are settled elsewhere.</p><dl class="facts wide"><dt>Request</dt><dd><code>r1</code></dd><dt>Publisher</dt><dd><a href="/p/s1/"><bdi>Harbor &amp; Co</bdi></a></dd><dt>State</dt><dd>Open</dd></dl>` +
			`<h2>Messages</h2><ol class="messages"><li><p><strong><bdi>Publisher</bdi></strong> <time datetime="2026">now</time> question</p><p dir="auto">` + escaped + `<br><br>b</p><p>Uses: rag</p></li>` +
			`<li class="own"><p><strong><bdi>Requester</bdi></strong> <time datetime="2026">now</time> </p><p dir="auto">a</p></li></ol>` +
			talkForm + `"><p><button type="submit" class="plain">Check for new messages</button></p></form>` +
			talkForm + `answer"><p><label for="body">Your answer</label> <textarea id="body" name="body" rows="5" required maxlength="4000"></textarea></p><p><button type="submit">Send</button></p></form>` +
			talkForm + `withdraw"><p><button type="submit" class="plain">Withdraw the inquiry</button></p></form>`},
	{"join waits", page.JoinWaits("a.example", page.JoinText{Home: "https://a.example/", File: "{\n}", Records: hostile, Editor: "/editor/#file=%7B"}),
		`<p>a.example is already waiting for the operator. Its status is on the page whose address was shown when the request was sent.</p>` + placed},
	{"join", page.Join(page.JoinPage{
		Until: "then", Host: "a.example", State: "Waits.", Reason: "a\n" + hostile, SiteID: "a", PublisherPath: "/p/a/", LookAgain: "/join/jns_1",
		Found: &page.JoinFound{Rows: []page.Row{{Name: "File", Text: hostile}}, Lists: []page.List{{Title: "What is missing", Lines: []string{"x", hostile}}}},
		Place: &page.JoinText{Home: "https://a.example/", File: "{\n}", Records: hostile, Editor: "/editor/#file=%7B"},
	}),
		`<p class="note">Save the address of this page: it shows the status of your request until then, and only people with the address can see it.</p><dl class="facts wide"><dt>Site</dt><dd>https://a.example/</dd><dt>State</dt><dd>Waits.</dd>` +
			`<dt>Why</dt><dd dir="auto">a<br>` + escaped + `</dd><dt>Publisher</dt><dd><a href="/p/a/">a</a></dd></dl><h2>What was found</h2><dl class="facts wide"><dt>File</dt><dd dir="auto">` + escaped + `</dd></dl><h3>What is missing</h3><ul><li dir="auto">x</li><li dir="auto">` + escaped + `</li></ul>` +
			`<form class="form" method="post" action="/join/jns_1"><p><button type="submit" class="plain">Look again</button></p></form>` + placed},
	{"join in short", page.Join(page.JoinPage{Until: "then", Host: "a.example", State: "Declined."}),
		`<p class="note">Save the address of this page: it shows the status of your request until then, and only people with the address can see it.</p><dl class="facts wide"><dt>Site</dt><dd>https://a.example/</dd><dt>State</dt><dd>Declined.</dd></dl><p>The site has not been checked yet. The operator’s next check will read it.</p>`},
	{"need sent", page.NeedSent("dem_1", "then"),
		`<p class="lead">The operator reviews it first. Once approved, it is public for up to 90 days from today. It is not binding and grants no rights.</p><dl class="facts wide"><dt>Need</dt><dd><code>dem_1</code></dd><dt>Until</dt><dd>then</dd></dl>`},
	{"ledger", page.Ledger(page.LedgerPage{
		Path: "/l/", Query: hostile, Matches: "2 leaves match", JSON: "/j?q=a&b",
		Leaves: []page.Leaf{{Index: "7", Event: "Registered", CitationPath: "/c/1/", What: hostile, At: "2026", Day: "today"}, {Index: "8", Event: "Ended", What: "the log itself", At: "2026", Day: "today"}},
		Pager:  content.Pager{Range: "21 to 40 of 50", Previous: "/l/?q=a&offset=0", Next: "/l/?q=a&offset=40"},
	}),
		searched + escaped + searchedEnd + `<h2>2 leaves match</h2><section class="scroll" tabindex="0" aria-label="Leaves"><table><thead><tr><th scope="col" class="num">Index</th><th scope="col">Event</th><th scope="col">What</th><th scope="col">Dated</th></tr></thead><tbody>` +
			`<tr><td class="num">7</td><td>Registered</td><td><a href="/c/1/"><bdi>` + escaped + `</bdi></a></td><td><time datetime="2026">today</time></td></tr><tr><td class="num">8</td><td>Ended</td><td><bdi>the log itself</bdi></td><td><time datetime="2026">today</time></td></tr></tbody></table></section>` +
			`<nav class="pager" aria-label="Pages"><a rel="prev" href="/l/?q=a&amp;offset=0">Previous</a> <span>21 to 40 of 50</span> <a rel="next" href="/l/?q=a&amp;offset=40">Next</a> </nav>` + ledgerNote},
	{"ledger without a leaf", page.Ledger(page.LedgerPage{Path: "/l/", Query: "x", JSON: "/j?q=a&b"}), searched + "x" + searchedEnd + `<h2>No leaf matches</h2>` + ledgerNote},
	{"facts", page.Facts([]page.Row{{Name: "Age", Text: hostile}, {Name: "b", Text: "c"}}), `<dl class="facts wide"><dt>Age</dt><dd>` + escaped + `</dd><dt>b</dt><dd>c</dd></dl>`},
	{"receipt", page.Receipt(page.ReceiptPage{Keep: keep, Path: "/c/", ThreadID: "t", Token: hostile, Parts: []page.Row{{Name: "Token", Text: hostile}}}),
		`<p class="lead">The publisher has your inquiry. It is not binding and grants no rights.</p>` + kept + `<form method="post" action="/c/"><input type="hidden" name="thread_id" value="t"><input type="hidden" name="token" value="` + escaped + `"><p><button type="submit">Open the conversation</button></p></form>` +
			`<details><summary>The parts of the link</summary><dl class="facts wide"><dt>Token</dt><dd><code>` + escaped + `</code></dd></dl></details>`},
	{"receipt, held", page.Receipt(page.ReceiptPage{Held: true, Keep: keep, Path: "/c/", ThreadID: "t", Token: "u"}),
		`<p class="lead">The operator reviews it before the publisher receives it. It is not binding and grants no rights.</p><p class="note">Some inquiries are held, mostly when several come from one address in a short time. You need not send it again: the conversation shows when the publisher has it, and closes if it is refused.</p>` +
			kept + `<form method="post" action="/c/"><input type="hidden" name="thread_id" value="t"><input type="hidden" name="token" value="u"><p><button type="submit">Open the conversation</button></p></form><details><summary>The parts of the link</summary><dl class="facts wide"></dl></details>`},
	{"shortlist", page.Shortlist(page.ShortlistPage{Failed: []string{hostile, "b"}, Keep: keep, Path: "/c/", GroupID: "g", Token: hostile, Sent: []page.ShortlistRow{{Path: "/p/a/", SiteID: "a", RequestID: "r1"}, {Path: "/p/b/", SiteID: "b", RequestID: "r2"}}}),
		`<p class="lead">Each publisher has your inquiry, in a separate conversation. They are not binding and grant no rights.</p><div class="warn" role="alert"><p>These publishers got none:</p><ul><li>` + escaped + `</li><li>b</li></ul></div>` + kept +
			`<form method="post" action="/c/"><input type="hidden" name="group_id" value="g"><input type="hidden" name="token" value="` + escaped + `"><p><button type="submit">Open the overview</button></p></form>` +
			`<h2>Publishers</h2><ul><li><a href="/p/a/">a</a> <code>r1</code></li><li><a href="/p/b/">b</a> <code>r2</code></li></ul>`},
	{"shortlist, held", page.Shortlist(page.ShortlistPage{Held: true, Keep: keep, Path: "/c/", GroupID: "g", Token: "u"}),
		`<p class="lead">The operator reviews them before the publishers receive them. They are not binding and grant no rights.</p><p class="note">Without JavaScript, the operator reviews inquiries to several publishers first. You need not send them again.</p>` +
			kept + `<form method="post" action="/c/"><input type="hidden" name="group_id" value="g"><input type="hidden" name="token" value="u"><p><button type="submit">Open the overview</button></p></form><h2>Publishers</h2><ul></ul>`},
	{"talks", page.Talks([]page.TalkRow{{Path: "/p/a/", Publisher: hostile, State: "Open", Changed: "now", Site: hostile, Form: page.TalkForm{Path: "/c/", ThreadID: "t1", Token: hostile}}}),
		`<p class="note">Each publisher has a separate conversation and cannot see the others.</p><section class="scroll" tabindex="0" aria-label="Conversations"><table><thead><tr><th scope="col">Publisher</th><th scope="col">State</th><th scope="col">Changed</th><th scope="col">Conversation</th></tr></thead><tbody>` +
			`<tr><th scope="row"><a href="/p/a/"><bdi>` + escaped + `</bdi></a></th><td>Open</td><td>now</td><td><form method="post" action="/c/"><input type="hidden" name="thread_id" value="t1"><input type="hidden" name="token" value="` + escaped + `">` +
			`<button type="submit" class="plain">Open<span class="quiet"> the conversation with ` + escaped + `</span></button></form></td></tr></tbody></table></section>`},
	{"letters", page.Letters(page.LettersPage{Status: "On.", Text: hostile, Acts: []page.LettersAct{{Act: "confirm", Label: "Yes", Main: true}, {Act: "end", Label: "No"}}}),
		`<p class="lead" role="status">On.</p><p>` + escaped + `</p><form method="post"><input type="hidden" name="act" value="confirm"><p><button type="submit">Yes</button></p></form><form method="post"><input type="hidden" name="act" value="end"><p><button type="submit" class="plain">No</button></p></form>`},
	{"letters, nothing chosen", page.Letters(page.LettersPage{Text: "a"}), `<p>a</p>`},
	{"inbox of a group", page.Inbox(page.InboxPage{
		Owner: hostile, Here: "/inbox/x", Query: hostile, OfSites: true, Matches: "1 of 2 inquiries", Pager: content.Pager{Range: "1 of 2", Next: "/inbox/x?a&b"}, CSV: "/inbox/x/c", Statistics: "/inbox/x/s", Uses: "/inbox/x/u",
		Choices: []content.Choice{{Name: "state", Label: "State", Options: []content.Option{{Label: "All"}, {Value: "open", Label: "Open", Selected: true}}}, {Name: "use", Label: "Use", Options: []content.Option{{Label: "All"}}}},
		Rows:    []page.InboxRow{{Received: "now", Site: hostile, Path: "/inbox/x/r", From: hostile, Unconfirmed: true, Use: "RAG", State: "Open", Next: "later"}},
	}),
		`<p class="note">This page is private to ` + escaped + `. Anyone with its address can read and answer.</p><form id="filter" class="search" role="search" method="get" action="/inbox/x"><label for="q">Name, organization or words of the inquiry</label><div class="row"><input id="q" name="q" type="search" maxlength="200" autocomplete="off" value="` + escaped + `"> <button type="submit">Find</button></div><div class="row two"><p><label for="state">State</label> <select id="state" name="state"><option value="">All</option><option value="open" selected>Open</option></select></p>` +
			`<p><label for="use">Use</label> <select id="use" name="use"><option value="">All</option></select></p></div></form><h2>1 of 2 inquiries</h2>` +
			`<section class="scroll" tabindex="0" aria-label="Inquiries"><table><thead><tr><th scope="col">Received</th><th scope="col">Site</th><th scope="col">From</th><th scope="col">Use</th><th scope="col">State</th><th scope="col">Next</th></tr></thead><tbody>` +
			`<tr><td>now</td><td>` + escaped + `</td><td><a href="/inbox/x/r">` + escaped + `</a> <small>address not confirmed</small></td><td>RAG</td><td>Open</td><td>later</td></tr></tbody></table></section><nav class="pager" aria-label="Pages"><span>1 of 2</span> <a rel="next" href="/inbox/x?a&amp;b">Next</a> </nav>` + inboxLinks},
	{"inbox of a site", page.Inbox(page.InboxPage{Owner: "A", Here: "/inbox/x", CSV: "/inbox/x/c", Statistics: "/inbox/x/s", Uses: "/inbox/x/u", Rows: []page.InboxRow{{Received: "now", Site: "A", Path: "/inbox/x/r", From: "B", Use: "RAG", State: "Open", Next: "later"}}}),
		inboxTop + `<section class="scroll" tabindex="0" aria-label="Inquiries"><table><thead><tr><th scope="col">Received</th><th scope="col">From</th><th scope="col">Use</th><th scope="col">State</th><th scope="col">Next</th></tr></thead><tbody><tr><td>now</td><td><a href="/inbox/x/r">B</a></td><td>RAG</td><td>Open</td><td>later</td></tr></tbody></table></section>` + inboxLinks},
	{"inbox without rows", page.Inbox(page.InboxPage{Owner: "A", Here: "/inbox/x", CSV: "/inbox/x/c", Statistics: "/inbox/x/s", Uses: "/inbox/x/u", Empty: "None."}), inboxTop + `<p>None.</p>` + inboxLinks},
	{"reported uses", page.Uses(page.UsesPage{Inbox: "/inbox/x", CSV: "/inbox/x/u.csv", OwnWord: "Their word.", Cut: true, Tables: []page.CountTable{{Title: "By page", First: "Page", Columns: []string{"cited"}, Rows: []page.CountRow{{Name: "https://a.example/<x>", Cells: []string{"1", "1"}}}}}}),
		`<p><a href="/inbox/x">All inquiries</a></p><p class="note" role="note">Their word.</p><p class="note">Events are kept for 180 days after they were reported.</p><p class="warn" role="note">There are more combinations of month, agent and page than are read here: the oldest are left out.</p><h2>By page</h2><section class="scroll" tabindex="0" aria-label="By page"><table><thead><tr><th scope="col">Page</th><th scope="col">cited</th><th scope="col">All</th></tr></thead><tbody><tr><th scope="row">https://a.example/&lt;x&gt;</th><td>1</td><td>1</td></tr></tbody></table></section> <p><small>As reported; not checked.</small></p><p class="actions"><a href="/inbox/x/u.csv" download>These figures as CSV</a></p>`},
	{"statistics", page.Statistics("/inbox/x", []page.CountTable{{Title: "By month", First: "Month", Columns: []string{"RAG", "None"}, Rows: []page.CountRow{{Name: "All", Cells: []string{"1", "2", "3"}}}}}),
		`<p><a href="/inbox/x">All inquiries</a></p><h2>By month</h2><section class="scroll" tabindex="0" aria-label="By month"><table><thead><tr><th scope="col">Month</th><th scope="col">RAG</th><th scope="col">None</th><th scope="col">All</th></tr></thead><tbody><tr><th scope="row">All</th><td>1</td><td>2</td><td>3</td></tr></tbody></table></section>`},
	{"no statistics", page.Statistics("/inbox/x", nil), `<p><a href="/inbox/x">All inquiries</a></p><p>There are no inquiries yet.</p>`},
	{"inquiry", page.Inquiry(page.InquiryPage{
		Inbox: "/inbox/x", Fault: &content.Fault{Lead: "No.", Help: "Help."}, Facts: []page.Row{{Name: "To", Text: "a\n" + hostile}},
		Acts: []page.InboxAct{{Act: "text", Name: "Write", Open: true, Path: "/inbox/x/r?a&b", Fields: page.PlainAct("Send"), Answers: []page.Link{{Path: "/inbox/x/r?a&b", Text: hostile}, {Path: "/b", Text: "b"}}}, {Act: "open", Name: "Start", Path: "/inbox/x/r", Fields: page.PlainAct("Start")}},
	}),
		`<p><a href="/inbox/x">All inquiries</a></p><div class="warn" role="alert"><p>No.</p><p>Help.</p></div><dl class="facts wide"><dt>To</dt><dd dir="auto">a<br>` + escaped + `</dd></dl><h2>Messages</h2><ol class="messages"></ol>` +
			`<h2>What you can do</h2><details name="act" id="act-text" open><summary>Write</summary><p class="note">Begin with: <a href="/inbox/x/r?a&amp;b">` + escaped + `</a>, <a href="/b">b</a></p><form class="form" method="post" action="/inbox/x/r?a&amp;b"><input type="hidden" name="act" value="text"><p><button type="submit" class="plain">Send</button></p></form></details>` +
			`<details name="act" id="act-open"><summary>Start</summary><form class="form" method="post" action="/inbox/x/r"><input type="hidden" name="act" value="open"><p><button type="submit" class="plain">Start</button></p></form></details>`},
	{"inquiry that is over", page.Inquiry(page.InquiryPage{Inbox: "/inbox/x"}), `<p><a href="/inbox/x">All inquiries</a></p><dl class="facts wide"></dl><h2>Messages</h2><ol class="messages"></ol>`},
	{"form of a button", page.PlainAct("Start"), `<p><button type="submit" class="plain">Start</button></p>`},
	{"form of a message", page.WriteAct("text-body", "Send", content.Filled{}),
		`<p><label for="text-body">Message</label> <textarea id="text-body" name="body" rows="4" required maxlength="4000" dir="auto"></textarea> </p><p><button type="submit">Send</button></p>`},
	{"form of terms", page.TermsAct(content.Filled{Typed: typed{"use_training": "1", "price": hostile, "body": hostile}, Wrong: map[string]string{"price": hostile, "uses": "One is unknown."}}),
		`<fieldset id="uses" aria-invalid="true" aria-errormessage="uses-error"><legend class="h3">Uses</legend><strong class="wrong" id="uses-error">One is unknown.</strong> <p class="ticks"><label><input type="checkbox" name="use_rag" value="1"> Retrieval (RAG)</label> <label><input type="checkbox" name="use_training" value="1" checked> Training</label> ` + otherUses + `</p></fieldset>` +
			`<p><label for="price">Price</label> <strong class="wrong" id="price-error">` + escaped + `</strong> <input id="price" name="price" autocomplete="off" placeholder="12.50 EUR" maxlength="40" value="` + escaped + `" aria-invalid="true" aria-errormessage="price-error"> </p><p><label for="unit">Per</label> <input id="unit" name="unit" placeholder="1,000 answers" maxlength="60"> </p>` +
			`<p><label for="term_months">Months</label> <input id="term_months" name="term_months" inputmode="numeric" maxlength="3"> </p><p><label for="terms-body">Note</label> <textarea id="terms-body" name="body" rows="3" maxlength="2000" dir="auto">` + "\n" + escaped + `</textarea> </p><p><button type="submit">Propose</button></p>`},
	{"form of a reason", page.DeclineAct([]content.Option{{Value: "budget", Label: "Budget"}, {Value: "x", Label: "X"}}),
		`<p><label for="decline_reason">Reason</label> <select id="decline_reason" name="decline_reason"><option value="budget">Budget</option><option value="x">X</option></select></p><p><button type="submit" class="plain">Decline</button></p>`},
	{"rights of a page", page.RightsPart(page.Rights{
		Page: page.Link{Path: "/c/1/?a&b", Text: hostile}, Publisher: page.Link{Path: "/p/a/", Text: hostile}, URL: page.Link{Path: "https://a.example/?a&b", Text: hostile}, Found: "found by its address",
		Moved: page.Link{Path: "/check/?q=2", Text: hostile}, Verdicts: verdicts, Offers: []*exports.Offer{{SiteID: "a", LicenseID: "lic_1", Title: "T", Status: "offered"}},
		Ask: &page.AskForm{Path: "/p/a/r/", SiteID: "a", ID: "use-1", Hidden: []page.Row{{Name: "resource", Text: hostile}}, Uses: []content.Option{{Value: "rag", Label: "RAG"}}},
	}),
		`<h2><a href="/c/1/?a&amp;b"><bdi>` + escaped + `</bdi></a></h2><p class="meta"><a href="/p/a/"><bdi>` + escaped + `</bdi></a> <span><a href="https://a.example/?a&amp;b" rel="nofollow noopener"><bdi>` + escaped + `</bdi></a></span> <span>found by its address</span></p>` +
			`<p class="warn" role="note">This page moved to <a href="/check/?q=2"><bdi>` + escaped + `</bdi></a>. Its rights are shown there.</p>` + summed +
			`<form class="row ask-now" method="get" action="/p/a/r/"><input type="hidden" name="resource" value="` + escaped + `"><p><label for="use-1">Use</label> <select id="use-1" name="use"><option value="rag">RAG</option></select></p><p><button type="submit">Ask for a licence</button> <button type="button" class="plain short waits" data-shortlist="a">Add to the shortlist</button></p></form>` +
			used + `<h3>Price and terms</h3><p class="note">Figures are indicative; an offer grants nothing until an agreement is signed elsewhere.</p>` + offered[0] + `<h4 class="h3"><a href="/publishers/a/#lic_1"><bdi>T</bdi></a></h4>` + offered[1] + because},
	{"rights of a site", page.RightsPart(page.Rights{Page: page.Link{Path: "/p/a/", Text: "A"}, Found: "the whole site"}),
		`<h2><a href="/p/a/"><bdi>A</bdi></a></h2><p class="meta"><span>the whole site</span></p><p class="lead"></p><p>This publisher does not accept inquiries about this page here.</p><ul class="uses"></ul>`},
	{"source", page.Source("now", "from there", "/v1/?a&b"), `<p class="note">Answered at now, from there. This is neither a permission nor legal advice; a written agreement always prevails. <a href="/v1/?a&amp;b" type="application/json">This answer as JSON</a></p>`},
	{"of a site", page.OfSite([]page.LikelyPage{{Path: "/check/?q=1", URL: hostile, Title: hostile}}), `<p class="warn" role="note">This page is not registered, but its site is. These statements cover the whole site.</p>` + likely},
	{"nobody has an address", page.NobodyPart(page.Nobody{Title: "Nobody", OfAddress: true, Likely: []page.LikelyPage{{Path: "/check/?q=1", URL: hostile, Title: hostile}}, LookPath: "/check/", Look: []page.Row{{Name: "q", Text: hostile}}}),
		`<h2>Nobody</h2>` + notFree + likely + `<form method="post" action="/check/"><input type="hidden" name="q" value="` + escaped + `"><p><button type="submit">Check what the site says now</button></p></form><p>Ask its publisher. Is it your site? <a href="/developers/list-your-site/">List it here</a> to answer these checks.</p>`},
	{"nobody has a text", page.NobodyPart(page.Nobody{Title: "Nobody", OfText: true, Alike: alike}),
		`<h2>Nobody</h2><p>Texts are compared by fingerprint: changing one word changes it.</p><h3>Registered pages of similar wording</h3><p>One of them may be another version of your text. Similar wording proves neither copying nor ownership.</p>` + aliked + notFree},
	{"nobody has a name", page.NobodyPart(page.Nobody{Title: "Nobody", Catalog: "/c/?a&b", Publishers: "/p/?a&b"}), `<h2>Nobody</h2><p><a href="/c/?a&amp;b">Search the catalog for pages about it</a>, or <a href="/p/?a&amp;b">look for it among the publishers</a>.</p>` + notFree},
	{"no key", page.NoKey(hostile, "/c/?a&b", "/p/?a&b"),
		`<h2>Not an address, and too short for a text</h2><p>A text needs at least 64 characters. For pages about it, <a href="/c/?a&amp;b">search the catalog for “` + escaped + `”</a>; for a publisher, <a href="/p/?a&amp;b">search the publishers</a>.</p>`},
	{"refused", page.Refused(hostile), `<h2>This cannot be looked up</h2><p class="warn" role="alert">` + escaped + `</p>`},
	{"explained", page.Explained("A", hostile), `<h2>A</h2><p>` + escaped + `</p>`},
	{"paragraph", page.Paragraph(hostile), `<p>` + escaped + `</p>`},
	{"alike", page.AlikePart("One page", alike, "/v1/?a&b"), `<h2>One page</h2><p>Similar wording proves neither copying nor ownership. Choose the page you mean to see its rights.</p>` + aliked + answerJSON},
	{"a reservation", page.ReservationPart(page.Reservation{Author: hostile, Voucher: page.Link{Path: "/p/?a&b", Text: hostile}, Uses: "training", Day: "today", Note: hostile, Source: page.Link{Path: "https://a.example/?a&b", Text: "a.example"}, Code: "c"}),
		`<h2>Reserved for this content: training</h2><p><bdi>` + escaped + `</bdi> states that these uses of this content are reserved, wherever copies of it are. <a href="/p/?a&amp;b"><bdi>` + escaped + `</bdi></a> vouches for this statement since today.  Source: <a href="https://a.example/?a&amp;b" rel="nofollow noopener">a.example</a></p>` +
			`<p><q><bdi>` + escaped + `</bdi></q></p><p class="note">It was found by the content alone, by the code <code>c</code>. <strong>This is a statement and no proof.</strong> Nothing is said about the other uses.</p>`},
	{"a reservation of nobody named", page.ReservationPart(page.Reservation{Voucher: page.Link{Path: "/p/", Text: "P"}, Uses: "training", Day: "today", Code: "c"}),
		`<h2>Reserved for this content: training</h2><p>It is stated that these uses of this content are reserved, wherever copies of it are. <a href="/p/"><bdi>P</bdi></a> vouches for this statement since today. </p>` +
			`<p class="note">It was found by the content alone, by the code <code>c</code>. <strong>This is a statement and no proof.</strong> Nothing is said about the other uses.</p>`},
	{"similar reservations", page.SimilarReservations([]page.Reservation{{Voucher: page.Link{Path: "/p/", Text: "P"}, Uses: "training", Day: "today", Alike: "much"}}),
		`<h3>Reservations for similar content</h3><p>They are about other content, which may be another version of this. Similar wording is no match and proves nothing.</p><ul><li><strong>training</strong> (much). <a href="/p/"><bdi>P</bdi></a> vouches for this statement since today. </li></ul>`},
	{"none alike", page.AlikePart("", page.AlikeList{}, "/v1/?a&b"), `<h2>No registered page has similar wording</h2>` + notFree + answerJSON},
	{"no look", page.NoLook(), `<h2>The site cannot be checked now</h2><p>It does not answer, blocks robots, or too many checks are running. <strong>That says nothing about rights.</strong></p>`},
	{"looked", page.Looked(verdicts, "now"),
		`<h2>This address is not registered</h2><p>We checked the site just now. This is what it states to everybody, judged like any rights check. It is neither verified nor stored, and <strong>it is not a permission</strong>.</p>` + summed + used + because +
			`<p class="note">Checked now. The API only says that it is not registered. Is it your site? <a href="/developers/list-your-site/">List it here</a> to answer these checks.</p>`},
	{"count", page.CountHead("2 of 3 publishers", false), `<h2>2 of 3 publishers</h2>`},
	{"count of none", page.CountHead("0 of 3 publishers", true), `<h2>0 of 3 publishers</h2><p>Try fewer or other words, or another choice.</p>`},
	{"hits", page.Catalog(page.CatalogHits{
		Matches: "2 pages match", Loose: "No page has “" + hostile + "”.", Start: "21",
		Also: &page.AlsoPublishers{Rows: []page.AlsoPublisher{{Path: "/p/a/", Name: hostile, Pages: "2 pages"}}, All: page.Link{Path: "/p/?q=a&b", Text: "All 4 publishers that match"}},
		Hits: []exports.SearchHit{
			{Entry: exports.Entry{EntryID: "1", SiteID: "a", Language: "de", Title: "a <x>", URL: "https://a.example/?a&b", PublishedAt: "2026-01-01T00:00:00Z", Terms: []string{"<x>", ""}, RightsVector: "LUUUUUUU"}, Publisher: exports.PublisherRef{Name: "A & B"}, Match: exports.Match{Terms: []string{"<x>"}}},
			{Entry: exports.Entry{EntryID: "2", SiteID: "b", Title: hostile}},
			{Entry: exports.Entry{EntryID: "3", SiteID: "c", Title: "c", URL: "https://c.example/", RightsVector: "LUUUUUUU"}, Closed: true},
		},
		Mark: func(text string, found []string) []content.Part {
			mark := strings.Join(found, " ")
			before, ok := strings.CutSuffix(text, mark)
			if !ok || mark == "" {
				return []content.Part{{Text: text}}
			}
			return []content.Part{{Text: before}, {Text: mark, Marked: true}}
		},
		Pager: content.Pager{Range: "21 to 22 of 22", Previous: "/c/?offset=0"},
	}),
		`<h2>2 pages match</h2><p>No page has “` + escaped + `”.</p><ul class="also" aria-label="Publishers that match"><li>Publisher <a href="/p/a/"><bdi>` + escaped + `</bdi></a> <span class="dim">2 pages</span>` + unstated + `</li><li><a href="/p/?q=a&amp;b">All 4 publishers that match</a></li></ul>` +
			`<ol class="entries" start="21"><li><h3><a href="/citations/1/"><bdi lang="de">a <mark>&lt;x&gt;</mark></bdi></a></h3><p class="meta"><a href="/publishers/a/"><bdi>A &amp; B</bdi></a> <span><a href="https://a.example/?a&amp;b" rel="nofollow noopener"><bdi>a.example/?a&amp;b</bdi></a></span> <time datetime="2026-01-01T00:00:00Z">1 January 2026</time>` +
			` <span class="terms"><bdi><mark>&lt;x&gt;</mark></bdi><bdi>term</bdi></span></p><p class="rights"><span><span class="state v-l">Ask first</span> Retrieval (RAG)</span><span><span class="state v-u">Unknown</span> Training, Fine-tuning, Search indexing, Summarization, Datasets, Syndication, Research</span></p><p class="meta"><a href="/publishers/a/request/?resource=https%3A%2F%2Fa.example%2F%3Fa%26b">Ask for a licence</a></p></li>` +
			`<li><h3><a href="/citations/2/"><bdi>` + strings.TrimSuffix(escaped, "\u202e") + `</bdi></a></h3><p class="meta"><a href="/publishers/b/"><bdi>b</bdi></a> <span><bdi>no address</bdi></span> </p>` + unstated + `</li>` +
			`<li><h3><a href="/citations/3/"><bdi>c</bdi></a></h3><p class="meta"><a href="/publishers/c/"><bdi>c</bdi></a> <span><a href="https://c.example/" rel="nofollow noopener"><bdi>c.example</bdi></a></span> </p>` +
			`<p class="rights"><span><span class="state v-l">Ask first</span> Retrieval (RAG)</span><span><span class="state v-u">Unknown</span> Training, Fine-tuning, Search indexing, Summarization, Datasets, Syndication, Research</span></p></li></ol>` +
			`<nav class="pager" aria-label="Pages"><a rel="prev" href="/c/?offset=0">Previous</a> <span>21 to 22 of 22</span> </nav>`},
	{"no hits", page.Catalog(page.CatalogHits{}), `<h2>No registered page matches</h2><p>Try fewer or other words, or look through the <a href="/categories/">categories</a>. No match does not mean free to use.</p>`},
	{"offers", page.Offers([]exports.Offer{{SiteID: "a", LicenseID: "lic_1", Title: "T", Status: "offered"}}, map[string]string{"a": hostile}),
		strings.Replace(offered[0], ">", ` id="lic_1">`, 1) + `<h3><a href="/publishers/a/#lic_1"><bdi>T</bdi></a></h3><dl class="facts"><dt>Publisher</dt><dd><a href="/publishers/a/"><bdi>` + escaped +
			`</bdi></a></dd><dt>For</dt><dd>not stated</dd><dt>Where</dt><dd>everywhere</dd><dt>Price</dt><dd></dd></dl></article>`},
}

const (
	unstated = `<p class="rights"><span><span class="state v-u">Unknown</span> all eight uses</span></p>`
	placed   = `<h2>What to place on your site</h2><p>Serve this file, adapted to your site, at https://a.example/.well-known/colophon-publisher.json:</p><pre><code>{` + "\n" + `}</code></pre><p><a href="/editor/#file=%7B">Complete this file in the editor</a></p>` +
		`<p>If you cannot serve a file there, keep it elsewhere on the same host over https, and name it in the head of your home page or in DNS:</p><pre><code>` + escaped + `</code></pre><p><a href="/developers/list-your-site/">Everything the file can say</a></p>`
	searched    = `<form class="search" action="/l/" method="get" role="search"><label for="q">Title, publisher, fingerprint or entry id</label><div class="row"><input id="q" name="q" type="search" maxlength="200" required value="`
	searchedEnd = `"><button type="submit">Search</button></div></form>`
	inboxTop    = `<p class="note">This page is private to A. Anyone with its address can read and answer.</p><form id="filter" class="search" role="search" method="get" action="/inbox/x"><label for="q">Name, organization or words of the inquiry</label><div class="row"><input id="q" name="q" type="search" maxlength="200" autocomplete="off" value=""> <button type="submit">Find</button></div></form>`
	inboxLinks  = `<p class="actions"><a href="/inbox/x/c" download>This list as CSV</a> <a href="/inbox/x/s">Statistics</a> <a href="/inbox/x/u">Reported uses</a> </p>`
	ledgerNote  = `<p class="note">A log entry shows that something was recorded, not that a use is allowed. <a href="/j?q=a&amp;b" type="application/json">This answer as JSON</a> · <a href="/l/">The ledger</a></p>`
)

func TestComponents(t *testing.T) {
	for _, c := range components {
		if got := string(page.Append(nil, c.part)); got != c.want {
			t.Errorf("%s is\n%s\nnot\n%s", c.name, got, c.want)
		}
	}
	if got := string(page.Append([]byte("<main>"), page.Warning("x"))); !strings.HasPrefix(got, "<main><p ") {
		t.Errorf("appended: %s", got)
	}
}

// TestComponentsAtTheEdge holds the runtime of tools/edge/templ to the bytes that
// templ makes: the same expectations, also of the forms that published pages share,
// compiled as for the worker.
func TestComponentsAtTheEdge(t *testing.T) {
	modfile, err := exec.Command("../../tools/edge/modfile.sh", t.TempDir()).Output()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "test", "-modfile="+strings.TrimSpace(string(modfile)), "-count=1", "-v", "-run", "^TestComponents$", ".", "../../templates/content")
	run.Env = append(os.Environ(), "GOFLAGS=-trimpath")
	out, err := run.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS: TestComponents") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}
