package rightscheck

import (
	"context"
	"encoding/base64"
	"slices"

	"colophon/exports"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
)

// addReceipt adds a receipt to an answer that found something, if this server
// signs. The receipt gives the published release, if that is known.
func (s *Service) addReceipt(ctx context.Context, a *exports.RightsAnswer) error {
	if s.Signer == nil || len(a.Candidates) == 0 && a.Website == nil {
		return nil
	}
	release := ""
	if r, err := s.Catalog.Release(ctx); err == nil {
		release = r.Name
	}
	var err error
	a.Receipt, err = signReceipt(s.Signer, a, release)
	return err
}

// signReceipt signs the complete question and, for each candidate, the
// verdicts, the policy and the documents behind them. answer_sha256 is the
// digest of the answer as it is served, with null in place of the receipt.
func signReceipt(s provrecord.Signer, a *exports.RightsAnswer, release string) (*exports.Receipt, error) {
	question, err := wire.Parse(wire.Append(nil, &a.Query), wire.Trusted)
	if err != nil {
		return nil, err
	}
	candidates := wire.Array()
	for i := range a.Candidates {
		candidates.Items = append(candidates.Items, signedResource(&a.Candidates[i]))
	}
	if a.Website != nil {
		candidates.Items = append(candidates.Items, signedResource(a.Website))
	}
	a.Receipt = nil
	payload := wire.Object(
		wire.M("answer_sha256", wire.String(wire.SHA256Hex(wire.Append(nil, a)))), wire.M("basis", wire.String(a.Basis)), wire.M("candidates", candidates), wire.M("decision", wire.String("licence_answer")),
		wire.M("evaluated_at", wire.String(a.EvaluatedAt)), wire.M("question", question), wire.M("release", wire.StringOrNull(release)),
		wire.M("valid_until", wire.String(a.ValidUntil)),
	)
	sig, err := s.Sign(payload.Append([]byte(exports.ReceiptContext + "\n")))
	if err != nil {
		return nil, err
	}
	return &exports.Receipt{Payload: payload, KeyID: s.KeyID(), Signature: base64.RawURLEncoding.EncodeToString(sig)}, nil
}

// signedResource returns what a receipt says about one candidate. evidence
// lists the digests of the documents behind the verdicts.
func signedResource(c *exports.ResourceRights) wire.Value {
	uses := wire.Array()
	evidence := []string{}
	policy := wire.Null()
	for i := range c.Uses {
		u := &c.Uses[i]
		uses.Items = append(uses.Items, wire.Object(wire.M("reason", wire.String(u.Reason)), wire.M("use", wire.String(u.Use)), wire.M("verdict", wire.String(u.Verdict))))
	}
	for i := range c.Evidence {
		if d := c.Evidence[i].SHA256; d != "" && !slices.Contains(evidence, d) {
			evidence = append(evidence, d)
		}
	}
	if p := c.Policy; p != nil {
		policy = wire.Object(wire.M("digest", wire.String(p.Digest)), wire.M("policy_id", wire.String(p.PolicyID)), wire.M("version", wire.Int(p.Version)))
	}
	if c.Reservation != nil {
		return wire.Object(
			wire.M("reservation_id", wire.String(c.Reservation.ReservationID)), wire.M("rights_vector", wire.String(c.RightsVector)),
			wire.M("site_id", wire.String(c.SiteID)), wire.M("uses", uses),
		)
	}
	return wire.Object(
		wire.M("entry_id", wire.StringOrNull(c.EntryID)), wire.M("evidence", wire.Strings(evidence...)), wire.M("policy", policy),
		wire.M("rights_vector", wire.String(c.RightsVector)), wire.M("site_id", wire.String(c.SiteID)), wire.M("url_sha256", wire.String(wire.SHA256Hex([]byte(c.URL)))),
		wire.M("uses", uses),
	)
}
