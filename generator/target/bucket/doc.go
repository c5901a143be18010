// Package bucket publishes a folder of published files to a bucket of an S3
// service.
//
// Objects have the names of the files, below the prefix. Beside them lie the
// bucket's own notes, which nobody needs to serve:
//
//	_build/published.json          Root: the release that is published, and its list
//	_build/lists/<sha-256>.txt.zst List: digests, sizes and names of its objects, and of those that wait for their
//	                               removal; others, of a publisher at work, say what it may have written
//	_build/lease.json              Lease: who publishes now, and what was begun since the last root
//
// The bucket is never listed: what is in it follows from the root, and from the lists of
// what was begun after it.
//
// # Order
//
// A publisher
//
//  1. takes the lease
//  2. compares the list of its folder with that of the root
//  3. notes in the lease a list of all that it will write
//  4. writes objects that are new, then those that changed, then those in
//     which a reader begins (IsRoot), one after the other
//  5. writes the list of the release, and replaces the root on condition that
//     it is the one it read
//  6. deletes objects that need not wait any longer, notes that, and
//     gives the lease back
//
// So a document never names an object that is not there yet. Objects whose content is in
// their name are those of one release, and stay for the grace period after the last
// release that named them; other documents change one by one in step 4, and go in
// step 6 (target.Wait).
//
// # Two publishers, and killed ones
//
// The lease is an object that is written on condition (If-None-Match, If-Match)
// and renewed while its holder works. Who finds one watches it: if it changes,
// its holder is alive, and the watcher gives up with ErrBusy. If it does not
// change for as long as it is valid, it is taken over. Clocks are never
// compared. A holder that could not renew its lease in time stops, and cancels
// its requests, before another one may begin.
//
// Whoever takes over a lease does not know how far its holder got. It asks the
// bucket for each object that may have been written, and does not send again what is there with the wanted digest and headers (the digest is in the
// object's metadata; an ETag is never taken for one). What is there and belongs
// to no release waits for its removal like everything else.
//
// A request whose answer was lost is sent again by the client, and then fails
// its own condition. So after any failure of a conditional write the object is
// read and compared.
package bucket
