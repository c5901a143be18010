//go:build js && wasm

// Package service connects the product's handlers with what the Workers runtime
// provides: the published files, the origin in D1, entropy, rate limits,
// signature checks and the settings of the deployment.
package service

import (
	"context"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/blob/document"
	"colophon/internal/delivery"
	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/notify/letter"
	"colophon/internal/originsql"
	"colophon/internal/record"
	"colophon/templates/entrypage"
	"colophon/worker"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/edgejs"
	"colophon/worker/limit"
)

// New returns the whole service, configured by the variables BASE_URL,
// RATE_LIMITS, PROOF_BITS, MAIL_URL, MAIL_FROM, SERVICE_NAME and CONTACT and
// the secrets SERVICE_SECRET, SIGNING_KEY and MAIL_KEY. It logs a setting that
// cannot be parsed, and endpoints that depend on it answer 503.
func New() edgejs.Worker {
	store := originsql.Over(edgejs.Database("ORIGIN"))
	limits := limits()
	mail := mailAPI()
	d := worker.Deps{
		Origin: store, BaseURL: edgejs.Getenv("BASE_URL"), Assets: document.Files{Source: edgejs.Assets{}, SpellPage: entrypage.Spell, Memory: &document.Memory{}}, Now: time.Now, Rand: edgejs.Random{}, Log: log, Verify: verify,
		Secret: secret(), ProofBits: number("PROOF_BITS"),
		Signers: (&access.Directory{Fetch: directory, Verify: verify, Now: time.Now}).Keys(),
		Objects: edgejs.Bodies{}.Read, Documents: documents{}, Budget: budget, Signer: signer(), Letters: mail.Configured(),
		Limits: limit.Limits{Policies: limits, Limiter: &limit.Platform{Short: short, Long: store, Policies: limits, Now: time.Now}},
	}
	return edgejs.Worker{
		Handler: worker.New(d),
		Fault:   fault,
		Cron:    func(ctx context.Context, _ string) (bool, error) { return cron(ctx, store, mail) },
	}
}

// Limits of one run of the cron trigger. It sends at most (3 + 2) × 4
// notifications to receivers and 3 × 4 letters to requesters, because their
// queries must fit into an instance's memory, and those of three runs into a
// trigger's subrequests. It starts none after 8 s, because a run is aborted
// after 15 s. The rest is left for the next run.
const (
	cronWorking = 3
	cronFailing = 2
	cronAskers  = 2 // working ones, and half as many failing ones
	cronBatch   = 4
	cronDigest  = 12 // notices in one letter
	cronLimit   = 8 * time.Second
)

// cron processes deadlines, then sends the due notifications. If the clock
// jumped forward, it logs this and skips only the deadlines.
func cron(ctx context.Context, store *originsql.Store, mail letter.API) (more bool, err error) {
	_, err = inquiry.KeepDeadlines(ctx, store, time.Now())
	switch {
	case errors.Is(err, inquiry.ErrClockJumped):
		log("deadlines: " + err.Error())
	case err != nil:
		return false, err
	}
	s := notify.Sender{
		Outbox: store, Now: time.Now, Log: log, Post: post, Mail: mail.Configured(),
		WorkingWorkers: cronWorking, FailingWorkers: cronFailing, AskerWorkers: cronAskers, Batch: cronBatch, DigestBatch: cronDigest, Limit: cronLimit,
	}
	if s.Mail {
		s.Post = postMail(mail, store)
	}
	result, err := s.Once(ctx)
	return result.More, err
}

// mailAPI returns the mail API that sends letters; it is the zero value without
// MAIL_URL.
func mailAPI() letter.API {
	api := letter.API{URL: edgejs.Getenv("MAIL_URL"), Key: edgejs.Getenv("MAIL_KEY"), From: edgejs.Getenv("MAIL_FROM")}
	if api.URL == "" {
		return letter.API{}
	}
	if !api.Valid() {
		log("MAIL_URL must be an https address, MAIL_FROM an e-mail address, and MAIL_KEY is its key; no letters are sent without them")
		return letter.API{}
	}
	return api
}

// postMail returns a function that sends letters through a mail API, and other
// notifications over HTTP.
func postMail(api letter.API, store *originsql.Store) notify.PostFunc {
	name := edgejs.Getenv("SERVICE_NAME")
	if name == "" {
		name = "Colophon"
	}
	w := letter.Writer{
		Service: name, BaseURL: edgejs.Getenv("BASE_URL"), Contact: edgejs.Getenv("CONTACT"), Secret: secret(), Store: store, Now: time.Now,
	}
	return func(ctx context.Context, m notify.Message) (notify.Answer, error) {
		if !strings.HasPrefix(m.URL, notify.MailScheme) {
			return post(ctx, m)
		}
		l, err := w.WriteLetter(ctx, m)
		if err != nil {
			return notify.Answer{}, err
		}
		fields, body := api.Write(l, m.At)
		var header edge.Header
		for _, f := range fields {
			header.Set(f[0], f[1])
		}
		answer, err := edgejs.Fetch(ctx, "POST", api.URL, header, body)
		return api.Judge(answer.Status, answer.RetryAfter), err
	}
}

func post(ctx context.Context, m notify.Message) (notify.Answer, error) {
	answer, err := edgejs.Fetch(ctx, "POST", m.URL, edge.Header{
		{Name: "content-type", Value: "application/json"},
		{Name: "user-agent", Value: "colophon/" + exports.Version},
		{Name: "webhook-id", Value: m.ID},
		{Name: "webhook-timestamp", Value: m.Timestamp},
		{Name: "webhook-signature", Value: m.Signature},
	}, m.Body)
	return notify.Answer{Status: answer.Status, RetryAfter: answer.RetryAfter}, err
}

// directory fetches the keys that a signer publishes, for access.Directory.
func directory(ctx context.Context, url string) (int, []byte, error) {
	answer, err := edgejs.Fetch(ctx, "GET", url, edge.Header{{Name: "accept", Value: access.DirectoryMedia}}, nil)
	return answer.Status, answer.Body, err
}

// budget keeps an answer within the resources of one instance: memory is never
// freed during a request, and each query of D1 takes about 170 KB of it.
var budget = delivery.Budget{Rows: 1500, Bodies: 80, Bytes: 2 << 20, Leaves: 10_000}

// fault returns the answer to a fault outside the handlers, with the headers
// that every answer has.
func fault(status int, id string) *edge.Response {
	resp := edge.Fault(status, id)
	for _, h := range exports.SecurityHeaders("", resp.Header.Get("content-type")) {
		if !resp.Header.Has(h[0]) {
			resp.Header.Add(h[0], h[1])
		}
	}
	return resp
}

func log(line string) { println(line) }

func secret() []byte {
	key, err := base64.RawURLEncoding.DecodeString(edgejs.Getenv("SERVICE_SECRET"))
	if err != nil || len(key) < 32 {
		log("SERVICE_SECRET must be at least 32 bytes in base64url; inquiries answer 503 without it")
		return nil
	}
	return key
}

// signer returns the signer of checkpoints and receipts; it is nil without a
// key, and they are not signed then.
func signer() record.Signer {
	if edgejs.Getenv("SIGNING_KEY") == "" {
		return nil
	}
	return edgejs.Signer{}
}

func limits() []limit.Policy {
	list, err := limit.ParsePolicies(edgejs.Getenv("RATE_LIMITS"))
	if err != nil {
		log(err.Error())
		return limit.DefaultPolicies()
	}
	return list
}

func number(name string) int {
	n, _ := strconv.Atoi(edgejs.Getenv(name))
	return n
}

func short(ctx context.Context, policy, key string, q limit.Quota) (bool, error) {
	return edgejs.Limit(ctx, policy, key, q.Calls, q.Window)
}

// verify reports whether a signature is valid. A signature that the runtime
// could not check counts as invalid.
func verify(public, message, signature []byte) bool {
	ok, err := edgejs.Verify(context.Background(), public, message, signature)
	return ok && err == nil
}
