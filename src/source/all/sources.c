// SPDX-License-Identifier: GPL-2.0-only
/* Room source/all: the list of the sources, and of each whether it would work. */
#include "source/common/sources.h"

/* In opening order: the cheap and quick ones first, so that the first frame has something to show. */
const struct nt_source_ops *const nt_sources[] = {
	&nt_source_procfs, &nt_source_perf, &nt_source_codemap, &nt_source_lttng, &nt_source_eventpipe, &nt_source_runtime, NULL,
};
