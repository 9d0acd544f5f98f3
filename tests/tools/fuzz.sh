#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: fuzz.sh MARK BUILD_DIR RUNS SECONDS NAME...    whichever comes first ends a decoder's turn; RUNS -1 = SECONDS do
# Look for inputs that break a decoder, that it looks at for more than 2 s or in more steps than it may (tests/fuzz/steps.c), or for which it takes more than 512 MB. Exit 1 when one
# was found: it lies in BUILD_DIR/finds/NAME/. Of the same SEED the same inputs come. What each decoder had goes into BUILD_DIR/MARK/NAME (MARK -: nowhere), and into its row of
# doc/RESULTS.md, where the others stay. A long run goes on where it was left: what MARK is fuzz-long adds up, over as many calls as one likes.
set -uo pipefail

readonly mark=$1 build=$2 runs=$3 seconds=$4 seed=${SEED:-$RANDOM}
shift 4
failed=0
kept=$build/$mark
readonly TIMED_OUT=70 # libFuzzer's exit status

# As long as the real thing.
max_length() {
	awk -v name="$1" '$1 == name { print $2; found = 1 } END { if (!found) print 65536 }' tests/fuzz/limits
}

# `NAME RUNS SECONDS EDGES FOUND...` of a decoder, with what was there before of a long run.
keep() {
	local name=$1 tried=$2 took=$3 edges=$4 found=$5 before_tried=0 before_took=0 before_edges=0 before_found=nothing
	mkdir -p "$kept"
	[ "$mark" = fuzz-long ] && [ -f "$kept/$name" ] && read -r _ before_tried before_took before_edges before_found <"$kept/$name"
	[ "$edges" -lt "$before_edges" ] && edges=$before_edges
	[ "$found" = nothing ] && found=$before_found
	printf '%s %s %s %s %s\n' "$name" $((before_tried + tried)) $((before_took + took)) "$edges" "$found" >"$kept/$name"
}

# 2 s of an input's are 2 s of the machine's: it may have had other things to do. Is there one that takes as long when it is looked at again? What does not is no find.
is_slow_again() {
	local name=$1 input slow=1
	for input in "$build/finds/$name"/timeout-*; do
		if timeout 60 "$build/fuzz_$name" -timeout=2 -rss_limit_mb=512 -artifact_prefix="$build/" "$input" >"$build/$name.again.log" 2>&1; then
			rm -f "$input"
		else
			slow=0
		fi
	done
	return $slow
}

echo "SEED=$seed"
for name; do
	mkdir -p "$build/finds/$name" "$build/corpus/$name"
	echo "== $name"
	log=$build/$name.log
	options=(-runs="$runs" -max_total_time="$seconds" -seed="$seed" -timeout=2 -rss_limit_mb=512 -max_len="$(max_length "$name")")
	[ -f "tests/fuzz/$name.dict" ] && options+=(-dict="tests/fuzz/$name.dict")
	began=$SECONDS
	timeout $((seconds + 120)) "$build/fuzz_$name" "${options[@]}" -artifact_prefix="$build/finds/$name/" -print_final_stats=1 \
		"$build/corpus/$name" "tests/data/corpus/$name" >"$log" 2>&1
	status=$?
	tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
	found=nothing
	if [ "$status" -eq "$TIMED_OUT" ] && ! is_slow_again "$name"; then
		status=0
	fi
	if [ "$status" -ne 0 ]; then
		failed=1
		found="exit $status, see the log"
		grep -E -m 3 'ERROR|SUMMARY|ALARM' "$log"
	fi
	echo "${tried:-?} inputs, ${edges:-?} edges, found $found"
	[ "$mark" = - ] || keep "$name" "${tried:-0}" $((SECONDS - began)) "${edges:-0}" "$found"
done

[ "$mark" = - ] && exit $failed
decoders=(tests/fuzz/fuzz_*.c)
decoders=("${decoders[@]#tests/fuzz/fuzz_}")
decoders=("${decoders[@]%.c}")
{
	printf '## Fuzzing%s\n\n`make %s` (libFuzzer with ASan and UBSan, %s; an input may take 2 s, 512 MB and so many steps a byte).\n\n' \
		"$([ "$mark" = fuzz-long ] && echo ': long')" "$mark" \
		"$([ "$runs" -lt 0 ] && echo 'for as long as is said below, in one part or several' || echo 'FUZZ_RUNS inputs or FUZZ_SECONDS s for each decoder, whichever comes first: 1000000 and 60 unless set')"
	printf '| decoder | inputs tried | minutes | edges covered | found | last on |\n|---|---|---|---|---|---|\n'
	for name; do
		read -r _ tried took edges found <"$kept/$name"
		printf '| %s | %s | %d.%d | %s | %s | %s |\n' "$name" "$tried" $((took / 60)) $((took % 60 / 6)) "$edges" "$found" "$(date +%F)"
	done
} | python3 tests/tools/results.py "$mark" "${decoders[@]}"
exit $failed
