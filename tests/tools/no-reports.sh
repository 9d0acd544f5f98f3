#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# usage: no-reports.sh FOLDER      where sanitizers wrote what they found, also in processes whose exit status nobody saw. Exit 1 when there is any.
found=0
for report in "$1"/*; do
	[ -s "$report" ] || continue
	found=$((found + 1))
	echo "FAIL report $report"
	head -n 40 "$report"
done
if [ "$found" -eq 0 ]; then
	echo "reports: 1 passed, 0 failed"
else
	echo "reports: 0 passed, $found failed"
fi
[ "$found" -eq 0 ]
