// Package openapitest holds answers against the OpenAPI description of the
// service. It is stricter than a client may be: a member, a status, a media
// type or a code that the description does not have is a fault, so that the
// description cannot fall behind the service. Only tests use it.
package openapitest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"colophon/exports"
	"colophon/internal/openapi"
	"colophon/internal/wire"
)

// location names the description to the compiler of schemas.
const location = "urn:colophon:openapi"

// Contract is a description with which answers are compared. It may be used by
// many goroutines at once.
type Contract struct {
	document map[string]any
	compiler *jsonschema.Compiler

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// Ours is the contract of the service, made once.
var Ours = sync.OnceValue(func() *Contract {
	v := openapi.Document("Colophon", "https://registry.example")
	c, err := New(v.Append(nil))
	if err != nil {
		panic("openapitest: " + err.Error())
	}
	return c
})

// New reads a description in JSON.
func New(description []byte) (*Contract, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(description))
	if err != nil {
		return nil, err
	}
	document, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the description is no object")
	}
	if components, ok := document["components"].(map[string]any); ok {
		CloseObjects(components["schemas"])
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(location, document); err != nil {
		return nil, err
	}
	return &Contract{document: document, compiler: compiler, compiled: map[string]*jsonschema.Schema{}}, nil
}

// CloseObjects forbids unknown members wherever the description names some.
func CloseObjects(v any) {
	switch x := v.(type) {
	case map[string]any:
		_, named := x["properties"].(map[string]any)
		_, stated := x["additionalProperties"]
		if named && !stated && x["type"] == "object" {
			x["additionalProperties"] = false
		}
		for _, inner := range x {
			CloseObjects(inner)
		}
	case []any:
		for _, inner := range x {
			CloseObjects(inner)
		}
	}
}

// Answer is what came back for a request.
type Answer struct {
	Method string
	Path   string // without the query
	Status int
	Header http.Header
	Body   []byte
	Cut    bool // the body was not read to its end: it is not judged
}

// Check reports what in an answer violates the contract. It ignores preflights and
// answers to paths that are not operations.
func (c *Contract) Check(a *Answer) error {
	method := a.Method
	if method == "" || method == http.MethodHead {
		method = http.MethodGet
	}
	endpoint, _, allowed := exports.Find(method, a.Path)
	switch {
	case len(allowed) == 0, method == http.MethodOptions:
		return nil
	case endpoint == nil:
		return c.checkOtherMethod(a)
	}
	where := "/paths/" + wire.EscapePointer(endpoint.Path) + "/" + strings.ToLower(method) + "/responses/" + strconv.Itoa(a.Status)
	if err := c.checkResponse(a, where); err != nil {
		return fmt.Errorf("%s %s (%s) answered %d outside the contract: %w", a.Method, a.Path, endpoint.ID, a.Status, err)
	}
	return nil
}

// checkOtherMethod judges the refusal of a method that a path does not have.
// The endpoints of MCP look at the origin of a call before its method.
func (c *Contract) checkOtherMethod(a *Answer) error {
	if a.Status == http.StatusForbidden && strings.HasPrefix(a.Path, "/mcp") {
		return nil
	}
	if a.Status != http.StatusMethodNotAllowed && a.Status < 500 {
		return fmt.Errorf("%s %s answered %d: the path has no such method", a.Method, a.Path, a.Status)
	}
	if a.Status == http.StatusMethodNotAllowed && a.Header.Get("Allow") == "" {
		return fmt.Errorf("%s %s answered 405 without Allow", a.Method, a.Path)
	}
	return nil
}

func (c *Contract) checkResponse(a *Answer, where string) error {
	response, where, ok := c.find(where)
	if !ok {
		return errors.New("the operation has no such status")
	}
	if err := c.checkHeaders(a, response); err != nil {
		return err
	}
	content, _ := response["content"].(map[string]any)
	if a.Method == http.MethodHead {
		return nil
	}
	if len(content) == 0 {
		body, err := decoded(a)
		if err != nil {
			return err
		}
		if len(body) > 0 {
			return fmt.Errorf("there is a body of %d bytes", len(body))
		}
		return nil
	}
	name, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	media, ok := content[strings.TrimSpace(strings.ToLower(name))].(map[string]any)
	if !ok {
		return fmt.Errorf("the status has no media type %q", a.Header.Get("Content-Type"))
	}
	if a.Cut || a.Status == 206 { // a part may end anywhere
		return nil
	}
	body, err := decoded(a)
	if err != nil {
		return err
	}
	at := where + "/content/" + wire.EscapePointer(name)
	if _, lines := media["x-item-schema"]; lines {
		return c.checkLines(body, at+"/x-item-schema")
	}
	if strings.HasSuffix(name, "json") {
		return c.checkJSON(body, at+"/schema")
	}
	return nil
}

// decoded returns the body without its content coding.
func decoded(a *Answer) ([]byte, error) {
	in := bytes.NewReader(a.Body)
	switch coding := a.Header.Get("Content-Encoding"); coding {
	case "", "identity":
		return a.Body, nil
	case "br":
		return io.ReadAll(brotli.NewReader(in))
	case "gzip":
		if len(a.Body) == 0 {
			return nil, nil
		}
		r, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	default:
		return nil, fmt.Errorf("the content coding %q was not asked for", coding)
	}
}

func (c *Contract) checkHeaders(a *Answer, response map[string]any) error {
	declared, _ := response["headers"].(map[string]any)
	for name, v := range declared {
		reference, _ := v.(map[string]any)["$ref"].(string)
		h, _, ok := c.find(strings.TrimPrefix(reference, "#"))
		if !ok {
			return fmt.Errorf("the description has no component %q", reference)
		}
		values := a.Header.Values(name)
		if len(values) == 0 {
			if h["required"] == true {
				return fmt.Errorf("the header %s is missing", name)
			}
			continue
		}
		if err := c.checkHeader(values[0], strings.TrimPrefix(reference, "#")+"/schema"); err != nil {
			return fmt.Errorf("the header %s: %w", name, err)
		}
	}
	return nil
}

func (c *Contract) checkHeader(text, at string) error {
	schema, err := c.schema(at)
	if err != nil {
		return err
	}
	var value any = text
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && schema.Types != nil && schema.Types.String() == "[integer]" {
		value = json.Number(strconv.FormatInt(n, 10))
	}
	return schema.Validate(value)
}

func (c *Contract) checkLines(body []byte, at string) error {
	for n, line := range bytes.Split(bytes.TrimSuffix(body, []byte("\n")), []byte("\n")) {
		if len(line) == 0 && len(body) == 0 {
			return nil
		}
		if err := c.checkJSON(line, at); err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return nil
}

func (c *Contract) checkJSON(body []byte, at string) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	schema, err := c.schema(at)
	if err != nil {
		return err
	}
	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("%w\n%s", err, body[:min(len(body), 1500)])
	}
	return nil
}

// schema compiles the schema at a JSON pointer of the description.
func (c *Contract) schema(pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.compiled[pointer]; s != nil {
		return s, nil
	}
	s, err := c.compiler.Compile(location + "#" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
	if err != nil {
		return nil, err
	}
	c.compiled[pointer] = s
	return s, nil
}

// find follows a JSON pointer, and the reference that it leads to. It returns
// the object with the pointer by which it was found.
func (c *Contract) find(pointer string) (object map[string]any, at string, ok bool) {
	var v any = c.document
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		object, ok = v.(map[string]any)
		if !ok {
			return nil, "", false
		}
		v, ok = object[wire.UnescapePointer(part)]
		if !ok {
			return nil, "", false
		}
	}
	object, ok = v.(map[string]any)
	if reference, isRef := object["$ref"].(string); isRef {
		return c.find(strings.TrimPrefix(reference, "#"))
	}
	return object, pointer, ok
}
