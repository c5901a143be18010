package exports

import "colophon/internal/wire"

// SimilarError is the standard deviation of an estimate of similarity where it
// is largest, in thousandths.
const SimilarError = 67

// CodeMinima is how many minima a similarity code has.
const CodeMinima = 64

// SimilarStatement is part of every answer about similar texts.
const SimilarStatement = "Similarity is an estimate. It is no proof of copying, ownership or infringement, and grants no right."

// BasisSimilar says that an entry was found by the similarity of its text.
const BasisSimilar = "similar_text"

// Similar is the answer of the search by similarity: every entry that was found
// to have at least the requested similarity, the most similar first.
type Similar struct {
	ISCC       string
	Min        int64 // thousandths
	Recall     int64 // share of texts of exactly that similarity that the index finds, thousandths
	Candidates []SimilarCandidate

	Reservations []SimilarReservation // of similar content, the most similar first
}

func (s *Similar) Members(m *wire.Members) {
	wire.List(m, "candidates", &s.Candidates)
	m.Flag("grants_rights", false)
	m.Nested("match", func(m *wire.Members) {
		count, off := int64(len(s.Candidates)), int64(SimilarError)
		m.Int("count", &count)
		m.Thousandths("error", &off)
		m.Thousandths("recall", &s.Recall)
		matchStatus(m, count)
	})
	m.Nested("query", func(m *wire.Members) {
		m.String("iscc", &s.ISCC)
		m.Thousandths("min", &s.Min)
	})
	wire.OptList(m, "reservations", &s.Reservations)
	m.Const("statement", SimilarStatement)
}

// SimilarCandidate is an entry with the estimated similarity of its text to the
// one asked about: the share of wording that they have in common, with the
// standard deviation SimilarError.
type SimilarCandidate struct {
	Candidate  Candidate
	Equal      int64 // how many of 64 minima agree
	Similarity int64 // thousandths
}

func (c *SimilarCandidate) Members(m *wire.Members) {
	m.Object("candidate", &c.Candidate)
	m.Int("equal_minima", &c.Equal)
	m.Thousandths("similarity", &c.Similarity)
}

// SimilarReservation is a reservation for content with an identical or a similar
// code. Only an identical code is a match: a reservation says nothing about content
// that is similar.
type SimilarReservation struct {
	Reservation Reservation
	Equal       int64 // how many of 64 minima agree
	Similarity  int64 // thousandths
}

func (r *SimilarReservation) Members(m *wire.Members) {
	m.Int("equal_minima", &r.Equal)
	identical := r.Equal == CodeMinima
	m.Bool("identical_code", &identical)
	m.Object("reservation", &r.Reservation)
	m.Thousandths("similarity", &r.Similarity)
}
