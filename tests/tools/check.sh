#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: check.sh LOG_DIR SUITE=COMMAND...      one of them may be beside=COMMAND, and a later one "together"
#
# Run the suites one after the other, whatever fails; keep each one's output in LOG_DIR; sum up the closing lines of their programs ("N passed,
# N failed", optionally ", N skipped", a label before it allowed) and close with one such line. Exit 1 when anything failed or a suite counted
# nothing.
#
# beside: what is only built is built beside suites that mostly wait, as long as they leave a processor idle; "together" waits for it. What it could not
# build is built again by the suite that needs it, which says why it cannot be.
set -uo pipefail
# Ctrl-C: the suite ends what it has started and says its last words, then nothing else begins.
trap 'exit 130' INT TERM
beside=
trap '[ -z "$beside" ] || kill "$beside" 2>/dev/null' EXIT

readonly logs=$1
shift
mkdir -p "$logs"
passed=0 failed=0 skipped=0

for suite; do
	name=${suite%%=*} command=${suite#*=}
	if [ "$name" = beside ]; then
		nice -n 19 bash -c "exec $command" >"$logs/beside.log" 2>&1 </dev/null &
		beside=$!
		continue
	elif [ "$name" = together ]; then
		started=$SECONDS
		[ -z "$beside" ] || wait "$beside"
		beside=
		printf '== beside: %s s more\n' $((SECONDS - started))
		continue
	fi
	printf '== %s\n' "$name"
	started=$SECONDS
	bash -c "$command" 2>&1 | tee -i "$logs/$name.log"
	status=${PIPESTATUS[0]}
	lines=$(grep -E '^([a-z]+: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$logs/$name.log" | sed 's/^[a-z]*: //')
	read -r p f s < <(awk -F '[ ,]+' '{ p += $1; f += $3; s += $5 } END { print p + 0, f + 0, s + 0 }' <<<"$lines")
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ] || [ $((p + f + s)) -eq 0 ]; then
		printf 'FAIL suite %s: exit %s\n' "$name" "$status"
		f=$((f + 1))
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	printf '== %s: %s s\n' "$name" $((SECONDS - started))
done

printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
