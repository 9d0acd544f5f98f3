#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: check.sh [GROUP...]     groups as in packages.txt, all of them by default
#
# Prints everything of these groups that this machine lacks, all of it at once, one line each: Debian package, what was looked for, why.
# Exit 0 when nothing is missing, 1 when something is, 2 when the call is wrong. libperf, which no package has, belongs to the group build.
#
# Environment: DEPS_DIR (default build/deps), where libperf is looked for.
set -euo pipefail

readonly deps_dir=${DEPS_DIR:-build/deps}
readonly here=${BASH_SOURCE[0]%/*}
readonly table=$here/packages.txt

has_clang_runtime() {
	local dir
	dir=$(clang -print-runtime-dir 2>/dev/null) || return 1
	compgen -G "$dir/libclang_rt.$1*.a" >/dev/null
}

# is_there KIND:NAME
is_there() {
	local name=${1#*:}
	case $1 in
	cmd:*) type -P "$name" >/dev/null || [ -x "/usr/sbin/$name" ] ;;
	pkg:*) pkg-config --exists "$name" 2>/dev/null ;;
	inc:*) printf '#include <%s>\n' "$name" | gcc -E -x c - >/dev/null 2>&1 ;;
	rt:*) has_clang_runtime "$name" ;;
	file:*) [ -e "$name" ] ;;
	*)
		printf '%s: unknown proof %s\n' "$table" "$1" >&2
		exit 2
		;;
	esac
}

main() {
	local wanted=" ${*:-build demo test} " missing=0 known=' ' group package proof why
	while read -r group package proof why; do
		[[ $group == [a-z]* ]] || continue
		known+="$group "
		[[ $wanted == *" $group "* ]] || continue
		is_there "$proof" && continue
		printf '%-18s %-26s %s\n' "$package" "$proof" "$why"
		missing=1
	done <"$table"
	for group in $wanted; do
		[[ $known == *" $group "* ]] && continue
		printf 'check.sh: no group %s in %s\n' "$group" "$table" >&2
		exit 2
	done
	if [[ $wanted == *' build '* ]] && ! cmp -s "$here/libperf.patch" "$deps_dir/libperf/libperf.patch" &&
		! pkg-config --exists libperf 2>/dev/null; then
		printf '%-18s %-26s %s\n' - "$deps_dir/libperf" '# CPU samples; built by src/deps/libperf.sh from the package linux-source'
		missing=1
	fi
	return "$missing"
}

main "$@"
