// Package manifest holds the machine manifests of the service as records, so
// that one description gives their bytes and their JSON Schema.
package manifest
