// Package style holds the list of house words, which nothing that people write
// in this tree may contain.
package style
