// Package inquiry implements the life of a licensing request: its states, the
// table of moves between them, and the service through which requesters,
// publishers and the operator act. No state means that anything is licensed; binding terms,
// payment and the activation of rights happen elsewhere.
//
// The service reads and writes through the interfaces of internal/origin. Each act
// is one conditional write: it takes effect as a whole, in the state for which
// it was decided, or not at all. The rows of the table (Rules) are the only
// moves from one state to another; any other act is refused with *Refused.
package inquiry
