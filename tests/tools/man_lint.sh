#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: man_lint.sh PAGE      a manual page must render without a warning
set -euo pipefail

readonly page=$1

render() {
	if command -v mandoc >/dev/null; then
		mandoc -Tlint -W warning "$page"
	elif command -v groff >/dev/null; then
		groff -man -Tutf8 -ww -z "$page"
	else
		echo "man_lint.sh: neither mandoc nor groff here: not looked at" >&2
	fi
}

if ! output=$(render 2>&1) || [ -n "$output" ]; then
	printf '%s\n' "$output"
	exit 1
fi
