/* SPDX-License-Identifier: GPL-2.0-only */
/* What the model knows of one process: one room per subject. For src/model/ only. */
#ifndef NT_MODEL_PROCESS_MODEL_H
#define NT_MODEL_PROCESS_MODEL_H

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
#include "model/cpu/cpu_kinds.h"
#include "model/cpu/off_cpu.h"
#include "model/exceptions/exceptions.h"
#include "model/findings/findings.h"
#include "model/gc/gc.h"
#include "model/history/kept_figures.h"
#include "model/host/host.h"
#include "model/io/io.h"
#include "model/jit/jit.h"
#include "model/locks/lock_waits.h"
#include "model/waits/waits.h"
#include "model/pool/pool.h"
#include "model/process/proc.h"
#include "model/process/threads.h"
#include "model/requests/requests.h"
#include "model/sites/sites.h"
#include "model/told/told.h"
#include "model/whole/wall.h"
#include "nettop/model.h"

/* What the processes of a model have in common. */
struct nt_shared {
	const struct nt_model_config *config;                           /* borrowed */
	struct nt_texts *texts;                                         /* owned by the model */
	nt_time t0, t1;                                                 /* the open interval */
	nt_time until;                                                  /* nothing from here on counts; 0 = there is no end yet */
	size_t pending_count;                                           /* events that wait for their interval */
	void (*see)(void *context, const struct nt_shown_event *shown); /* nt_model_show_events(); NULL = nobody looks */
	void *see_context;
};

/* An event that lies behind the end of the open interval, with the table that its ids mean. */
struct nt_pending {
	struct nt_event event;
	struct nt_ids *ids; /* holds a reference */
	enum nt_source_id source;
};

/* Questions put at a time. More rows than screens show, because each round of answers looks at all again that have no name yet. */
enum { NT_QUESTION_LIMIT = 1024 };

struct nt_process_model {
	struct nt_shared *shared; /* borrowed */
	uint32_t pid;             /* 0 = of all events, whatever process they name */
	nt_time start;            /* of its first interval */

	struct nt_names names;               /* its own heap; the model's table */
	bool heap_has_grown;                 /* at the end of the interval before */
	struct nt_ids *ids[NT_SOURCE_COUNT]; /* of each source's current epoch; owned. Chains have rows of this process */
	struct nt_ids *retired;              /* of earlier epochs, still referred to; owned */
	struct nt_pending *pending;          /* owned; in order of arrival */
	size_t pending_count, pending_capacity;

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
	struct nt_cpu_kinds cpu;
	struct nt_off_cpu off_cpu;
	struct nt_gc gc;
	struct nt_gc_settings gc_settings;
	struct nt_alloc_state alloc;
	struct nt_allocations allocations;
	struct nt_jit jit;
	struct nt_pool pool;
	struct nt_exceptions exceptions;
	struct nt_lock_waits lock_waits;
	struct nt_waits waits;
	struct nt_wall wall;
	struct nt_counters counters;
	struct nt_io io;
	struct nt_host host;
	struct nt_requests requests;
	struct nt_told_state told;
	struct nt_series_state series;
	struct nt_kept_figures kept;
	struct nt_findings findings;
};

/* The model of a process from `start` on, owned by the caller. `shared` outlives it. */
struct nt_process_model *nt_process_model_new(struct nt_shared *shared, uint32_t pid, nt_time start);
void nt_process_model_free(struct nt_process_model *model);

/* Take in what a batch announces: of every batch, before its events. */
void nt_process_model_announce(struct nt_process_model *model, const struct nt_batch *batch);

/* Take in what was announced before there was this model, of all sources, from one that has it. */
void nt_process_model_learn(struct nt_process_model *model, const struct nt_process_model *from);

/* Take in an event of the announced batch, of this process or of its source. */
void nt_process_model_take(struct nt_process_model *model, const struct nt_batch *batch, const struct nt_event *event);

/* The same of an event and all behind it that are of the same process, up to one by which nettop decides something, or that says who it is. Returns how many these are. */
size_t nt_process_model_take_run(struct nt_process_model *model, const struct nt_batch *batch, size_t first);

/* Count what waited for the interval that is open now; with `all` everything that waits. */
void nt_process_model_resume(struct nt_process_model *model, bool all);

/* The interval is about to be closed: what can have its place among the rows now has it. */
void nt_process_model_settle(struct nt_process_model *model, const struct nt_span *span);

/* The interval is closed: forget what nobody needs any more. Texts: once all processes have marked theirs. */
void nt_process_model_sweep(struct nt_process_model *model);
void nt_process_model_mark_texts(const struct nt_process_model *model);

/* dispatch.c: give an event to its subjects. `batch`: the one that brings it; NULL for one that waited, whose kind needs none (CODE does). */
void nt_process_model_dispatch(struct nt_process_model *model, enum nt_source_id source, const struct nt_event *event, struct nt_ids *ids,
			       const struct nt_batch *batch);

/* process_close.c: was all of the interval told of the subject, with nothing lost? */
bool nt_process_model_is_told(const struct nt_process_model *model, enum nt_subject_id subject, const struct nt_span *span);

/* process_close.c: what is known of it at the end of the interval; starts the next one in every subject. Texts and rows go to `snapshot`. */
void nt_process_model_close(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
			    struct nt_process_snapshot *process);

#endif
