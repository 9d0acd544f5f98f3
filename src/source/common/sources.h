/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/common: what several sources need. */
/* The sources, by name. Each is defined in the file that is named after it. */
#ifndef NT_SOURCE_SOURCES_H
#define NT_SOURCE_SOURCES_H

#include "nettop/source.h"

extern const struct nt_source_ops nt_source_procfs;
extern const struct nt_source_ops nt_source_perf;
extern const struct nt_source_ops
	nt_source_perf_moments; /* perf, where something else is asked for than CPU time: nt_source_config.moments */
extern const struct nt_source_ops nt_source_perf_several; /* perf of a list of processes: samples by one event a CPU for all of them */
extern const struct nt_source_ops nt_source_perf_waits;   /* perf, where nothing is asked for but how long threads wait */
extern const struct nt_source_ops nt_source_codemap;
extern const struct nt_source_ops nt_source_lttng;
extern const struct nt_source_ops nt_source_eventpipe;
extern const struct nt_source_ops nt_source_runtime;

#endif
