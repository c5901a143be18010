#!/bin/sh
# install.sh PROGRAM:PACKAGE…: installs the packages of the programs that this
# system lacks, if it has the right to. Services that come with them are not
# started.
set -eu
missing=
for pair in "$@"; do
	command -v "${pair%%:*}" >/dev/null || [ -e "${pair%%:*}" ] || missing="$missing ${pair##*:}"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
	echo "these tests need:$missing (as root they are installed)" >&2
	exit 1
fi
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	trap 'rm -f "$policy"' EXIT
	printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy"
fi
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
