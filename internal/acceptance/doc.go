// Package acceptance tests the generator and the worker together: what a
// release says about a page must agree with what a service over that release
// says about it, live and from published files alone. It has no other code;
// each package has its own tests too.
package acceptance
