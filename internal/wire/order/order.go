// Package order sorts lists of any type through one sorting routine. The
// generic ones of package slices are compiled again for every type of element,
// several KiB of Wasm each, which the worker has no room for.
package order

import "sort"

// By sorts list so that cmp is never positive for two neighbours. Equal
// elements may change places.
func By[T any](list []T, cmp func(a, b *T) int) { sort.Sort(&sorter[T]{list, cmp}) }

// Stable is By, but equal elements keep their places.
func Stable[T any](list []T, cmp func(a, b *T) int) { sort.Stable(&sorter[T]{list, cmp}) }

type sorter[T any] struct {
	list []T
	cmp  func(a, b *T) int
}

// Len, Less and Swap are what package sort asks for.
func (s *sorter[T]) Len() int           { return len(s.list) }
func (s *sorter[T]) Less(i, j int) bool { return s.cmp(&s.list[i], &s.list[j]) < 0 }
func (s *sorter[T]) Swap(i, j int)      { s.list[i], s.list[j] = s.list[j], s.list[i] }
