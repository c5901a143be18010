#!/bin/sh
# Runs after the package was removed. The registry in /var/lib/colophon, with its
# signing keys, and the user that owns it stay in any case.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
