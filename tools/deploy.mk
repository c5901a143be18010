# What runs the server on a machine: units, image, dashboard and alerts. Included
# by the Makefile.

.PHONY: test-deploy

test-deploy: build ## build the image with buildah and start it; check units and compose file; watch a server by Prometheus
	@tools/install.sh buildah:buildah prometheus:prometheus promtool:prometheus
	COLOPHON_DEPLOY=1 go test ./deploy -count=1 -timeout 30m
