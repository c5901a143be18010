package ledgerlog_test

import (
	"errors"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/record"
)

// FuzzOpenCheckpoint compares our reader of signed notes with x/mod's: both
// accept the same notes, with the same text.
func FuzzOpenCheckpoint(f *testing.F) {
	v := loadLedger(f)
	key := v.logKey(f)
	f.Add(v.Log.Checkpoint3)
	f.Add(v.Log.Checkpoint5)
	f.Add(v.Log.Checkpoint5 + "\u2014 witness.example AAAAAAAA\n")
	f.Add(v.Log.Checkpoint5 + "\u2014 " + v.Log.Origin + " cMUn+AAA\n")
	f.Add(v.Log.Checkpoint5[:len(v.Log.Checkpoint5)-1])
	verifier, err := note.NewVerifier(v.Log.VKey)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ours, err := ledgerlog.OpenCheckpoint([]byte(text), key, record.Ed25519)
		theirs, theirErr := note.Open([]byte(text), note.VerifierList(verifier))
		var unverified *note.UnverifiedNoteError
		switch {
		case err == nil && theirErr != nil:
			t.Fatalf("%q: accepted as %+v, x/mod says %v", text, ours, theirErr)
		case err == nil && theirs.Text != string(ours.Append(nil)):
			t.Fatalf("%q: %+v, x/mod reads %q", text, ours, theirs.Text)
		case theirErr == nil && (err == outcome.CheckpointUnsigned || err == outcome.CheckpointSignature):
			t.Fatalf("%q: %v, x/mod accepts %q", text, err, theirs.Text)
		case err == outcome.CheckpointUnsigned && !errors.As(theirErr, &unverified) && theirErr.Error() != "malformed note":
			t.Fatalf("%q: %v, x/mod says %v", text, err, theirErr)
		}
	})
}
