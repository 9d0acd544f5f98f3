#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: lint.sh      from the top of the repository
# What can be said of the code without running it: walls between folders, layout, shell scripts, generated documents, long files.
set -uo pipefail

passed=0 failed=0

check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL lint: %s\n%s\n' "$name" "$output"
	fi
}

c_files() { git ls-files '*.c' '*.h'; }

formatted() { c_files | xargs -n 50 -P "$(nproc)" clang-format --dry-run --Werror || { echo "run make format"; return 1; }; }

short_enough() {
	local long
	long=$(c_files | xargs wc -l | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines; look for a cut at 600" }')
	[ -z "$long" ] || { echo "$long"; return 1; }
}

# The files among those of standard input that do not have this in their first three lines.
without_line() {
	xargs -d '\n' awk -v wanted="$1" 'FNR > 3 { nextfile } index($0, wanted) { has[FILENAME] = 1 } END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in has)) print ARGV[i] }'
}

licensed() {
	local bad
	bad=$(git ls-files '*.c' '*.h' '*.S' '*.map' '*.sh' '*.py' '*.def' Makefile | without_line 'SPDX-License-Identifier: ' | sed 's/$/: no SPDX line/'
		# The bridge goes into other people's programs.
		git ls-files 'src/ust0/*' | grep -v /LICENSE | without_line 'SPDX-License-Identifier: MIT' | sed 's/$/: not under the MIT licence/')
	[ -z "$bad" ] || { echo "$bad"; return 1; }
}

# A pid that went wrong means everybody: one file checks before it sends.
signals_checked() {
	! git grep --untracked -nE '\b(kill|killpg|tkill|tgkill|sigqueue)[[:space:]]*\(' -- 'src/*.c' 'ui/*.c' ':!src/base/signal_to.c' ||
		{ echo "send signals by a descriptor, or with src/base/signal_to.h"; return 1; }
}

# What draws changes nothing.
drawing_reads_only() {
	! git grep --untracked -nP '(?<!const )struct nt_(ui|table_state) \*|nt_ui_mutable_table' -- 'ui/draw/*' || { echo "ui/draw takes the state as const"; return 1; }
}

shell_scripts() { git ls-files '*.sh' .ci/run | xargs shellcheck -x -S warning; }

# Each threat has a test that is there; a name in brackets behind it is one of its functions.
security_tests() {
	local file name bad=0
	while read -r file name; do
		[ -f "$file" ] || { echo "doc/SECURITY.md: $file is not there"; bad=1; }
		[ -z "$name" ] || grep -qs "def $name(\|void $name(" "$file" || { echo "doc/SECURITY.md: $file has no $name"; bad=1; }
	done < <(grep -oE '`tests/[^`]*`( \(`[a-z_]+`\))?' doc/SECURITY.md | tr -d '\140()')
	return $bad
}

check "include walls" python3 tests/tools/check-includes.py
check "circles" python3 tests/tools/check-circles.py
check "finder of circles" python3 tests/tools/test_circles.py
check "one way out" python3 tests/tools/check-prints.py
command -v clang-format >/dev/null && check "layout" formatted
command -v shellcheck >/dev/null && check "shell scripts" shell_scripts
check "drawing" drawing_reads_only
check "file length" short_enough
check "signals to processes" signals_checked
check "licence lines" licensed
check "tests of doc/SECURITY.md" security_tests
check "files that documents name" python3 tests/tools/check-docs.py
check "writer of doc/RESULTS.md" python3 tests/tools/test_results.py
check "the screen in README.md" python3 tests/tools/capture.py --check
command -v clang >/dev/null && check "stubs for arm64, which nobody runs here" clang --target=aarch64-linux-gnu -c -o /dev/null src/ust0/stubs_aarch64.S
for generated in "$@"; do
	check "$generated is up to date" make --no-print-directory "check-$generated"
done

echo "lint: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
