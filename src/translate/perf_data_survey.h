/* SPDX-License-Identifier: GPL-2.0-only */
/* The first look at a perf.data: whose samples it has, and of which time. What is told of it afterwards is of one process. */
#ifndef NT_TRANSLATE_PERF_DATA_SURVEY_H
#define NT_TRANSLATE_PERF_DATA_SURVEY_H

#include "translate/perf_data_file.h"

enum { NT_PERF_DATA_PROCESSES_MAX = 1 << 16, NT_PERF_DATA_COMM = 16 };

struct nt_perf_data_process {
	uint32_t pid;
	uint64_t samples;             /* of CPU time */
	char comm[NT_PERF_DATA_COMM]; /* of its first thread; "" = not said */
};

struct nt_perf_data_survey {
	struct nt_perf_data_process *processes; /* owned; in the order in which they came, without that of pid 0 */
	size_t count, capacity;
	struct nt_index of_pid;
	nt_time first, last;                       /* of the records of all processes; 0: there is no time in it */
	uint64_t samples, others;                  /* of CPU time, of processes; of other events */
	uint64_t unreadable;                       /* records that break their form */
	char other_event[NT_PERF_DATA_EVENT_NAME]; /* the first of these; "" = there are none, or it has no name */
	bool has_switches;
};

/* Reads `file`, which has begun, to its end. */
void nt_perf_data_survey(struct nt_perf_data_file *file, struct nt_perf_data_survey *out);
void nt_perf_data_survey_fini(struct nt_perf_data_survey *survey);

/* The one with this pid; with this name, of several that with most samples; of "" the one with most samples of all. NULL: there is none, or it has no samples. */
const struct nt_perf_data_process *nt_perf_data_choose(const struct nt_perf_data_survey *survey, const char *wished);

#endif
