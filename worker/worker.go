// Package worker assembles the service: its router finds the handler of a
// request in the table of endpoints of exports, and turns every failure into a
// problem document. The handlers are those of the packages below it. They run
// inside the Workers runtime and in the native server alike.
package worker

import (
	"context"
	"io"
	"time"

	"colophon/exports"
	"colophon/internal/delivery"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	provrecord "colophon/internal/record"
	"colophon/internal/withdrawn"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/inbox"
	"colophon/worker/joining"
	"colophon/worker/limit"
	"colophon/worker/mcp"
	"colophon/worker/rightscheck"
	"colophon/worker/web"
)

// Origin is all that the service asks of the private store.
type Origin interface {
	origin.SiteReader
	inquiry.Store
	origin.PartnerKeys
	origin.InboxLinks
	origin.Joins
	joining.Needs
	inbox.Receivers
	origin.Counters
	origin.Rights
	origin.BuyerReader
	origin.Delivery
	origin.Bodies
	origin.UseReports
}

// Deps is everything that the service needs from outside. New passes each part
// to the services that need it.
type Deps struct {
	BaseURL string           // absolute, without a final slash
	Assets  files.Assets     // published files
	Now     func() time.Time // the clock
	Rand    io.Reader        // unpredictable bytes
	Limits  limit.Limits     // of calls; New gives it the Secret
	Log     func(line string)
	Verify  provrecord.VerifyFunc // provenance.Ed25519, or the platform's own

	Origin Origin // nil: rights are read from published files, and what needs a store answers 503

	// The rights check.
	Documents rightscheck.Documents // what was read for earlier checks; nil: a Memory
	Signer    provrecord.Signer     // signs receipts and checkpoints; nil: they are not signed

	// The inquiry bridge and the partner API.
	Secret           []byte                 // key of derived tokens and challenges, at least 32 bytes
	ProofBits        int                    // difficulty of a proof of work; 0 means 18
	Signers          access.Keys            // of agents that sign their requests; nil: everyone must prove work
	Letters          bool                   // letters are sent to those who inquire
	LookAt           joining.LookAt         // looks at a site that wants to join; nil: the operator does
	ReadUnregistered web.UnregisteredReader // reads what an unregistered page states; nil: the operator does not allow it

	TextCode func(text string) string // the ISCC Text-Code of a text, "" if it is too short; nil: only whole texts are found

	Queries mcp.Queries // the search index; nil: that of the published files
	Gateway mcp.Gateway // licensed content; nil: that of the delivery, if there is an origin

	// The delivery of licensed content.
	Objects func(ctx context.Context, key string) ([]byte, error) // bodies that the store does not hold; nil: none
	Budget  delivery.Budget                                       // zero: no bounds but those of the endpoints
}

// New returns the handler of the whole service. No answer contains anything
// that is withdrawn.
func New(d Deps) edge.Handler {
	if d.Documents == nil {
		d.Documents = rightscheck.NewMemory(rightscheck.DefaultMemory)
	}
	inner := Deps{BaseURL: d.BaseURL, Assets: withdrawn.Files{Source: sandboxAssets{d.Assets}}, Now: d.Now, Rand: d.Rand, Verify: d.Verify}
	d.Assets = withdrawn.Files{Source: d.Assets}
	return newRouter(&d, newRouter(&inner, nil).handleRequest).handleRequest
}

// sandboxAssets are the published files of the sandbox: invented publishers.
type sandboxAssets struct{ files.Assets }

// Read returns a file of the sandbox.
func (a sandboxAssets) Read(ctx context.Context, key string) ([]byte, error) {
	return a.Assets.Read(ctx, exports.SandboxPrefix+key)
}
