#!/usr/bin/env bash
# release.sh VERSION FOLDER: makes the artefacts of a release from the last
# commit and puts them into FOLDER. It works in a clone, where it tags the
# commit VERSION if it has no tag, because the Go toolchain reads the version
# from there. To publish, tag the repository itself. ONLY=linux/amd64 builds
# only that target.
#
# It needs goreleaser and cyclonedx-gomod on the PATH: call it with "make
# release".
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$1
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || { echo "release: VERSION is v1.2.3 or v1.2.3-rc.1, not \"$version\"" >&2; exit 2; }
mkdir -p "$2" && out=$(cd "$2" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/colophon"
if cmp -s package-lock.json node_modules/.colophon-lock && cmp -s package-lock.json "$work/colophon/package-lock.json"; then
	cp -a node_modules "$work/colophon/" # they are what the lock file pins
fi
cd "$work/colophon"
git rev-parse --quiet --verify "refs/tags/$version" >/dev/null || git tag "$version"
unset PREPARED MAKEFLAGS MAKELEVEL # set by a calling "make"; nothing is prepared in the clone
export GORELEASER_CURRENT_TAG=$version SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)

config=.goreleaser.yaml
if [ -n "${ONLY:-}" ]; then
	config=$work/one.yaml
	sed -e "s/^    goos: .*/    goos: [${ONLY%/*}]/" -e "s/^    goarch: .*/    goarch: [${ONLY#*/}]/" .goreleaser.yaml > "$config"
fi
goreleaser release --config "$config" --parallelism "${JOBS:-2}" --timeout 180m

rm -f "$out"/*.tar.gz "$out"/*.zip "$out"/*.deb "$out"/*.rpm "$out"/*.cdx.json "$out"/checksums.txt
find build/release -maxdepth 1 -type f \( -name '*.tar.gz' -o -name '*.zip' -o -name '*.deb' -o -name '*.rpm' -o -name '*.cdx.json' -o -name checksums.txt \) -exec cp -p {} "$out/" \;
ls -l "$out"
