package screen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/natefinch/atomic"

	provrecord "colophon/internal/record"
)

// Outputs are the files that a screening leaves beside its results.
type Outputs struct {
	Summaries []string // in the forms that their endings name: .html, .csv or .json, which is signed
	Small     bool     // whether the summaries are those of a small provider
	Results   string   // which rows were written, see Report.Summarize
	Report    string   // ending in .html or .json; "" for none
	Receipt   string   // "" for none

	Signer func() (provrecord.Signer, error) // called for each document that is signed
	Digest func() (string, error)            // of the input, called for each document that is signed
}

// Write writes the files. It removes the counts of content from the report
// after the summaries, since they may name millions of domains.
func (o *Outputs) Write(r *Report) error {
	if len(o.Summaries) > 0 {
		s := r.Summarize(o.Small, o.Results)
		for _, name := range o.Summaries {
			if err := o.writeSummary(s, name); err != nil {
				return err
			}
		}
	}
	r.Content = nil
	if o.Report != "" {
		spell := func() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }
		if filepath.Ext(o.Report) == ".html" {
			spell = r.HTML
		}
		if err := writeSpelled(o.Report, spell); err != nil {
			return err
		}
	}
	if o.Receipt == "" {
		return nil
	}
	return o.writeSigned(o.Receipt, r.Receipt)
}

func (o *Outputs) writeSummary(s *Summary, name string) error {
	switch filepath.Ext(name) {
	case ".json":
		return o.writeSigned(name, s.Sign)
	case ".csv":
		return writeSpelled(name, s.CSV)
	}
	return writeSpelled(name, s.HTML)
}

// writeSigned writes a document about the input that is signed.
func (o *Outputs) writeSigned(name string, sign func(provrecord.Signer, string) ([]byte, error)) error {
	signer, err := o.Signer()
	if err != nil {
		return fmt.Errorf("cannot sign %q: %w; \"colophon key generate\" makes a key in --dir", name, err)
	}
	digest, err := o.Digest()
	if err != nil {
		return err
	}
	return writeSpelled(name, func() ([]byte, error) { return sign(signer, digest) })
}

func writeSpelled(name string, spell func() ([]byte, error)) error {
	text, err := spell()
	if err != nil {
		return err
	}
	return atomic.WriteFile(name, bytes.NewReader(text))
}
