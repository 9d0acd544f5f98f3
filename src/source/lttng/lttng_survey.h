/* SPDX-License-Identifier: GPL-2.0-only */
/* What one trace in files is of, found out by reading all of it once: which processes have told how much, of which host, on which clock, and which of the runtime's events were recorded at all. */
#ifndef NT_SOURCE_LTTNG_SURVEY_H
#define NT_SOURCE_LTTNG_SURVEY_H

#include "nettop/clock.h"
#include "source/lttng/lttng_traces.h"

enum { NT_SURVEY_PROCESSES = 256, NT_SURVEY_NAME = 64 };

struct nt_survey_process {
	uint32_t vpid;
	uint64_t event_count;      /* of the runtime */
	char name[NT_SURVEY_NAME]; /* of the thread that told first, or what the trace says; "" = not known */
};

struct nt_survey {
	struct nt_survey_process processes[NT_SURVEY_PROCESSES];
	size_t process_count;
	bool more_processes;
	unsigned recorded;   /* enum nt_lttng_recorded bits */
	bool lacks_vpid;     /* there are events of the runtime that do not say of which process */
	nt_time first, last; /* of its packets and events, on its own clock; 0 = it has none */
	bool has_clock;
	int64_t realtime_offset_ns; /* what to add to that to get the time of the wall, as LTTng had it when the session began; with has_clock */
	char host[NT_SURVEY_NAME];
	struct nt_error damage; /* why it was not read to its end; no cause: it was */
};

/* Errors: nothing of it can be read. */
enum nt_status nt_lttng_survey(const struct nt_lttng_traces *traces, size_t place, struct nt_survey *out, struct nt_error *err);

#endif
