#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds libperf, which Debian does not package, from the kernel's source package. Nothing is installed on the system and no root is needed.
#
# Result:  $DEPS_DIR/libperf/lib/libperf.a     libperf with libperf.patch (which says what it mends), and the one file of libapi that it uses
#          $DEPS_DIR/libperf/include/perf/*.h  the public headers
#          $DEPS_DIR/libperf/version           the package and version it was built from
#          $DEPS_DIR/libperf/libperf.patch     the patch that is in it
# Does nothing when it is there with this very patch or when pkg-config knows a libperf (Fedora has one). Built in a temporary folder next to the result and renamed: a reader sees all or nothing.
#
# Environment: DEPS_DIR (default build/deps), CC (default gcc), AR (default ar).
set -euo pipefail

# Longest time for one step that goes over the network: 139 MB take 14 s at 10 MB/s, 10 min at 0.25 MB/s.
readonly network_timeout_s=600
readonly deps_dir=${DEPS_DIR:-build/deps}
readonly result=$deps_dir/libperf
patch_file=$(realpath "${BASH_SOURCE[0]%/*}/libperf.patch")
readonly patch_file
read -ra cc <<<"${CC:-gcc}" # may hold more than one word: ccache gcc
read -ra ar <<<"${AR:-ar}"

say() {
	printf '  %-8s %s\n' "$1" "$2"
}

fail() {
	printf 'libperf.sh: %s\n' "$1" >&2
	exit 1
}

# The folder under tools/arch with this machine's headers: the kernel's name of the architecture, not uname's.
kernel_arch() {
	case $(uname -m) in
	x86_64 | i?86) echo x86 ;;
	aarch64) echo arm64 ;;
	arm*) echo arm ;;
	ppc64*) echo powerpc ;;
	riscv*) echo riscv ;;
	s390*) echo s390 ;;
	*) uname -m ;;
	esac
}

# apt-get and apt-cache, once apt_private is filled, work on package lists of our own, so that stale or absent lists need no root.
# The sandbox user could not write into our folder; what is fetched is signed either way.
apt_private=()
# apt shows its own progress on a terminal.
quiet=(-q=2)
[ ! -t 1 ] || quiet=()
apt() {
	timeout --foreground "$network_timeout_s" "$@" "${quiet[@]}" -o APT::Sandbox::User=root -o Acquire::Retries=2 "${apt_private[@]}"
}

# The package with the source of the kernel that this Debian ships: what the metapackage linux-source depends on.
source_package() {
	apt apt-cache depends linux-source 2>/dev/null | sed -n 's/^ *Depends: \(linux-source-[0-9][^ ]*\)$/\1/p' | head -n 1
}

# Downloads the source package into the current folder. Fails when the lists know no such package or a version that is gone by now.
download() {
	local package
	package=$(source_package)
	[ -n "$package" ] || return 1
	say GET "$package (the kernel's source, about 140 MB; only tools/lib/perf is used)"
	apt apt-get download "$package"
}

refresh_lists() {
	say GET 'package lists (the ones of this machine know no kernel source, or an outdated one)'
	mkdir -p lists/partial archives/partial
	apt_private=(-o "Dir::State::lists=$PWD/lists" -o "Dir::Cache=$PWD/archives")
	apt apt-get update
}

# Writes the kernel tree's tar.xz to standard output.
read_source() {
	if [ -n "${installed_tar:-}" ]; then
		cat "$installed_tar"
	else
		dpkg-deb --fsys-tarfile ./*.deb | tar x --to-stdout --wildcards './usr/src/linux-source-*.tar.xz'
	fi
}

# Sets version, and installed_tar or a .deb in the current folder.
find_source() {
	local tarballs=(/usr/src/linux-source-*.tar.xz)
	if [ -f "${tarballs[-1]}" ]; then
		installed_tar=${tarballs[-1]}
		version=$(basename "$installed_tar" .tar.xz)
		version+=" $(dpkg-query -W -f='${Version}' "$version" 2>/dev/null || echo unknown)"
		say USE "$installed_tar"
		return
	fi
	[ -n "$(type -P apt-get)" ] ||
		fail 'no libperf: it is built from the Debian package linux-source, and apt-get is not here; build it from a kernel tree (tools/lib/perf) and set DEPS_DIR'
	download || { refresh_lists && download; } ||
		fail 'no libperf: cannot download the Debian package linux-source; check the network and the package sources (/etc/apt), or install linux-source'
	# shellcheck disable=SC2016 # dpkg-deb's own fields
	version=$(dpkg-deb -W --showformat='${Package} ${Version}' ./*.deb)
}

unpack() {
	say UNPACK "tools/lib/perf and its headers (about 10 s)"
	mkdir tree
	read_source | tar xJ -C tree --strip-components=1 --wildcards --no-wildcards-match-slash \
		'linux-source-*/tools/lib/perf' 'linux-source-*/tools/lib/api' 'linux-source-*/tools/lib/zalloc.c' \
		'linux-source-*/tools/include' "linux-source-*/tools/arch/$(kernel_arch)/include" ||
		fail "no libperf: $version has no tools/lib/perf for $(kernel_arch), or its archive is damaged"
	rm -f ./*.deb
	patch -d tree -p1 -s <"$patch_file" || fail "no libperf: $patch_file does not fit $version"
}

compile() {
	local tools=tree/tools arch source
	arch=$(kernel_arch)
	say CC "libperf ($version)"
	mkdir -p obj out/lib out/include
	for source in "$tools"/lib/perf/*.c "$tools/lib/zalloc.c" "$tools/lib/api/fd/array.c"; do
		"${cc[@]}" -std=gnu11 -O2 -g -ffile-prefix-map="$PWD"/tree= -fPIC -fno-omit-frame-pointer -D_GNU_SOURCE \
			-I"$tools/lib/perf/include" -I"$tools/lib" -I"$tools/include" \
			-I"$tools/arch/$arch/include" -I"$tools/arch/$arch/include/uapi" -I"$tools/include/uapi" \
			-c -o "obj/$(basename "$source" .c).o" "$source"
	done
	"${ar[@]}" rcs out/lib/libperf.a obj/*.o
	cp -R "$tools/lib/perf/include/perf" out/include/
	printf '%s\n' "$version" >out/version
	cp "$patch_file" out/
}

is_built() {
	[ -e "$result/version" ] && cmp -s "$patch_file" "$result/libperf.patch"
}

main() {
	local version installed_tar='' work out tool
	! is_built || return 0
	! pkg-config --exists libperf 2>/dev/null || return 0
	for tool in "${cc[0]}" "${ar[0]}" dpkg-deb tar xz patch flock; do
		[ -n "$(type -P "$tool")" ] || fail "no libperf: $tool is needed to build it and is not here (src/deps/install.sh build)"
	done
	mkdir -p "$deps_dir"

	# Two builds at once: the second waits and finds the result.
	exec 9>"$deps_dir/libperf.lock"
	flock -w "$network_timeout_s" 9 || fail "another build holds $deps_dir/libperf.lock"
	! is_built || return 0

	work=$(mktemp -d "$(realpath "$deps_dir")/libperf.XXXXXX")
	# shellcheck disable=SC2064 # the name is wanted as it is now
	trap "rm -rf '$work'" EXIT
	out=$(realpath -m "$result")
	cd "$work"
	find_source
	unpack
	compile
	rm -rf "$out"
	mv -T out "$out"
	say DONE "$out"
}

main
