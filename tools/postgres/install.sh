#!/bin/sh
# Installs the distribution's Postgres if there is none. Only tests use its
# programs; they make their own cluster in a temporary folder.
set -eu

stop() {
  echo "make postgres: $1; install the package \"postgresql\" by hand" >&2
  exit 1
}

found() { command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }

found && exit 0
command -v apt-get >/dev/null || stop "Postgres is not installed, and there is no apt-get"
[ "$(id -u)" = 0 ] || stop "Postgres is not installed, and only root can run apt-get"

# Without this, the package would create a cluster and start it.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf

{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql; } >&2 ||
  stop "apt-get could not install it"
found || stop "it was installed, but its programs are not found"
