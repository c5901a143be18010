package exports

// Version is the version of the API description.
const Version = "18.10.1"

// Endpoint is one row of Surface.
type Endpoint struct {
	Method  string
	Path    string // with {name} for path parameters
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
}

// ResponseSource tells who answers an endpoint.
type ResponseSource string

// Who answers.
const (
	// Static is a published file.
	Static ResponseSource = "static"
	// Listed is a published file as long as no query parameter is given, and
	// computed from published files otherwise.
	Listed ResponseSource = "listed"
	// Computed is answered from published files alone.
	Computed ResponseSource = "computed"
	// Live reads or writes the origin store.
	Live ResponseSource = "live"
)

// Auth tells what a caller must present.
type Auth string

// What a caller presents.
const (
	Open           Auth = "none"
	ByConversation Auth = "conversation_token"
	ByPartner      Auth = "partner_key"
	ByBuyer        Auth = "buyer_credential"
)

// Partner scopes.
const (
	ScopeStatus  = "partner:status"
	ScopeCatalog = "catalog:read"
	ScopeIntake  = "licensing:intake"
)

// PartnerScopes lists them all.
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

// Find returns the endpoint of a method and a concrete path (without query)
// and its path parameters by name. A literal row wins over one with
// parameters. When only the path is known, allowed lists its methods.
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

// matchPath compares a pattern such as /v1/public/citations/{entry_id}.json with
// a path, segment by segment.
func matchPath(pattern, path string) (map[string]string, bool) {
	var params map[string]string
	for {
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

// captureSegment matches "/{name}suffix" against "/value" + suffix.
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
