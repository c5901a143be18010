#!/bin/sh
# Installs what the page tests run and the system lacks, if it may.
set -eu
missing=
for pair in chromium:chromium java:default-jre-headless xmllint:libxml2-utils jq:jq xxd:xxd openssl:openssl curl:curl; do
	command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair##*:}"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
	echo "the page tests need:$missing (as root they are installed)" >&2
	exit 1
fi
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
