package api

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/outcome"
	provrecord "colophon/internal/record"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Limits of what can be verified at once.
const (
	maxVerifyBody = 512 << 10
	maxVerifyText = 256 << 10
)

// VerifyRecord checks a record, a record and a text, or an entry and a text.
// Each question gets its own answer, and no answer means that anything is
// permitted. The text is neither stored nor logged nor sent back.
func (s *Service) VerifyRecord(ctx context.Context, c *request.Call) (*edge.Response, error) {
	if len(c.Body) > maxVerifyBody {
		return nil, problem.New("body_too_large", "")
	}
	if c.BodyType() != "application/json" {
		return nil, problem.New("unsupported_media_type", "Content-Type must be application/json.")
	}
	q, err := readVerify(c.Body)
	if err != nil {
		return nil, err
	}
	if q.entryID != "" {
		if q.record, err = s.publishedRecord(ctx, q.entryID); err != nil {
			return nil, err
		}
	}
	keys, err := s.keySet(ctx)
	if err != nil {
		return nil, err
	}
	answer := exports.Verification{LedgerIndex: provrecord.NotLogged, Current: "not_registered"}
	question := provrecord.Question{Keys: keys, Verify: s.Verify, Text: q.text}
	if record, err := wire.Parse(q.record, wire.Default); err == nil {
		s.checkCurrency(ctx, &record, &answer)
		in := s.findInclusion(ctx, &record, &answer)
		answer.Ledger = string(in.Code)
		answer.LedgerIndex = in.Index
		answer.LedgerSize = in.Size
		question.Leaf = &in.Index
	} else {
		answer.Ledger = string(outcome.NotChecked)
	}
	result := provrecord.Verify(q.record, question)
	answer.Valid = result.Code() == outcome.OK || result.Code() == outcome.KeyRevokedLater
	answer.KeyID = result.KeyID
	answer.RecordSHA256 = result.RecordSHA256
	answer.Canonical = result.CanonicalBytes
	answer.Schema = string(result.Schema)
	answer.Signature = string(result.Signature)
	answer.Key = string(result.Key)
	answer.Text = string(result.Text)
	return c.Computed(&answer), nil
}

type verifyQuestion struct {
	record  []byte
	entryID string
	text    *string
}

// readVerify reads the body: a record itself, or an object with record or
// entry_id, and text.
func readVerify(body []byte) (q verifyQuestion, err error) {
	v, err := wire.Parse(body, wire.Limits{Bytes: maxVerifyBody, Floats: true})
	if err != nil {
		return q, err
	}
	if v.Kind != wire.KindObject {
		return q, badVerify("", "Must be an object.")
	}
	if v.Get("schema_version") != nil {
		q.record = body
		return q, nil
	}
	for i := range v.Members {
		m := &v.Members[i]
		switch m.Name {
		case "record":
			q.record = m.Value.Append(nil)
		case "entry_id":
			id, ok := m.Value.Str()
			if !ok || !exports.ValidEntryID(id) {
				return q, badVerify("/entry_id", "Must be the id of an entry.")
			}
			q.entryID = id
		case "text":
			text, ok := m.Value.Str()
			if !ok || len(text) > maxVerifyText {
				return q, badVerify("/text", "Must be a text of at most 256 KiB.")
			}
			q.text = &text
		case "check_live":
		default:
			return q, &problem.Failure{Code: "unknown_member", Fields: []wire.FieldError{{Pointer: "/" + m.Name, Code: "unknown_member", Detail: "This member is not known."}}}
		}
	}
	switch {
	case (q.record == nil) == (q.entryID == ""):
		return q, badVerify("", "Give exactly one of record and entry_id, or the record itself.")
	case q.entryID != "" && q.text == nil:
		return q, badVerify("/text", "A text is needed with entry_id.")
	}
	return q, nil
}

func badVerify(pointer, why string) error {
	return &problem.Failure{Code: "validation_failed", Detail: why, Fields: []wire.FieldError{{Pointer: pointer, Code: "invalid", Detail: why}}}
}

func (s *Service) publishedRecord(ctx context.Context, entryID string) ([]byte, error) {
	b, err := s.Files.ReadPath(ctx, exports.RecordPath(entryID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New("entry_not_found", "")
	}
	return b, err
}

// keySet reads the published public keys.
func (s *Service) keySet(ctx context.Context) (provrecord.KeySet, error) {
	b, err := s.Files.ReadPath(ctx, exports.WellKnownKeys)
	if err != nil {
		return provrecord.KeySet{}, &problem.Failure{Code: "index_unavailable", Retry: 30}
	}
	return provrecord.ParseKeySet(b)
}

// checkCurrency reports whether the record is registered here and is the latest
// version, and where the latest is in the ledger.
func (s *Service) checkCurrency(ctx context.Context, record *wire.Value, a *exports.Verification) {
	id, ok := record.Get("entry_id").Str()
	if !ok || !exports.ValidEntryID(id) {
		return
	}
	found, err := s.Catalog.Find(ctx, lookup.Query{EntryID: id})
	var bad *staticindex.Error
	switch {
	case errors.As(err, &bad) && bad.Code != "index_unavailable":
		return
	case err != nil:
		a.Current = "unavailable"
		return
	}
	own := provrecord.RecordSHA256(record.Append(nil))
	for i := range found.Candidates {
		x := &found.Candidates[i]
		a.LatestSHA256 = x.RecordSHA256
		a.LatestVersion = x.RecordVersion
		a.LedgerIndex = x.LedgerIndex
		a.Current = "unknown_record"
		if x.RecordSHA256 == own {
			a.Current = "latest"
		}
	}
	if a.Current == "unknown_record" {
		a.Current = s.findVersion(ctx, id, record, own)
	}
}

// findVersion reports whether a record is the published earlier version of an
// entry that it claims to be: superseded, unknown_record or unavailable.
func (s *Service) findVersion(ctx context.Context, entryID string, record *wire.Value, digest string) string {
	version, ok := record.Get("record_version").Int()
	if !ok || version < 1 {
		return "unknown_record"
	}
	published, err := s.Files.ReadPath(ctx, exports.RecordVersionPath(entryID, version))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "unknown_record"
	case err != nil:
		return "unavailable"
	case provrecord.RecordSHA256(published) == digest:
		return "superseded"
	}
	return "unknown_record"
}
