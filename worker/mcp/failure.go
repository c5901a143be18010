package mcp

import (
	"errors"
	"strconv"

	"colophon/exports"
	"colophon/internal/wire"
)

// Failure is an error with a stable code: see exports.ProblemKinds.
type Failure struct {
	Code   string
	Detail string
	Fields []wire.FieldError
	More   []wire.Member // further members of the problem document
}

func (f *Failure) Error() string { return f.Code + ": " + f.Detail }

func newFailure(code, detail string) error { return &Failure{Code: code, Detail: detail} }

// findFailure finds the failure in an error. What is the fault of the service is
// logged; where it has no code, the caller learns only that something went
// wrong.
func (s *Server) findFailure(err error) *Failure {
	var f *Failure
	var invalid *wire.Invalid
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &invalid):
		return &Failure{Code: "validation_failed", Detail: strconv.Itoa(len(invalid.Fields)) + " of the arguments were refused.", Fields: invalid.Fields}
	}
	if s.Explain != nil {
		if code, detail, fields, ok := s.Explain(err); ok {
			if exports.KindOf(code).Status >= 500 {
				s.logLine(err.Error())
			}
			return &Failure{Code: code, Detail: detail, Fields: fields}
		}
	}
	s.logLine(err.Error())
	return &Failure{Code: "internal_error"}
}

func (s *Server) logLine(line string) {
	if s.Log != nil {
		s.Log("error mcp: " + line)
	}
}
