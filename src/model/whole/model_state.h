/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/whole: the model: events in, snapshots out. */
/* What a model consists of: one room per subject. For src/model/ only. */
#ifndef NT_MODEL_MODEL_STATE_H
#define NT_MODEL_MODEL_STATE_H

#include "model/alloc/alloc_bytes.h"
#include "model/alloc/allocations.h"
#include "model/arrival/coverage.h"
#include "model/arrival/owners.h"
#include "model/arrival/rundowns.h"
#include "model/arrival/source_accounts.h"
#include "model/arrival/why.h"
#include "model/code/annotate.h"
#include "model/common/ids.h"
#include "model/common/series.h"
#include "model/counters/counters.h"
#include "model/cpu/cpu.h"
#include "model/exceptions/exceptions.h"
#include "model/findings/findings.h"
#include "model/gc/gc.h"
#include "model/jit/jit.h"
#include "model/locks/contention.h"
#include "model/pool/pool.h"
#include "model/process/proc.h"
#include "model/process/threads.h"
#include "model/sites/sites.h"
#include "nettop/model.h"

/* An event that lies behind the end of the open interval, with the table that its ids mean. */
struct nt_pending {
	struct nt_event event;
	struct nt_ids *ids; /* holds a reference */
	enum nt_source_id source;
};

/* Questions put at a time. More rows than screens show, because each round of answers looks at all again that have no name yet. */
enum { NT_QUESTION_LIMIT = 1024 };

struct nt_model {
	struct nt_model_config config;
	double decay;
	nt_time t0, t1;    /* the open interval */
	nt_time until;     /* nothing from here on counts; 0 = there is no end yet */
	nt_time ticked;    /* time of the last tick; 0 = none yet */
	nt_time patience;  /* until then intervals wait for sources that have to catch up */
	uint64_t sequence; /* of the newest snapshot */

	struct nt_names names;
	bool heap_has_grown;                 /* at the end of the interval before */
	struct nt_ids *ids[NT_SOURCE_COUNT]; /* of each source's current epoch; owned */
	struct nt_ids *retired;              /* of earlier epochs, still referred to; owned */
	struct nt_pending *pending;          /* owned; in order of arrival */
	size_t pending_count, pending_capacity;
	struct nt_question *questions; /* owned; the answer to the newest NT_EV_ASK */
	size_t question_count;

	struct nt_sources sources;
	struct nt_owners owners;
	struct nt_coverage coverage;
	nt_time covered_ns[NT_SUBJECT_COUNT]; /* since attach */
	struct nt_resolver *resolver;
	struct nt_sites sites;
	struct nt_proc proc;
	struct nt_threads threads;
	struct nt_annotate annotate;
	struct nt_rundowns rundowns;
	struct nt_cpu cpu;
	struct nt_gc gc;
	struct nt_alloc_state alloc;
	struct nt_allocations allocations;
	struct nt_jit jit;
	struct nt_pool pool;
	struct nt_exceptions exceptions;
	struct nt_contention contention;
	struct nt_counters counters;
	struct nt_series_state series;
	struct nt_findings findings;
};

/*
 * dispatch.c: give an event to its subjects. `batch`: the one that brings it; NULL for one that waited, whose kind needs none (CODE does).
 */
void nt_model_dispatch(struct nt_model *model, enum nt_source_id source, const struct nt_event *event, const struct nt_ids *ids,
		       const struct nt_batch *batch);

/* directions.c: do as this event says, for which nt_event_is_direction() holds. */
void nt_model_obey(struct nt_model *model, const struct nt_event *event);

/* Where an interval ends that should at t1: no later than the end of all, and there, where only a splinter would be left. */
nt_time nt_model_cut_at_end(const struct nt_model *model, nt_time t1);

/* snapshot.c: what is known at the end of the interval; starts the next one in every subject. The caller owns the reference. */
struct nt_snapshot *nt_model_snapshot(struct nt_model *model, const struct nt_span *span);

#endif
