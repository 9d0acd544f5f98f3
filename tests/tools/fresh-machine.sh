#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: fresh-machine.sh GOAL [--dotnet]        GOAL: demo, check, ... as root, from the top of a checkout
#
# What a new user gets: a Debian 12 on which nothing of ours was ever installed (debootstrap under build/fresh, thrown away at the end), a clean clone
# of HEAD, `make GOAL`. With --dotnet the machine's own .NET SDK is put into it, read-only. Prints the seconds until the first frame and until the
# end.
#
# It needs the package debootstrap. It runs in a mount and a pid namespace of its own: what it starts ends with it, and mounts vanish.
set -euo pipefail

readonly goal=$1 with_dotnet=${2:-}
readonly repo=$PWD
readonly packages=git,make,ca-certificates

if [ "${NT_FRESH:-}" != inside ]; then
	[ "$(id -u)" -eq 0 ] || { echo "fresh-machine: root is needed for debootstrap and mounts" >&2; exit 3; }
	type -P debootstrap >/dev/null || { echo "fresh-machine: no debootstrap (package debootstrap)" >&2; exit 3; }
	NT_FRESH=inside exec unshare --mount --pid --fork --kill-child --propagation private -- "$0" "$@"
fi

root=$(mktemp -d "${TMPDIR:-/tmp}/nt-fresh.XXXXXX")
# The mounts are this namespace's own and end with it; only files are left to remove.
trap 'umount -R "$root" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
mount -t tmpfs -o size=8G,mode=755 tmpfs "$root"

# grep's status also says that one of the files does not exist.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
	grep -v '^#' | grep -oE '(https?|file)://[^ ]+/debian/?$' | head -n 1) || true
echo "fresh-machine: making a Debian 12"
debootstrap --variant=minbase --include="$packages" bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 20 "$root.log"; exit 1; }
rm -f "$root.log"
rm -f "$root/etc/apt/sources.list"
cp -a /etc/apt/. "$root/etc/apt/"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
if [ "$with_dotnet" = --dotnet ]; then
	sdk=$(dirname "$(readlink -f "$(type -P dotnet)")")
	mkdir -p "$root/usr/share/dotnet"
	mount --bind "$sdk" "$root/usr/share/dotnet"
	mount -o remount,bind,ro "$root/usr/share/dotnet"
	ln -s /usr/share/dotnet/dotnet "$root/usr/bin/dotnet"
fi
git clone -q "$repo" "$root/root/nettop"

echo "fresh-machine: make $goal"
started=$(date +%s%N) first='' last=''
while IFS= read -r line; do
	last=$line
	elapsed=$((($(date +%s%N) - started) / 1000000))
	if [ -z "$first" ] && [[ $line == *"  interval "* ]]; then
		first=$elapsed
	fi
	printf '%4d.%03d  %s\n' $((elapsed / 1000)) $((elapsed % 1000)) "$line"
done < <(env -i PATH="$path" HOME=/root TERM=xterm-256color LANG=C.UTF-8 DOTNET_CLI_TELEMETRY_OPTOUT=1 \
	DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 chroot "$root" sh -c 'cd /root/nettop && make "$1" 2>&1; echo "fresh-machine: exit $?"' sh "$goal" </dev/null)
[ -n "$first" ] && printf 'fresh-machine: first frame after %d.%03d s\n' $((first / 1000)) $((first % 1000))
[[ $last == "fresh-machine: exit 0" ]]
