package channel

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// node is one element of a small XML document.
type node struct {
	space, name string
	attrs       []xml.Attr
	text        string // character data directly inside, trimmed
	kids        []*node

	data []byte // text so far, while reading
}

const maxXMLDepth = 32

var errXML = errors.New("not well-formed XML of the expected size")

// parseXML reads a document into a tree. Entities beyond XML's five and other
// encodings than UTF-8 are refused; nothing external is ever loaded.
func parseXML(body []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(body))
	root := &node{}
	stack := []*node{root}
	for {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		top := stack[len(stack)-1]
		switch t := t.(type) {
		case xml.StartElement:
			if len(stack) > maxXMLDepth {
				return nil, errXML
			}
			n := &node{space: t.Name.Space, name: t.Name.Local, attrs: t.Copy().Attr}
			top.kids = append(top.kids, n)
			stack = append(stack, n)
		case xml.EndElement:
			top.text, top.data = strings.TrimSpace(string(top.data)), nil
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.data = append(top.data, t...)
		}
	}
	if len(root.kids) != 1 {
		return nil, errXML
	}
	return root.kids[0], nil
}

func (n *node) attrValue(name string) (string, bool) {
	for _, a := range n.attrs {
		if a.Name.Local == name && a.Name.Space == "" {
			return strings.TrimSpace(a.Value), true
		}
	}
	return "", false
}

func (n *node) attrOrEmpty(name string) string {
	v, _ := n.attrValue(name)
	return v
}
