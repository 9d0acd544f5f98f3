#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: install.sh [GROUP...]     groups as in packages.txt, all of them by default
#
# Installs the Debian packages of these groups that this machine lacks. Silent when there is nothing to do.
# Exit 0: all are there now. 1: the installation failed. 3: something is missing and this is not root (one line says what).
set -euo pipefail

# Longest time for fetching all of it (the whole set is about 200 MB), and for unpacking it.
readonly fetch_timeout_s=600
readonly unpack_timeout_s=600
readonly here=${BASH_SOURCE[0]%/*}

# Sets missing to the names of the missing packages. check.sh reports libperf, which is no package, as "-".
find_missing() {
	local report status=0
	report=$("$here/check.sh" "$@") || status=$?
	[ "$status" -le 1 ] || exit 1
	missing=$(awk '$1 != "-" { print $1 }' <<<"$report" | sort -u | paste -s -d ' ')
}

# apt_get TIMEOUT_S ARGUMENT...: one progress line per package fetched or set up, and apt's own errors.
apt_get() {
	local timeout_s=$1
	shift
	DEBIAN_FRONTEND=noninteractive timeout "$timeout_s" apt-get -q -y -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 -o Acquire::Retries=2 "$@" </dev/null |
		sed -u -n -e 's/^Get:[0-9]* [^ ]* [^ ]* [^ ]* \([^ ]*\) [^ ]* \([^ ]*\) \[\(.*\)\]$/  GET      \1 \2 (\3)/p' \
			-e 's/^Setting up \([^ ]*\) (\(.*\)) \.\.\.$/  SETUP    \1 \2/p'
}

fetch() {
	apt_get "$fetch_timeout_s" --download-only --no-install-recommends install "$@"
}

# Fetches first: a download cut off by its time limit leaves nothing half installed.
install_packages() {
	if ! fetch "$@" 2>/dev/null; then
		printf '  UPDATE   package lists (the ones of this machine are absent or outdated)\n'
		apt_get "$fetch_timeout_s" update && fetch "$@" || return 1
	fi
	apt_get "$unpack_timeout_s" --no-install-recommends --no-download install "$@"
}

main() {
	local missing
	find_missing "$@"
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		printf 'install.sh: missing Debian packages, which only root can install: %s (as root: apt-get install %s)\n' "$missing" "$missing" >&2
		exit 3
	fi
	if [ -z "$(type -P apt-get)" ]; then
		printf 'install.sh: no apt-get here; install what these Debian packages hold: %s\n' "$missing" >&2
		exit 1
	fi
	printf '  INSTALL  Debian packages: %s\n' "$missing"
	# shellcheck disable=SC2086 # a list of names
	if ! install_packages $missing; then
		printf 'install.sh: cannot install %s; apt-get says why above (network, package sources in /etc/apt)\n' "$missing" >&2
		exit 1
	fi

	find_missing "$@"
	[ -z "$missing" ] || {
		printf 'install.sh: installed, but still not usable (src/deps/check.sh tells more): %s\n' "$missing" >&2
		exit 1
	}
}

main "$@"
