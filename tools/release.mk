# Releases: archives, packages and the worker's bundle. Included by the
# Makefile.

GORELEASER_VERSION = v2.16.0
CYCLONEDX_VERSION = v1.10.0
ACTIONLINT_VERSION = v1.7.12
RELEASE_TOOLS = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/colophon
GORELEASER = $(RELEASE_TOOLS)/goreleaser-$(GORELEASER_VERSION)/goreleaser
CYCLONEDX = $(RELEASE_TOOLS)/cyclonedx-gomod-$(CYCLONEDX_VERSION)/cyclonedx-gomod
ACTIONLINT = $(RELEASE_TOOLS)/actionlint-$(ACTIONLINT_VERSION)/actionlint

.PHONY: release test-release

$(GORELEASER):
	GOBIN=$(@D) go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)

$(CYCLONEDX):
	GOBIN=$(@D) go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)

$(ACTIONLINT):
	GOBIN=$(@D) go install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)

release test-release: export PATH := $(dir $(GORELEASER)):$(dir $(CYCLONEDX)):$(dir $(ACTIONLINT)):$(PATH)

release: $(GORELEASER) $(CYCLONEDX) ## make the artefacts of a release from the last commit: make release VERSION=v0.9.0
	tools/release/release.sh "$(VERSION)" build/release

test-release: $(GORELEASER) $(CYCLONEDX) $(ACTIONLINT) ## make a release, again for one target, and install each artefact into an empty place
	@tools/install.sh rpm:rpm
	COLOPHON_RELEASE=1 tools/edge/with-tools.sh go test ./deploy -count=1 -timeout 180m -run 'TestRelease|TestWorkflows'
