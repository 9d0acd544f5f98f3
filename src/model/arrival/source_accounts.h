/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sources say about themselves: state, progress (for the watermark), losses; and how many of their events were late or double. */
#ifndef NT_MODEL_SOURCE_ACCOUNTS_H
#define NT_MODEL_SOURCE_ACCOUNTS_H

#include "base/texts.h"
#include "model/common/span.h"
#include "nettop/snapshot.h"

/* What is added up over all processes. */
struct nt_source_sums {
	uint64_t events, events_all, lost_count;
};

struct nt_source_account {
	bool stated;         /* has sent a SOURCE_STATE: has a row */
	bool open;           /* wants intervals to wait for it */
	bool was_delivering; /* at some time since attach */
	bool delivered_now;  /* was delivering at some time in the open interval */
	enum nt_source_state state;
	uint32_t brings;  /* enum nt_demand bits; 0 = what it can */
	uint32_t rate_hz; /* of samples; 0 = not said */
	enum nt_withheld withheld;
	bool postpones;           /* what can wait for the target's start */
	const char *reason, *fix; /* the table's; NULL = none */
	enum nt_no_switches no_switches;
	struct nt_why no_switches_why; /* likewise */
	nt_time progress;              /* everything before has been reported; 0 = nothing yet */
	nt_time idle;                  /* of the last IDLE: that it said so itself; 0 = never */
	nt_time last_delivery;         /* time of the newest event or IDLE; NT_TIME_UNKNOWN = none */
	uint64_t events, events_all;
	struct nt_u64 covered_ns, covered_all_ns; /* as of its row; the former of the interval that is being closed */
	uint64_t lost_count;
	uint64_t lost_samples, lost_samples_all;
	bool lost_unknown, lost_now;
	uint64_t late_count, duplicate_count, unknown_count;
	struct nt_source_sums elsewhere;             /* of the sums above, what the account of another process has, too */
	struct nt_u64 file_bytes, file_bytes_before; /* of the file that it follows: now; at the end of the interval before */
};

struct nt_sources {
	struct nt_source_account items[NT_SOURCE_COUNT];
};

void nt_sources_init(struct nt_sources *sources);

/* Count an event of `source` and note its progress. */
void nt_sources_count(struct nt_sources *sources, enum nt_source_id source, const struct nt_event *event);

/* Texts are the table's or NULL. `no_switches`: of the state's texts of that name. A state out of range is ignored. */
void nt_sources_state(struct nt_sources *sources, enum nt_source_id source, const struct nt_ev_source_state *state,
		      const struct nt_why *why, const struct nt_why *no_switches);

void nt_sources_lost(struct nt_sources *sources, enum nt_source_id source, const struct nt_ev_lost *lost);

/* The size of the file that it follows. */
void nt_sources_file(struct nt_sources *sources, enum nt_source_id source, const struct nt_ev_file *file);

/* Up to when the lines of the perf map are known; NT_TIME_UNKNOWN = nobody reads one. */
nt_time nt_sources_map_until(const struct nt_sources *sources);

/* Has every open source (procfs and the code map do not count) reported past `time`? */
bool nt_sources_past(const struct nt_sources *sources, nt_time time);

/* For how long of the interval that is being closed it told of anything, of those sources that say so (model/arrival/coverage.h). */
void nt_sources_cover(struct nt_sources *sources, enum nt_source_id source, nt_time covered_ns, const struct nt_span *span);

/* What the account has counted since `before` was told of its source as a whole, and is counted in the account of the first process. */
struct nt_source_sums nt_source_sums(const struct nt_source_account *account);
void nt_sources_told_elsewhere(struct nt_source_account *account, const struct nt_source_sums *before);

/*
 * Fill the rows and the sums of a snapshot and start the next interval. There is one row for a source, whatever processes it tells of: after the first process it is
 * added up.
 */
void nt_sources_close(struct nt_sources *sources, const struct nt_span *span, struct nt_snapshot *snapshot);

/* Visit the texts that are kept. */
void nt_sources_each_text(const struct nt_sources *sources, nt_text_visit *visit, void *context);

#endif
