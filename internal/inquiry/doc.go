// Package inquiry is the life of a licensing request: its states, the one
// table of moves between them, and the desk at which requesters, publishers
// and the operator act. No state means that anything is licensed; binding
// terms, payment and the activation of rights happen elsewhere.
//
// The desk reads and writes through the interfaces of internal/origin. Each
// act is one conditional write: it takes effect whole, in the state it was
// decided in, or not at all. Rows of the table (Rules) are the only way from
// one state to another; what is not in it is refused with *Refused.
package inquiry
