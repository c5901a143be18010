package mcp

import (
	"errors"
	"strconv"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/problem"
)

// findFailure returns the failure in an error. It logs faults of the service;
// if they have no code, the caller learns only that something went wrong.
func (s *Server) findFailure(err error) *problem.Failure {
	var invalid *wire.Invalid
	if errors.As(err, &invalid) {
		return &problem.Failure{Code: "validation_failed", Detail: strconv.Itoa(len(invalid.Fields)) + " of the arguments were refused.", Fields: invalid.Fields}
	}
	f := problem.Of(err)
	if f == nil {
		f = problem.New("internal_error", "")
	}
	if !errors.As(err, new(*problem.Failure)) && exports.KindOf(f.Code).Status >= 500 && s.Log != nil {
		s.Log("error mcp: " + err.Error())
	}
	return f
}
