package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

func initCommand(e *env) *cobra.Command {
	s := settings{Out: "dist"}
	cmd := &cobra.Command{
		Use:     "init",
		Short:   "Create an empty registry with its settings and a signing key",
		Example: "  colophon init --dir registry --base-url https://registry.example --contact desk@registry.example",
		Args:    exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			base, err := checkBaseURL(s.BaseURL)
			if err != nil {
				return err
			}
			s.BaseURL = base
			if e.dryRun {
				return e.printResult(map[string]string{"dir": e.dir}, func(w io.Writer) {
					fmt.Fprintf(w, "would write %s, %s and %s in %q\n", settingsFile, originFile, keysFolder, e.dir)
				})
			}
			return e.initRegistry(cmd, s)
		},
	}
	cmd.Flags().StringVar(&s.BaseURL, "base-url", "http://127.0.0.1:8787", "public address of the service")
	cmd.Flags().StringVar(&s.Name, "name", "Colophon", "name of the service")
	cmd.Flags().StringVar(&s.Contact, "contact", "", "address of the operator, for the importer's User-Agent")
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "only tell what would be written")
	return cmd
}

// createOrigin makes the origin, or migrates the database that holds it, which
// is noted in the settings unless its address holds a password.
func (e *env) createOrigin(ctx context.Context, s *settings) error {
	if e.isRemote() {
		_, done, err := e.openStore(ctx)
		if err != nil {
			return err
		}
		done()
		s.Origin = e.origin
		if e.d1 != "" {
			s.Origin = d1Prefix + e.d1
		}
		if hasPassword(s.Origin) {
			s.Origin = ""
			e.printNote("the address holds a password and is not written down: set $COLOPHON_ORIGIN for the commands to come")
		}
		return nil
	}
	_, done, err := e.openDatabase(ctx, e.registryPath(originFile))
	if err != nil {
		return err
	}
	done()
	return nil
}

func (e *env) initRegistry(cmd *cobra.Command, s settings) error {
	if err := os.MkdirAll(e.dir, privateFolder); err != nil {
		return fmt.Errorf("cannot make the folder: %w", err)
	}
	if _, err := os.Stat(e.registryPath(settingsFile)); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q is initialized already", e.dir)
	}
	if err := e.createOrigin(cmd.Context(), &s); err != nil {
		return err
	}
	key, err := e.firstKeys()
	if err != nil {
		return err
	}
	if err := e.writeSettings(s); err != nil {
		return err
	}
	e.printNext("colophon publisher add SITE_ID --dir %s --name NAME --site-url URL", e.dir)
	return e.printResult(map[string]string{"dir": e.dir, "key_id": key}, func(w io.Writer) {
		fmt.Fprintf(w, "initialized %s with signing key %s\n", e.dir, key)
	})
}
