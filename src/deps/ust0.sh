#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Fetch the genuine lttng-ust 2.12 (Debian 11 "bullseye"), libraries and headers: what the bridge (src/ust0) is compared with.
#
# Microsoft's .NET asks for liblttng-ust.so.0; every current distribution has only .so.1. With the folder this script fills on the
# LD_LIBRARY_PATH of the *target* (at its start), all its events reach a session daemon of lttng 2.13, as they do with the bridge.
#
# Where they come from: this machine's own Debian package sources with the release name replaced by "bullseye", read
# in an apt state of our own. Nothing is installed, nothing of the machine's apt state is touched, root is not needed.
#
# usage: ust0.sh [DEPS_DIR]     default: $DEPS_DIR, else build/deps below the repository
# stdout: the folder for LD_LIBRARY_PATH (DEPS_DIR/ust0/lib; beside it include), and nothing else. stderr: what is done, what failed.
# exit: 0 the libraries are there, 1 something failed (said on stderr), 3 this machine cannot deliver them
#
# UST0_MIRROR=URI  an archive that still has bullseye, for machines whose own mirror has dropped it
set -eu

release=bullseye
packages="liblttng-ust0 liblttng-ust-ctl4 liburcu6 liblttng-ust-dev liburcu-dev"
wanted="liblttng-ust.so.0 liblttng-ust-tracepoint.so.0 liburcu-bp.so.6"
apt_timeout_s=150

repo=$(cd "$(dirname "$0")/../.." && pwd)
deps=${1:-${DEPS_DIR:-$repo/build/deps}}
mkdir -p "$deps"
deps=$(cd "$deps" && pwd)
home=$deps/ust0

say() { echo "ust0: $*" >&2; }
fail() { say "$1"; exit "${2:-1}"; }

is_complete() {
	for file in $wanted; do
		[ -e "$home/lib/$file" ] || return 1
	done
	[ -e "$home/include/lttng/ust-events.h" ]
}

if is_complete; then
	echo "$home/lib"
	exit 0
fi

for tool in apt-get dpkg dpkg-deb flock; do
	command -v $tool >/dev/null 2>&1 || fail "no $tool here: the genuine libraries come as Debian packages" 3
done

# One fetch at a time; who waited finds the work done.
exec 9>"$deps/ust0.lock"
flock -w $((2 * apt_timeout_s)) 9 || fail "another fetch holds $deps/ust0.lock for too long"
if is_complete; then
	echo "$home/lib"
	exit 0
fi

work=$(mktemp -d "$deps/ust0.work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
export TMPDIR="$work"
mkdir -p "$work/sources" "$work/lists/partial" "$work/archives/partial" "$work/debs" "$work/root"
: >"$work/status" # what is installed here is newer and would be preferred

# The machine's sources, only those that name its own release; third-party ones have no bullseye.
write_sources() {
	if [ -n "${UST0_MIRROR:-}" ]; then
		echo "deb $UST0_MIRROR $release main" >"$work/sources/ust0.list"
		return
	fi
	. /etc/os-release
	[ "${ID:-}" = debian ] || fail "this is ${ID:-unknown}, not Debian: set UST0_MIRROR to a Debian archive that has $release" 3
	codename=${VERSION_CODENAME:-}
	[ -n "$codename" ] || fail "/etc/os-release names no release: set UST0_MIRROR" 3
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
		[ -f "$file" ] && grep -q "$codename" "$file" || continue
		case $file in
		*.list) grep "$codename" "$file" ;;
		*) cat "$file" ;;
		esac | sed "s/$codename/$release/g" >"$work/sources/$(basename "$file")"
	done
	[ -n "$(ls "$work/sources")" ] || fail "no package source of this machine names $codename: set UST0_MIRROR" 3
}

# The private state. Hooks of the machine (cache cleaners, desktop notifiers) have no business with it.
write_conf() {
	cat >"$work/apt.conf" <<-CONF
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear DPkg::Post-Invoke;
		#clear Acquire::IndexTargets::deb::DEP-11;
		#clear Acquire::IndexTargets::deb::Contents-deb;
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$work/sources";
		Dir::State::lists "$work/lists";
		Dir::State::status "$work/status";
		Dir::Cache "$work";
		Dir::Cache::archives "$work/archives";
		APT::Sandbox::User "$(id -un)";
		APT::Get::List-Cleanup "false";
		Acquire::Languages "none";
		Acquire::Retries "2";
		Acquire::http::Timeout "20";
		Acquire::https::Timeout "20";
		Acquire::Check-Valid-Until "false";
	CONF
}

# `apt-get update` fails when one suite of several is missing (bullseye-updates is the first to go); what counts is
# whether the packages can be had afterwards.
fetch() {
	say "reading the package lists of $release into a private apt state"
	timeout $apt_timeout_s apt-get -c "$work/apt.conf" -qq update >"$work/update.log" 2>&1 ||
		say "apt-get update complained, going on: $(grep -m1 '^[EW]:' "$work/update.log" || echo 'timed out')"
	say "downloading $packages"
	(cd "$work/debs" && timeout $apt_timeout_s apt-get -c "$work/apt.conf" -qq download $packages) >"$work/download.log" 2>&1 || {
		cat "$work/update.log" "$work/download.log" >&2
		fail "apt-get download failed (above): the mirror of this machine may have dropped $release; set UST0_MIRROR"
	}
}

unpack() {
	for deb in "$work"/debs/*.deb; do
		dpkg -x "$deb" "$work/root"
	done
	mkdir "$work/lib" "$work/include"
	find "$work/root/usr/lib" "$work/root/lib" -name 'lib*.so.*' -exec cp -a {} "$work/lib/" \; 2>/dev/null || true
	cp -a "$work/root/usr/include"/*-linux-gnu/. "$work/include/"
	rm -rf "$work/root/usr/include"/*-linux-gnu
	cp -a "$work/root/usr/include/." "$work/include/"
	ls "$work/debs" >"$work/lib/PACKAGES"
}

# Every library must load with this folder and the machine's own libc, or the target would run untraced in silence.
verify() {
	for file in $wanted; do
		[ -e "$work/lib/$file" ] || fail "$file is not in the packages"
		missing=$(LD_LIBRARY_PATH=$work/lib ldd "$work/lib/$file" | awk '/not found/ { print $1 }')
		[ -z "$missing" ] || fail "$file needs $missing, which this machine lacks"
	done
}

write_sources
write_conf
fetch
unpack
verify
rm -rf "$home"
mkdir "$home"
mv "$work/lib" "$work/include" "$home/"
say "ready: $(tr '\n' ' ' <"$home/lib/PACKAGES")"
echo "$home/lib"
