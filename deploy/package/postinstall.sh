#!/bin/sh
# Runs after the package is installed or upgraded. It starts nothing, because
# there is no registry before "colophon init".
set -e
if ! getent passwd colophon >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/colophon --shell /usr/sbin/nologin colophon
fi
[ -d /var/lib/colophon ] || install -d -o colophon -g colophon -m 0700 /var/lib/colophon
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart colophon.service # after an upgrade
fi
