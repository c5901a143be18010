// Package deploy holds what runs the server on a machine and watches it: units
// for systemd, a Containerfile, a compose file, alerts and a dashboard. It has
// no code; its tests check these files against the program.
package deploy
