/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/counters: counters that the target publishes. */
/*
 * Counters that the target publishes: a row each. Bounded: of those beyond the limit only their number is known. A counter that is no longer told
 * becomes a tombstone and then goes, with its sums; nettop listens only while somebody looks.
 */
#ifndef NT_MODEL_COUNTERS_H
#define NT_MODEL_COUNTERS_H

#include "base/index.h"
#include "model/counters/instruments.h"
#include "model/common/span.h"
#include "nettop/snapshot.h"
#include "symbol/names.h"

enum {
	NT_COUNTER_ROWS = 2048,
	NT_COUNTERS_BEYOND = 1 << 14, /* distinct ones that are counted beyond the rows */
	NT_COUNTER_TEXT = 512,        /* bytes kept of a name, of a set of tags */
};

/* The texts of an event. */
struct nt_counter_texts {
	nt_text_ref provider, name, display_name, unit, tags;
};

struct nt_counter {
	struct nt_counter_row row; /* as it was last shown; texts are the table's */
	uint64_t instrument;       /* nt_instrument_id() */
	nt_time period_ns;         /* of the newest; 0 = not said */
	double sum;                /* of all changes */
	double change;             /* in the open interval */
	nt_time changed_ns;        /* the periods that make it up; 0 = not said */
	bool changed;              /* the two are of at least one event */
};

struct nt_counters {
	struct nt_counter *items; /* owned, in no order */
	size_t count, capacity;
	struct nt_index by_id;
	struct nt_instruments instruments;
	struct nt_index beyond; /* ids of those without a row in the open interval */
	size_t beyond_before;   /* the same of the interval before: periods and intervals do not begin together */
	bool left_out;          /* the runtime said that it leaves out some */
};

void nt_counters_init(struct nt_counters *counters);
void nt_counters_fini(struct nt_counters *counters);

/* A COUNTER event. */
void nt_counters_apply(struct nt_counters *counters, const struct nt_event *event, const struct nt_counter_texts *texts,
		       const struct nt_names *names);

/* Fill the rows and start the next interval. */
void nt_counters_close(struct nt_counters *counters, const struct nt_span *span, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_counters_each_text(const struct nt_counters *counters, nt_text_visit *visit, void *context);

#endif
