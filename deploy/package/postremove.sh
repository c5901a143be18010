#!/bin/sh
# Runs after the package is removed. The registry in /var/lib/colophon, with its
# signing keys, and the user that owns it always stay.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
