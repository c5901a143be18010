// Package deploy holds what runs the server on a machine: units for systemd, a
// Containerfile and a compose file. It has no code; its tests hold the files
// against the program.
package deploy
