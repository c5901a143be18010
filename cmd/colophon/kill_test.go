package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"colophon/internal/backup"
)

// killRounds returns how often a program is killed, at times spread over its
// run. COLOPHON_ROUNDS asks for more ("make test-backup").
func killRounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("COLOPHON_ROUNDS")
	if text == "" {
		return 4
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("COLOPHON_ROUNDS is %q", text)
	}
	return n
}

// start starts the program in a separate process.
func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "COLOPHON_TEST_ARGS="+strings.Join(args, " "))
	must(t, cmd.Start())
	return cmd
}

// killAt runs the program and kills it after a while, unless it has ended.
func killAt(t *testing.T, after time.Duration, args ...string) {
	t.Helper()
	cmd := start(t, args...)
	time.Sleep(after)
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
}

// TestKilledBackupAndRestore kills both at times spread over their runs. A
// backup must be complete or absent, and so must a restored registry.
func TestKilledBackupAndRestore(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	id, err := age.GenerateX25519Identity()
	must(t, err)
	root := t.TempDir()
	key := filepath.Join(root, "key.txt")
	must(t, os.WriteFile(key, []byte(id.String()+"\n"), 0o600))
	recipient := id.Recipient().String()

	whole := filepath.Join(root, "whole")
	began := time.Now()
	must(t, start(t, "backup", "--dir", o.dir, "--to", whole, "--recipient", recipient).Wait())
	length := time.Since(began)
	rounds := killRounds(t)
	backups, restores := 0, 0
	for i := range rounds {
		after := length * time.Duration(i+1) / time.Duration(rounds)
		repository := filepath.Join(root, "backups-"+strconv.Itoa(i))
		killAt(t, after, "backup", "--dir", o.dir, "--to", repository, "--recipient", recipient)
		repo, err := backup.OpenRepository(repository, backup.S3Options{})
		must(t, err)
		ids, err := repo.List(context.Background())
		must(t, err)
		backups += len(ids)
		if len(ids) > 0 {
			check := operator{t, filepath.Join(root, "check-"+strconv.Itoa(i))}
			check.ok("restore", "--from", repository, "--identity", key, "--offline", "--dry-run")
		}

		target := operator{t, filepath.Join(root, "restored-"+strconv.Itoa(i))}
		killAt(t, after, "restore", "--from", whole, "--dir", target.dir, "--identity", key, "--offline")
		if _, err := os.Stat(target.dir); err == nil {
			restores++
			target.ok("build")
			compareTrees(t, filepath.Join(o.dir, "dist"), filepath.Join(target.dir, "dist"))
			continue
		}
		target.ok("restore", "--from", whole, "--identity", key, "--offline")
	}
	t.Logf("of %d rounds each, %d backups and %d restores were done before the kill", rounds, backups, restores)
	o.ok("backup", "--to", whole, "--recipient", recipient) // killed backups are in nobody's way
}
