package outcome

// Code is a stable, machine-readable outcome: OK, or the reason of a refusal.
// It is an error, so callers compare with errors.Is, and its text is what the
// service answers.
type Code string

func (c Code) Error() string { return string(c) }

// Reasons a text or a URL is refused.
const (
	TextIllFormed         Code = "text_ill_formed_unicode"
	URLTooLong            Code = "url_too_long"
	URLForbiddenCharacter Code = "url_forbidden_character"
	URLScheme             Code = "url_scheme"
	URLUserinfo           Code = "url_userinfo"
	URLHost               Code = "url_host"
	URLPort               Code = "url_port"
	URLPercentEncoding    Code = "url_percent_encoding"
)

// Outcomes of a check that is not a refusal.
const (
	OK              Code = "ok"
	NotChecked      Code = "not_checked"          // an earlier check failed
	NotRequested    Code = "not_requested"        // nothing was given to check
	KeyRevokedLater Code = "ok_key_revoked_later" // the record was logged before
)

// Reasons a record is refused. A text that is not JSON of our dialect is
// refused with the json_ code of internal/wire.
const (
	SchemaUnknown     Code = "unknown_schema_version"
	ProofMissing      Code = "proof_missing"
	SuiteUnknown      Code = "unknown_cryptosuite"
	RecordMalformed   Code = "record_malformed"
	SignatureEncoding Code = "signature_encoding_invalid"
	SignatureInvalid  Code = "signature_invalid"
	TextMismatch      Code = "text_mismatch"
)

// Reasons a key is refused, in a document or for a record.
const (
	KeyUnknown          Code = "key_unknown"
	KeyNotYetValid      Code = "key_not_yet_valid"
	KeyExpired          Code = "key_expired"
	KeyRevoked          Code = "key_revoked"
	KeyMalformed        Code = "key_malformed"
	KeyForbidden        Code = "key_forbidden_point"
	KeyIDMismatch       Code = "key_id_mismatch" // kid is not the thumbprint
	KeyDuplicate        Code = "key_duplicate"
	KeyDocumentInvalid  Code = "key_document_invalid"
	SignerFailed        Code = "signer_failed"
	CreatedNotAnInstant Code = "created_invalid"
)

// Reasons a ledger document is refused.
const (
	CheckpointMalformed  Code = "checkpoint_malformed"
	CheckpointOrigin     Code = "checkpoint_origin" // of another log
	CheckpointUnsigned   Code = "checkpoint_unsigned"
	CheckpointSignature  Code = "checkpoint_signature_invalid"
	VerifierKeyMalformed Code = "verifier_key_malformed"
	CheckpointCosigners  Code = "checkpoint_cosignatures_missing" // fewer than the policy asks for
	ProofInvalid         Code = "proof_invalid"
	BundleMalformed      Code = "bundle_malformed"
	TileMalformed        Code = "tile_malformed"
	LedgerUnavailable    Code = "ledger_unavailable" // a file of it cannot be read
	NotInLedger          Code = "not_logged"
)
