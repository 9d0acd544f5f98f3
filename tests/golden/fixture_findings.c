// SPDX-License-Identifier: GPL-2.0-only
/* What is out of its range in the shop. */
#include "fixture_rows.h"

#include "base/alloc.h"

void fixture_shop_findings(struct nt_process_snapshot *process, nt_time now)
{
	process->findings = nt_alloc(2 * sizeof(*process->findings));
	process->finding_count = 2;
	process->quiet_since = NT_TIME_UNKNOWN;
	process->findings[0] = (struct nt_finding){
		.kind = NT_FINDING_GC_STORM,
		.headline = NT_SUBJECT_GC,
		.screen = '2',
		.value = 23.4,
		.threshold = 20,
		.unit = "pct",
		.since = now - 5 * NT_NS_PER_S,
		.until = NT_TIME_UNKNOWN,
		.text = "GC storm: paused 23.4% of the last 10s; gen2 1.8/s, reason LOH allocation, by Shop.Export.CsvWriter.Grow",
		.short_text = "GC storm: paused 23.4% of 10s, gen2 1.8/s by LOH",
		.brief_text = "GC storm: gen2 1.8/s LOH",
	};
	process->findings[1] = (struct nt_finding){
		.kind = NT_FINDING_ALLOC_BURST,
		.headline = NT_SUBJECT_ALLOC,
		.screen = '5',
		.value = 1.31 * 1024 * 1024 * 1024,
		.threshold = 1024 * 1024 * 1024,
		.unit = "bytes_per_s",
		.since = now - 4 * NT_NS_PER_S,
		.until = NT_TIME_UNKNOWN,
		.text = "Allocation burst: 1.31G/s",
		.short_text = "Allocation burst: 1.31G/s",
		.brief_text = "Alloc 1.31G/s",
	};
}
