# What runs the server on a machine: units, image, dashboard and alerts. Included
# by the Makefile.

.PHONY: test-deploy

test-deploy: build ## build the image's program in a clean folder and run it as the image would; check units and compose file; watch it by Prometheus
	@tools/install.sh prometheus:prometheus promtool:prometheus
	COLOPHON_DEPLOY=1 go test ./deploy -count=1
