// Package rights is the gate: the only place where a private record of the
// origin becomes a public one, and where a use gets its verdict. It shows a
// record only if the publisher is approved and public, and public records have
// no field for an e-mail address, a note, a secret or a body.
//
// Everything here except BodyStore is a pure function of its arguments, without
// clock or store. BodyStore opens a licensed body to a caller with a fresh
// Permit, which only Check makes.
package rights
