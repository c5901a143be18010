// Package cli holds what all commands of the command line share: the environment that is
// handed down to them, how they print results, and flags that several have.
package cli

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/user"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"colophon/internal/cli/noun"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/record"
	"colophon/internal/registrydir"
)

// Env is what every command works with.
type Env struct {
	registrydir.Dir // the registry that it is about

	JSON  bool // one JSON object on stdout, for machines
	Quiet bool
	Sign  bool     // a server signs receipts
	Next  []string // next steps, printed after the result

	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// PrintResult writes a result: data as JSON with --json, else the lines that words
// writes.
func (e *Env) PrintResult(data any, words func(w io.Writer)) error {
	if e.JSON {
		result := map[string]any{"data": data}
		if e.DryRun {
			result["dry_run"] = true
		}
		return e.EncodeJSON(e.Stdout, result)
	}
	words(e.Stdout)
	return nil
}

// EncodeJSON writes a value as one line of JSON.
func (e *Env) EncodeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// PrintNotes writes each of several lines as PrintNote does.
func (e *Env) PrintNotes(notes []string) {
	for _, n := range notes {
		e.PrintNote("%s", n)
	}
}

// PrintNext adds the next step, which is printed after the result. A dry run
// has no next step, because it did nothing.
func (e *Env) PrintNext(format string, args ...any) {
	if !e.DryRun {
		e.Next = append(e.Next, "next: "+fmt.Sprintf(format, args...))
	}
}

// PrintNote prints a line about progress, for people.
func (e *Env) PrintNote(format string, args ...any) {
	if !e.Quiet && !e.JSON {
		fmt.Fprintf(e.Stderr, format+"\n", args...)
	}
}

// PrintWarning writes a line about trouble, also with --quiet.
func (e *Env) PrintWarning(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "warning: "+format+"\n", args...)
}

// onTerminal reports whether progress can be drawn in place.
func (e *Env) onTerminal() bool {
	f, ok := e.Stderr.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && e.Getenv("TERM") != "dumb" && e.Getenv("CI") == ""
}

// IndentJSON returns JSON indented for people.
func IndentJSON(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

// PrintTable prints rows: as JSON with --json, else as the table says.
func (e *Env) PrintTable(t *noun.Table, rows []map[string]any) error {
	return e.PrintResult(rows, func(w io.Writer) { t.Print(w, rows...) })
}

// PrintOne writes one row.
func (e *Env) PrintOne(t *noun.Table, row map[string]any) error {
	return e.PrintResult(row, func(w io.Writer) { t.Print(w, row) })
}

// OnStore runs a command with the origin open.
func (e *Env) OnStore(run func(*cobra.Command, *originsql.Store, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return e.WithStore(cmd.Context(), func(store *originsql.Store) error { return run(cmd, store, args) })
	}
}

// NewAct returns an act of the person who runs the program.
func (e *Env) NewAct(action string) (*origin.Act, error) {
	id, err := NewInquiryService(nil).NewID("act_")
	if err != nil {
		return nil, err
	}
	return &origin.Act{ActID: id, Actor: e.operatorName(), Role: "operator", Action: action}, nil
}

// operatorName returns the name of the person who runs the program:
// $COLOPHON_OPERATOR, or the user of the operating system, before sudo.
func (e *Env) operatorName() string {
	for _, variable := range []string{"COLOPHON_OPERATOR", "SUDO_USER"} {
		if name := e.Getenv(variable); name != "" {
			return name
		}
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// ReceiptSigner returns the signer of a server's answers, nil if it may not
// sign.
func (e *Env) ReceiptSigner() (record.Signer, error) {
	if !e.Sign {
		return nil, nil
	}
	keys, err := e.ReadKeys(registrydir.KeysFolder)
	if err != nil {
		return nil, err
	}
	k, err := e.ActiveKey(keys)
	if err != nil {
		return nil, err
	}
	return k.Signer()
}

// BoundMemory tells the garbage collector to keep a command below bytes if it
// can, unless $GOMEMLIMIT is set. Otherwise a command may use twice the memory
// that it holds.
func (e *Env) BoundMemory(bytes int64) {
	if e.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}

// NewInquiryService returns the service through which the operator acts on
// inquiries.
func NewInquiryService(store *originsql.Store) inquiry.Service {
	return inquiry.Service{Store: store, Now: time.Now, Rand: rand.Reader}
}
