// Package acceptance tests the generator and the worker together: what a release
// says of a page, and what a service that serves the release says of it, live and
// from published files alone. It has no other code; tests of each package stand
// beside that package.
package acceptance
