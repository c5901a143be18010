package exports

// The closed vocabularies of public records. A word outside its list is refused
// wherever it is read.
var (
	// Inquiries say whether asking about a use is worth preparing.
	Inquiries = []string{"welcome", "conditional", "not_offered", "unstated"}
	// Declarations are what a publisher's public signals say about a use.
	Declarations = []string{"allow", "disallow", "unknown"}
	// Conditions are those that may be attached to a preference.
	Conditions = []string{"attribution", "link_back", "no_full_text", "embargo_hours", "territory_limit", "human_review", "deletion_on_request", "reporting", "payment"}
	// SignalSources say where a preference comes from.
	SignalSources = []string{"publisher", "observed", "imported", "file"}
	// ContentFormats of registered pages.
	ContentFormats = []string{"text", "html", "markdown", "audio_transcript", "video_transcript", "image", "dataset", "code"}
	// Audiences of a publisher.
	Audiences = []string{"general", "professional", "academic", "children", "trade"}
	// TechnicalDepths of a publisher.
	TechnicalDepths = []string{"introductory", "intermediate", "advanced", "mixed"}
	// RAGSuitabilities in rising order, unassessed last.
	RAGSuitabilities = []string{"low", "medium", "high", "unassessed"}
	// UserTypes that an offer or a question may name.
	UserTypes = []string{"commercial", "non_commercial", "education", "government", "personal"}
	// ReadinessLevels in rising order.
	ReadinessLevels = []string{"none", "listed", "declared", "attested", "enforced"}
	// ReadinessSignals are the signals that are looked for, in their fixed
	// order.
	ReadinessSignals = []string{
		"registered_inventory", "marketplace_discovery", "rights_passport", "adapter", "rsl", "website_association",
		"urvp", "signed_receipts", "provenance_record", "provenance_ledger", "integration_hub", "edge_access_control",
	}
	// SignalStates of a readiness signal.
	SignalStates = []string{"found", "not_found", "stale", "not_applicable", "unchecked"}
	// PaymentModels of an offer.
	PaymentModels = []string{"purchase", "subscription", "training", "crawl", "use", "contribution", "attribution", "free"}
	// OfferKinds and OfferStatuses of the license catalog.
	OfferKinds    = []string{"custom", "standard", "collective", "open"}
	OfferStatuses = []string{"offered", "paused", "retired"}
	// Verdicts of the rights check.
	Verdicts = []string{"licensed", "license_required", "declined", "signal_allow", "unknown", "withdrawn"}
	// ReasonCodes of verdicts.
	ReasonCodes = []string{
		"no_statement", "signal_disallows", "signal_allows", "offer_exists", "offer_paused", "use_not_offered", "user_type_excluded",
		"territory_excluded", "payment_required", "grant_active", "grant_missing", "grant_expired", "grant_revoked",
		"grant_scope_mismatch", "entry_withdrawn", "publisher_inactive", "conflict_most_restrictive", "stale_evidence", "no_statement_yet", "offer_ended",
		"content_reserved",
	}
	// Channels through which a publisher can state preferences.
	Channels = []string{
		"rsl", "robots", "aipref_robots", "aipref_header", "content_signal", "tdmrep", "tdm_policy", "ai_txt", "trust_txt", "html_meta",
		"schema_org", "cawg", "plus_dmi", "comp", "telemetry_manifest", "publisher_file", "offer", "publisher_statement", "content_reservation",
	}
	// Readings say how much of a document was understood. An incomplete reading may
	// have missed a restriction.
	Readings = []string{"complete", "partial", "failed"}
	// Confirmations are the doubts about a publisher's own statement.
	Confirmations = []string{Contradicted, Unconfirmed}
	// Origins say who other than the publisher wrote a line of the publisher's
	// document.
	Origins = []string{"cdn"}
	// ChannelStates of a channel that was looked for.
	ChannelStates = []string{"valid", "invalid", "unreachable", "absent"}
	// DomainControls say how control of a site's domain was shown. "operator"
	// means on the operator's word only; "lapsed" is a proof that was missing
	// at two checks in a row.
	DomainControls = []string{"dns_txt", "well_known", "meta", "operator", "lapsed", "none"}
	// ProvenControls are the DomainControls that someone who controls the host
	// has shown recently.
	ProvenControls = []string{"dns_txt", "well_known", "meta"}
	// OfferSources say how an offer came into the registry, other than by the
	// operator's hand.
	OfferSources = []string{"file", "observed"}
	// PassportBases say on whose word a rights holder is named.
	PassportBases = []string{"stated_by_publisher", "domain_verified", "third_party_registry"}
)

// Boundaries are the limits of what the service says about rights, each with an
// id and a sentence. Every manifest repeats them.
var Boundaries = []Boundary{
	{"access_is_not_permission", "API access, search results, listings, credentials, records, fingerprints, citations and readiness values grant no right to use publisher content."},
	{"inquiry_only", "A licensing request creates an inquiry; it grants no rights."},
	{"metadata_only", "Public endpoints return metadata and public URLs, never article bodies."},
	{"private_stays_private", "Account data, e-mail addresses, notes, pipeline data, credentials and agreements are not published."},
	{"signals_are_not_permission", "Preference signals help to judge whether an inquiry is worth preparing; they do not override an agreement."},
	{"agents_do_not_bind", "Agents may discover, prepare, submit and discuss; binding terms, activation of rights and payment happen elsewhere."},
	{"integrity_is_not_ownership", "A signature proves that a record is intact and who attested it, not ownership, permission, infringement or training."},
	{"sandbox_is_not_privileged", "The sandbox and the SDK are neither privileged nor transactional: they create no request, no credential and no right."},
	{"live_state_wins", "The live rights state is authoritative over any stored answer."},
}

// Boundary is one rights boundary.
type Boundary struct{ ID, Text string }
