package mcp

import (
	"sync"

	"colophon/internal/wire"
)

// Tool is one row of a tool table, from which everything about a tool follows.
type Tool struct {
	Name, Title, Description string

	// Args returns the arguments with their defaults, ready to be decoded.
	// Their record is the input schema.
	Args func() *Args

	// Purpose says what each argument is for, by name, and its default as JSON
	// if it has one.
	Purpose []Purpose

	// Output returns an empty record of the REST answer, whose schema is the
	// output schema. It is nil for an answer without a fixed shape.
	Output func() wire.Record

	// Untrusted names the members of the answer whose text was written by
	// publishers.
	Untrusted []string

	// Policy is the rate policy of the tool's calls, "" for that of the
	// endpoint.
	Policy string

	// Licensed is set for answers that show an active grant; all others say
	// that they grant no rights.
	Licensed bool
}

// Purpose documents one argument.
type Purpose struct{ Name, Text, Default string }

// toolTable is the tools of one endpoint.
type toolTable struct {
	rows []Tool
	once sync.Once
	json []byte
}

// listTools returns the tools as tools/list shows them. The list is made when
// first requested: most instances of the worker never need it, and so start
// faster.
func (t *toolTable) listTools() []byte {
	t.once.Do(func() {
		all := wire.Array()
		for i := range t.rows {
			all.Items = append(all.Items, t.rows[i].toolDefinition())
		}
		t.json = all.Append(nil)
	})
	return t.json
}

// findTool returns the tool of that name, or nil.
func (t *toolTable) findTool(name string) *Tool { return findByName(t.rows, name) }

// toolDefinition returns the tool as clients see it. Every tool only reads, is
// idempotent, and reaches nothing outside the service.
func (t *Tool) toolDefinition() wire.Value {
	v := wire.Object(
		wire.M("name", wire.String(t.Name)),
		wire.M("title", wire.String(t.Title)),
		wire.M("description", wire.String(t.Description)),
		wire.M("inputSchema", t.Input()),
		wire.M("annotations", wire.Object(
			wire.M("destructiveHint", wire.Bool(false)),
			wire.M("idempotentHint", wire.Bool(true)),
			wire.M("openWorldHint", wire.Bool(false)),
			wire.M("readOnlyHint", wire.Bool(true)),
			wire.M("title", wire.String(t.Title)),
		)),
	)
	if t.Output != nil {
		v.Members = append(v.Members, wire.M("outputSchema", wire.Schema(t.Output(), true)))
	}
	return v
}

// Input returns the JSON Schema of the arguments.
func (t *Tool) Input() wire.Value {
	v := wire.Schema(t.Args(), false)
	properties := v.Get("properties")
	for i := range properties.Members {
		p := &properties.Members[i]
		for _, doc := range t.Purpose {
			if doc.Name == p.Name {
				p.Value.Members = append(p.Value.Members, wire.M("description", wire.String(doc.Text)))
				if def, err := wire.Parse([]byte(doc.Default), limits); err == nil {
					p.Value.Members = append(p.Value.Members, wire.M("default", def))
				}
			}
		}
	}
	return v
}

func findByName(tools []Tool, name string) *Tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}
