# What runs the server on a machine: units, image, dashboard and alerts.
# Included by the Makefile.

.PHONY: test-deploy

test-deploy: build postgres $(VERSITYGW_HOME)/versitygw ## start the image and the compose file under podman; check units; watch a server by Prometheus
	@tools/install.sh podman:podman /usr/lib/podman/netavark:netavark /usr/lib/podman/aardvark-dns:aardvark-dns iptables:iptables \
		docker-compose:docker-compose curl:curl prometheus:prometheus promtool:prometheus
	COLOPHON_DEPLOY=1 COLOPHON_VERSITYGW=$(VERSITYGW_HOME)/versitygw go test ./deploy -count=1 -timeout 30m
