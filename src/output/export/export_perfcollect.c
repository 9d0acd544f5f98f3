// SPDX-License-Identifier: GPL-2.0-only
/*
 * A `.trace.zip` as PerfView opens those of perfcollect: CPU samples as text of `perf script` in it, in which each frame has its name, so that the perf maps and lists of images that such an archive has for that are not
 * needed. What perfcollect has besides, an LTTng trace, is not in it: that needs LTTng's own folder, and the runtime's events are in a nettrace file.
 */
#include "output/export/export_parts.h"
#include "output/export/zip_file.h"

void nt_export_write_perfcollect(FILE *out, const struct nt_export_timeline *timeline)
{
	uint64_t unix_ns = timeline->stacks.t0 + (uint64_t)timeline->realtime_offset_ns;
	struct nt_zip *zip = nt_zip_new(out, (int64_t)(unix_ns / NT_NS_PER_S));
	FILE *text = nt_zip_open(zip, "perf.data.txt");
	nt_export_write_perf_script(text, timeline);
	fclose(text);
	nt_zip_end(zip);
}
