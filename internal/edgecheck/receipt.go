package edgecheck

import (
	"encoding/base64"
	"time"

	"colophon/exports"
	"colophon/internal/record"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// Receipts that a denial can have.
const (
	ReceiptNone    = "none"
	ReceiptValid   = "valid"
	ReceiptInvalid = "invalid"
)

// receiptAge is how far the time of a receipt may be from that of the request.
const receiptAge = 10 * time.Minute

// Receipts counts the denials with a valid receipt, and those with another.
func (r *Report) Receipts() (valid, invalid int) {
	for i := range r.Samples {
		switch r.Samples[i].Receipt {
		case ReceiptValid:
			valid++
		case ReceiptInvalid:
			invalid++
		}
	}
	return valid, invalid
}

// judgeReceipt reports whether a denial has a receipt, signed by one of the keys,
// for this address, these routes and this moment.
func (c *Checker) judgeReceipt(address string, body []byte) string {
	doc, err := wire.Parse(body, wire.Limits{Bytes: maxBody, Depth: 16, Members: 256, Floats: true})
	if err != nil {
		return ReceiptNone
	}
	response := doc.Get("access_response")
	receipt := response.Get("receipt")
	if receipt == nil || receipt.Kind == wire.KindNull {
		return ReceiptNone
	}
	payload, routes := receipt.Get("payload"), response.Get("routes")
	if payload == nil || routes == nil || !c.isSigned(receipt, payload) || !c.isFresh(payload) {
		return ReceiptInvalid
	}
	canonical, err := urlkey.URLKey(address)
	if err != nil || textOf(payload, "url_sha256") != wire.SHA256Hex([]byte(canonical)) || textOf(payload, "routes_digest") != "sha-256:"+wire.SHA256Hex(routes.Append(nil)) {
		return ReceiptInvalid
	}
	return ReceiptValid
}

func (c *Checker) isSigned(receipt, payload *wire.Value) bool {
	key := c.Keys.Find(textOf(receipt, "kid"))
	signature, err := base64.RawURLEncoding.DecodeString(textOf(receipt, "signature_b64u"))
	return key != nil && err == nil && record.Ed25519(key.Public[:], payload.Append([]byte(exports.DenialContext+"\n")), signature)
}

func (c *Checker) isFresh(payload *wire.Value) bool {
	at, ok := exports.ParseInstant(textOf(payload, "at"))
	return ok && c.Now().Sub(at).Abs() <= receiptAge
}

func textOf(v *wire.Value, name string) string { s, _ := v.Get(name).Str(); return s }
