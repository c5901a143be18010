package server

import (
	"strings"

	"colophon/exports"
)

// class groups requests by what they cost: each class has slots of its own, so
// that one kind of load cannot take the server from the others.
type class int

const (
	classFiles   class = iota // published files, as they are
	classSearch               // answers computed from published files
	classReads                // answers that ask the origin
	classWrites               // what changes the origin
	classStreams              // delivery, held as long as its stream lasts
	classes
)

// String is the name of the class in settings and metrics.
func (c class) String() string {
	return [...]string{"files", "search", "reads", "writes", "streams"}[c]
}

// Routes of what the table of endpoints does not name.
const (
	routeFile         = "file"
	routeInbox        = exports.PathInbox + "{link}"
	routeLetters      = exports.PathLetters + "{receiver}"
	routeJoin         = exports.PathJoin + "{request}"
	routeConversation = exports.PathConversationPage
)

// routeOf names the endpoint of a request by its pattern, which holds no id
// and no secret, and tells its class.
func routeOf(method, path, query string) (route string, c class) {
	if method == "HEAD" {
		method = "GET"
	}
	if strings.HasPrefix(path, exports.PathInbox) && len(path) > len(exports.PathInbox) {
		return routeInbox, readOrWrite(method)
	}
	if strings.HasPrefix(path, exports.PathLetters) {
		return routeLetters, readOrWrite(method)
	}
	if strings.HasPrefix(path, exports.PathJoin) && (len(path) > len(exports.PathJoin) || method == "POST") {
		return routeJoin, readOrWrite(method)
	}
	e, _, allowed := exports.Find(method, path)
	switch {
	case e != nil:
		return e.Path, classOf(e, query)
	case path == exports.PathNeedPage && method == "POST":
		return exports.PathNeedPage, classWrites
	case path == exports.PathShortlist && method == "POST":
		return path, classWrites
	case path == exports.PathConversationPage && method == "POST":
		return routeConversation, classWrites
	case path == exports.PathCheckPage && (method == "POST" || query != ""), path == exports.PathStatusPage:
		return path, classReads
	case query != "" && exports.OneOf(path, exports.QuestionPages):
		return path, classSearch
	case len(allowed) > 0: // another method of an endpoint: OPTIONS, or one to refuse
		e, _, _ := exports.Find(allowed[0], path)
		return e.Path, classFiles
	}
	return routeFile, classFiles
}

func classOf(e *exports.Endpoint, query string) class {
	switch {
	case e.Auth == exports.ByBuyer && e.Method == "GET":
		return classStreams
	case e.Made == exports.Live:
		return readOrWrite(e.Method)
	case e.Made == exports.Static, e.Made == exports.Listed && query == "":
		return classFiles
	}
	return classSearch
}

func readOrWrite(method string) class {
	if method == "GET" {
		return classReads
	}
	return classWrites
}
