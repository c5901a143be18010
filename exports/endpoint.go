package exports

import (
	"slices"
	"strings"
)

// Version is the version of the API description.
const Version = "18.10.1"

// Endpoint is one row of Surface or of Pages.
type Endpoint struct {
	Method  string // "" is any method, in Pages only
	Path    string // {name} is a path parameter, {name...} the rest of the path
	ID      string // operation id, snake_case
	Group   string // discovery, marketplace, licensing, partner, provenance, rights, mcp, delivery, manifests
	Purpose string
	Made    ResponseSource
	Auth    Auth
	Scope   string // partner scope
	Query   []Param
	Body    string // name of the request body's schema, "" for none
	Media   string // media type of the answer
	Limits  string // rate policy
	Cache   string // Cache-Control of what is computed; "" private, no-store
	Load    Load   // "" follows from Made and the method
	Private bool   // browsers of other origins may not read the answers, though any client may ask
	Secret  bool   // the path parameter is a secret, which no log may record
}

// Load groups requests by what they cost. Each load has its own slots in the
// native server, so that a rush of one kind cannot starve the others.
type Load string

// Kinds of load.
const (
	LoadFiles   Load = "files"   // published files, as they are
	LoadSearch  Load = "search"  // answers computed from published files
	LoadReads   Load = "reads"   // answers that ask the origin
	LoadWrites  Load = "writes"  // requests that change the origin
	LoadStreams Load = "streams" // delivery; a slot is held as long as the stream lasts
)

// LoadOf returns the load of a request to the endpoint.
func (e *Endpoint) LoadOf(method, query string) Load {
	switch {
	case e.Load != "":
		return e.Load
	case e.Auth == ByBuyer && e.Method == "GET":
		return LoadStreams
	case e.Made == FromOrigin && method == "GET":
		return LoadReads
	case e.Made == FromOrigin:
		return LoadWrites
	case e.Made == FromFile, e.Made == Listed && query == "":
		return LoadFiles
	}
	return LoadSearch
}

// ResponseSource says what answers an endpoint.
type ResponseSource string

// The sources of answers.
const (
	// FromFile is a published file.
	FromFile ResponseSource = "static"
	// Listed is a published file for a request without query parameters, and
	// computed from published files for all others.
	Listed ResponseSource = "listed"
	// Computed is an answer made from published files alone.
	Computed ResponseSource = "computed"
	// FromOrigin reads or writes the origin store.
	FromOrigin ResponseSource = "live"
)

// Auth says what a caller must present.
type Auth string

// The kinds of credential that a caller presents.
const (
	Open           Auth = "none"
	ByConversation Auth = "conversation_token"
	ByPartner      Auth = "partner_key"
	ByBuyer        Auth = "buyer_credential"
	ByLink         Auth = "private_link" // in Pages only: the secret is in the path
)

// Partner scopes.
const (
	ScopeStatus  = "partner:status"
	ScopeCatalog = "catalog:read"
	ScopeIntake  = "licensing:intake"
)

// PartnerScopes lists all partner scopes.
var PartnerScopes = []string{ScopeStatus, ScopeCatalog, ScopeIntake}

// Param is one query parameter.
type Param struct {
	Name    string
	Type    string // string, integer, boolean
	Purpose string
	Default string
	Max     int64
	Values  []string
	List    bool // repeated, or a comma list
}

// Media types.
const (
	MediaJSON    = "application/json; charset=utf-8"
	MediaJSONLD  = "application/ld+json"
	MediaNDJSON  = "application/x-ndjson; charset=utf-8"
	MediaProblem = "application/problem+json; charset=utf-8"
	MediaCSV     = "text/csv; charset=utf-8; header=present"
	MediaXML     = "application/xml; charset=utf-8"
	MediaHTML    = "text/html; charset=utf-8"
	MediaText    = "text/plain; charset=utf-8"
)

// Find returns the endpoint of a method and a concrete path (without query),
// and its path parameters by name. A literal row takes precedence over one with
// parameters. If the path is known but not for this method, e is nil and
// allowed lists its methods.
func Find(method, path string) (e *Endpoint, params map[string]string, allowed []string) {
	for i := range Surface {
		row := &Surface[i]
		got, ok := matchPath(row.Path, path)
		if !ok {
			continue
		}
		allowed = append(allowed, row.Method)
		if row.Method == method && (e == nil || len(got) < len(params)) {
			e, params = row, got
		}
	}
	return e, params, allowed
}

// FindPage returns the row of Pages for a request and its path parameters by
// name, or nil if a published file answers the request. Rows for any method
// come last.
func FindPage(method, path, query string) (e *Endpoint, params map[string]string) {
	for i := range Pages {
		row := &Pages[i]
		if row.Method != "" && row.Method != method || row.Made == Listed && query == "" {
			continue
		}
		if params, ok := matchPath(row.Path, path); ok && row.Made == FromFile {
			return nil, nil
		} else if ok {
			return row, params
		}
	}
	return nil, nil
}

// Unshared lists the prefixes of the paths whose answers browsers of other
// origins may not read, because keys and tokens belong on servers. They are the
// outermost folders without an endpoint that such browsers may read, so a path
// in them that has no row is private too.
var Unshared = unsharedFolders(Surface, Pages)

func unsharedFolders(tables ...[]Endpoint) []string {
	var folders, shared []string
	for _, table := range tables {
		for i := range table {
			path, _, _ := strings.Cut(table[i].Path, "{")
			if table[i].Auth == Open && !table[i].Private {
				shared = append(shared, path)
			} else {
				folders = append(folders, path)
			}
		}
	}
	var out []string
	for _, folder := range folders {
		for {
			above := folder[:strings.LastIndexByte(folder[:len(folder)-1], '/')+1]
			if slices.ContainsFunc(shared, func(path string) bool { return strings.HasPrefix(path, above) }) {
				break
			}
			folder = above
		}
		if !slices.ContainsFunc(out, func(before string) bool { return strings.HasPrefix(folder, before) }) {
			out = append(out, folder)
		}
	}
	return out
}

// IsShared reports whether browsers of any origin may read the answers of a path.
func IsShared(path string) bool {
	return !slices.ContainsFunc(Unshared, func(folder string) bool { return strings.HasPrefix(path, folder) })
}

// WithoutSecret returns a path as logs may record it: without a parameter that
// is a secret.
func WithoutSecret(path string) string {
	for i := range Pages {
		beginning, _, _ := strings.Cut(Pages[i].Path, "{")
		if Pages[i].Secret && strings.HasPrefix(path, beginning) {
			return beginning + "…"
		}
	}
	return path
}

// matchPath compares a pattern such as /v1/public/citations/{entry_id}.json with
// a path, segment by segment.
func matchPath(pattern, path string) (map[string]string, bool) {
	var params map[string]string
	for {
		if name, ok := strings.CutSuffix(pattern, "...}"); ok && strings.HasPrefix(name, "/{") {
			return map[string]string{name[2:]: path[1:]}, len(path) > 1
		}
		a, restA := cutSegment(pattern)
		b, restB := cutSegment(path)
		if name, value, ok := captureSegment(a, b); ok {
			if params == nil {
				params = map[string]string{}
			}
			params[name] = value
		} else if a != b {
			return nil, false
		}
		if restA == "" || restB == "" {
			return params, restA == restB
		}
		pattern, path = restA, restB
	}
}

// cutSegment takes the first segment off a path; rest begins with "/" or is
// empty.
func cutSegment(path string) (segment, rest string) {
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			return path[:i], path[i:]
		}
	}
	return path, ""
}

// captureSegment matches the pattern segment "/{name}suffix" against "/value"
// followed by the suffix.
func captureSegment(pattern, segment string) (name, value string, ok bool) {
	if len(pattern) < 3 || pattern[1] != '{' {
		return "", "", false
	}
	end := 2
	for end < len(pattern) && pattern[end] != '}' {
		end++
	}
	if end == len(pattern) {
		return "", "", false
	}
	suffix := pattern[end+1:]
	if len(segment) <= 1+len(suffix) || segment[len(segment)-len(suffix):] != suffix {
		return "", "", false
	}
	return pattern[2:end], segment[1 : len(segment)-len(suffix)], true
}
