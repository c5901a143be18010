package exports

import (
	"slices"
	"strings"

	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// PathEditor is the page on which a publisher makes its file.
const PathEditor = "/editor/"

// PathJoin is the page on which a site asks to be listed. The page of each
// request is below it; anyone who has its address can open it.
const PathJoin = "/join/"

// JoinFound describes what was found at a site that asks to be listed. The
// requester and the operator see it; it is never published. Its texts come from
// the site and are untrusted.
type JoinFound struct {
	At       string   // when the site was looked at
	Address  string   // of the publisher's own file
	File     string   // read, gone, refused, unreachable
	Problem  string   // what is wrong with the file, with its position
	Control  string   // one of ProvenControls, or "none" if nothing shows it
	Name     string   // as the file says
	Public   []string // what would be public, a line each
	Channels []string // documents about rights that the site has
	Missing  []string // what has to be done before it can be listed
}

func (f *JoinFound) Members(m *wire.Members) {
	m.OptString("address", &f.Address)
	m.Time("at", &f.At)
	m.OptStrings("channels", &f.Channels)
	m.String("control", &f.Control)
	m.String("file", &f.File)
	m.OptStrings("missing", &f.Missing)
	m.OptString("name", &f.Name)
	m.OptString("problem", &f.Problem)
	m.OptStrings("public", &f.Public)
}

// HomeHost returns the host in what people type as the address of their site: a
// host name, or an http or https address. It returns "" for an IP address, for
// an address with a port or a user name, and for a name that is not in public
// DNS.
func HomeHost(typed string) string {
	s := strings.ToLower(strings.TrimSpace(typed))
	s = strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i]
	}
	host, ok := urlkey.ASCIIHost(s)
	if last := host[strings.LastIndexByte(host, '.')+1:]; !ok || slices.Contains(localNames, last) {
		return ""
	}
	return host
}

// localNames are the last labels of names that public DNS never has (RFC 6761,
// RFC 6762, RFC 8375).
var localNames = []string{"localhost", "local", "internal", "arpa", "onion", "invalid"}

// SmallestFile returns the smallest publisher's file with which a site can be
// listed.
func SmallestFile(name string) string {
	return "{\n  \"colophon_publisher\": \"1\",\n  \"name\": " + string(wire.AppendString(nil, name)) + ",\n  \"preferences\": [\n" +
		"    {\"use\": \"rag\", \"declared\": \"disallow\", \"inquiry\": \"welcome\"},\n" +
		"    {\"use\": \"training\", \"declared\": \"disallow\", \"inquiry\": \"welcome\"}\n  ]\n}\n"
}
