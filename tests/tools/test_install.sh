#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: test_install.sh      from the top of the repository, with nettop built
# `make install` puts exactly its files where DESTDIR, prefix and mandir say, they work, and `make uninstall` takes them away again.
set -uo pipefail

passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

expect() {
	local what=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL install: %s\n' "$what"
		cat "$work/log"
	fi
}

make_it() {
	make --no-print-directory "$@"
}

# Prints nothing when what lies under a folder is exactly this, `MODE PATH` on each line.
has_exactly() {
	diff <(cd "$1" && find . -type f -printf '%m %P\n' | sort) <(printf '%s' "$2")
}

# usage: finds_bridge NETTOP FOLDER
finds_bridge() {
	local lines
	lines=$("$1" env --format docker) && grep -qF "LD_LIBRARY_PATH=\"$2\$" <<<"$lines" && ! grep -q 'is not there' <<<"$lines"
}

# What the compiler and the linker were told to do against mistakes is in the file.
is_in_file() {
	readelf -hldW "$1" | grep -E "$2"
}
checks_functions() {
	local count
	count=$(readelf -W --dyn-syms "$1" | grep -cE ' __[a-z]+_chk(@|$)')
	echo "$count functions of libc with a check of their own"
	[ "$count" -ge 5 ]
}
# Where an indirect jump may land. That all of the program is so is noted in the file only where the C library's own parts are.
marks_landings() {
	objdump -d --disassemble=main "$1" | grep endbr64
}
never_ends_the_program() {
	! readelf -W --dyn-syms "$1" | grep -E '_chk(@| |$)|__stack_chk_fail|abort'
}

# What is said to paste is what README.md says, and the file can have it.
says_rights() {
	local line
	line=$(grep -o 'setcap [^ ]*=ep .*' "$work/said") && grep -qF "sudo ${line/$1/\/usr\/local\/bin\/nettop}" README.md
}

files=$'644 usr/lib/nettop/ust0/LICENSE\n644 usr/lib/nettop/ust0/liblttng-ust-tracepoint.so.0\n644 usr/lib/nettop/ust0/liblttng-ust.so.0\n644 usr/share/bash-completion/completions/nettop\n644 usr/share/fish/vendor_completions.d/nettop.fish\n644 usr/share/man/man1/nettop.1\n644 usr/share/zsh/site-functions/_nettop\n755 usr/bin/nettop\n'

expect 'make install with a staging folder' make_it install DESTDIR="$work/stage" prefix=/usr
expect 'its files and their modes' has_exactly "$work/stage" "$files"
expect 'the program runs from there' "$work/stage/usr/bin/nettop" --version
expect 'it lies where the kernel wants' is_in_file "$work/stage/usr/bin/nettop" 'Type: +DYN.*Position-Independent'
for file in "$work"/stage/usr/bin/nettop "$work"/stage/usr/lib/nettop/ust0/*.so.0; do
	expect "all symbols of ${file##*/} are bound at its start" is_in_file "$file" '\(FLAGS_1\).* NOW'
	expect "what they were bound to is read-only, in ${file##*/}" is_in_file "$file" '^ +GNU_RELRO '
	expect "the stack of ${file##*/} is not executable" is_in_file "$file" '^ +GNU_STACK .* RW +0x'
done
expect 'writes of known size are checked' checks_functions "$work/stage/usr/bin/nettop"
if [ "$(uname -m)" = x86_64 ]; then
	expect 'indirect jumps land where they may' marks_landings "$work/stage/usr/bin/nettop"
fi
for file in "$work"/stage/usr/lib/nettop/ust0/*.so.0; do
	expect "${file##*/} never ends the program it is in" never_ends_the_program "$file"
done
expect 'the page is the one of the repository' cmp doc/nettop.1 "$work/stage/usr/share/man/man1/nettop.1"
expect 'make install again, over itself' make_it install DESTDIR="$work/stage" prefix=/usr
cp "$work/log" "$work/said"
expect 'which rights the file may have is said' says_rights "$work/stage/usr/bin/nettop"
expect 'make install with another mandir' make_it install prefix="$work/own" mandir="$work/own/man"
expect 'mandir is obeyed' test -f "$work/own/man/man1/nettop.1"
expect 'make install with another libdir' make_it install prefix="$work/other" libdir="$work/other/lib/multi-arch"
expect 'the program finds its bridge there' finds_bridge "$work/other/bin/nettop" "$work/other/lib/multi-arch/nettop/ust0"
cp "$work/other/bin/nettop" "$work/copy"
expect 'a copy of the program does, too' finds_bridge "$work/copy" "$work/other/lib/multi-arch/nettop/ust0"
rm "$work/other/lib/multi-arch/nettop/ust0/liblttng-ust.so.0"
expect 'and says where it should be' sh -c "'$work/copy' env | grep -q 'make install puts it there'"
expect 'make uninstall' make_it uninstall DESTDIR="$work/stage" prefix=/usr
expect 'no file is left' has_exactly "$work/stage" ''

printf 'install: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
