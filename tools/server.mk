# The native server under load. Included by the Makefile.

.PHONY: soak soak-native soak-workerd test-acme

soak: soak-native soak-workerd ## hold the server to its bounds under load, natively and under workerd

soak-native: build bench-programs
	build/bench/serversoak

soak-workerd: build edge bench-programs
	tools/edge/with-tools.sh build/bench/serversoak --workerd

test-acme: build ## get certificates from Pebble, a real ACME server, by both challenges
	cd tools/acme && go test -count=1 .
