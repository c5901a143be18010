// Package colophon is a client of a Colophon registry: who publishes a page,
// under which rights it may be used, and how to ask for a licence.
//
// Package api beneath it is generated from the OpenAPI description and has a
// method for every operation. This package adds what a description cannot
// express: it retries without doing anything twice, walks lists, continues
// streams that were cut, and verifies records and receipts.
//
// Nothing that a registry answers grants rights.
package colophon

//go:generate ../../tools/clients/generate.sh go
