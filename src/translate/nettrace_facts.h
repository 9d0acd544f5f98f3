/* SPDX-License-Identifier: GPL-2.0-only */
/* What a .nettrace file says only at its end, or by what is in it: found in a first reading, without which the second could tell nothing from the begin on. */
#ifndef NT_TRANSLATE_NETTRACE_FACTS_H
#define NT_TRANSLATE_NETTRACE_FACTS_H

#include "decode/eventpipe/nettrace.h"
#include "decode/eventpipe/process_events.h"
#include "source/eventpipe/rundown_list.h"

enum { NT_NETTRACE_COMMAND_BYTES = 4096 };

struct nt_nettrace_facts {
	struct nt_nettrace_start start;
	bool started;
	struct nt_rundown_list *methods; /* owned: the runtime's list, and the collector's settings */
	uint64_t method_count;
	char command[NT_NETTRACE_COMMAND_BYTES]; /* "" = not told */
	struct nt_runtime_start runtime;
	bool runtime_told;
	uint32_t brings;        /* enum nt_demand bits: of what there are events */
	bool ticks;             /* allocations are told by ticks alone, not by samples */
	nt_time newest, end;    /* of the events; when nothing more came, because the session was ended or the file was */
	bool whole;             /* it has its orderly end */
	struct nt_error damage; /* of one that has not: where it is damaged; its status is NT_OK when it is only cut off */
};

/* Read all of `fd`, a regular file. */
void nt_nettrace_facts_read(struct nt_nettrace_facts *facts, int fd);
void nt_nettrace_facts_fini(struct nt_nettrace_facts *facts);

/*
 * The file from its begin into a decoder, as far as it goes: NT_END: to its orderly end; NT_OK: it is cut off; MALFORMED, or FAILED when it cannot be read: the sentence says more. What waited has been delivered.
 */
enum nt_status nt_nettrace_read_through(int fd, const struct nt_nettrace_sink *sink, struct nt_error *err);

#endif
