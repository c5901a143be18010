# The native server under load. Included by the Makefile.

.PHONY: soak soak-native soak-workerd test-server test-acme

soak: soak-native soak-workerd ## hold the server to its bounds under load, natively and under workerd

soak-native: build bench-programs
	build/bench/serversoak

soak-workerd: build edge bench-programs
	tools/edge/with-tools.sh build/bench/serversoak --workerd

test-server: ## bounds, proxies, logs and certificates of the native server
	go test -count=1 ./internal/server ./worker/edgehttp

test-acme: build ## get certificates from Pebble, a real ACME server, by both challenges
	cd tools/acme && go test -count=1 .
