package staticindex

// Error reports a fault in a question, or that the files cannot be read. Code
// is one of exports.ProblemKinds: invalid_parameter, conflicting_parameters,
// offset_too_deep, lookup_key_required, cursor_expired, site_not_found,
// no_match or index_unavailable.
type Error struct {
	Code   string
	Detail string
	Param  string // the parameter at fault, "" for none
	Start  string // where a list begins again if its cursor has expired
	Cause  error  // the reader's error, for the log
}

func (e *Error) Error() string {
	s := e.Code
	if e.Param != "" {
		s += " " + e.Param
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Cause }

// InvalidParam returns a parameter at fault.
func InvalidParam(param, why string) *Error {
	return &Error{Code: "invalid_parameter", Param: param, Detail: "The parameter \"" + param + "\" " + why + "."}
}

// OutageError returns a file that is missing or malformed: never "no match".
func OutageError(key string, cause error) *Error {
	return &Error{Code: "index_unavailable", Detail: "The file \"" + key + "\" cannot be read.", Cause: cause}
}
