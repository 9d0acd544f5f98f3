// SPDX-License-Identifier: GPL-2.0-only
/* As `nettop stacks -f perf-script` writes it; markers have no place there. */
#include "output/export/export_parts.h"

void nt_export_write_perf_script(FILE *out, const struct nt_export_timeline *timeline)
{
	nt_stacks_write(out, NT_STACKS_AS_PERF_SCRIPT, &timeline->stacks);
}
