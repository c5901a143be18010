// Package rights is the gate: the only place where a private record of the
// origin becomes a public one, and where a use gets its verdict. A record
// passes only when its publisher is approved and public; what passes has no
// field in which an address, a note, a secret or a body could travel.
//
// Everything here is a pure function of its arguments, without clock or store,
// but the BodyStore: it opens a licensed body to who brings a fresh Permit, which
// only Check makes.
package rights
