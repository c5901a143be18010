// Package registry describes a whole registry in one document: organizations,
// their publishers with what these state and offer, buyers' requests, partners,
// buyers and grants. Read decodes such documents strictly, Resolve turns them
// into what the origin should hold, Compare returns the difference as a plan,
// and Write carries it out. Export returns the document of an origin.
//
//	{
//	  "format": "colophon.registry.v1",
//	  "publishers": [
//	    {
//	      "site_id": "harbor-ledger",
//	      "name": "Harbor Ledger",
//	      "site_url": "https://harbor-ledger.example/",
//	      "preferences": [{"use": "rag", "inquiry": "welcome"}],
//	      "offers": [{"slug": "grounding", "title": "Grounded answers", "permits": ["rag"], "payment_model": "use"}]
//	    }
//	  ]
//	}
//
// What a document does not name stays as it is; what it names without a member
// keeps that member; an empty text or list clears it. Nothing is ever removed.
// Secrets, registered pages and the proofs of control are not part of it.
package registry
