/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/gc: collections and pauses. */
/*
 * Collections and the stops that they cause.
 *
 * A stop is SuspendEEBegin .. RestartEEBegin on one thread; that is what GC.GetTotalPauseDuration() counts (RestartEEEnd is up to a quarter
 * later). Stops for reason 1 (GC) and the first stop for reason 6 (GC preparation) of each background collection are its pauses; further
 * reason-6 stops of the same background collection exist only because somebody traces, and are kept apart; all others are no GC.
 *
 * A collection is a row, known by its number. It is joined with its stops by time, because server GC speaks from other threads. Where
 * GCStart_V2 does not come (target without event log) the row is made by GCEnd, the kind and the reason by GCGlobalHeapHistory.
 *
 * Who asked for it: GCTriggered comes on the thread that ran out of budget or called GC.Collect(). With workstation GC that thread has stopped the
 * program already, with server GC another one does it next. The runtime lets in one trigger at a time: the open stop is its own, else the next one; and
 * what starts in the stop.
 */
#ifndef NT_MODEL_GC_H
#define NT_MODEL_GC_H

#include "base/texts.h"
#include "model/arrival/source_accounts.h"
#include "model/common/histogram.h"
#include "model/common/pause.h"
#include "model/common/span.h"
#include "model/gc/gc_heaps.h"
#include "model/sites/sites.h"
#include "nettop/event.h"

enum { NT_GC_STOPS = NT_PAUSES - NT_PAUSES_ENDED, NT_GC_ENDED_PAUSES = NT_PAUSES_ENDED, NT_GC_TRIGGERS = 256 };

/* A pause this long is out of its range: the first guess of the alarm. */
#define NT_GC_ALARM_NS (100 * NT_NS_PER_MS)

struct nt_gc_stop {
	bool used, open;
	bool unclaimed; /* ended, and no collection lies within it: a background collection's */
	bool tracing;   /* a further reason-6 stop */
	bool doubtful;  /* events were lost since it began: its end may be among them */
	uint32_t tid, reason;
	enum nt_source_id source;
	nt_time begin, stood, end; /* stood: all threads were suspended; 0 = not seen */
	nt_time counted;           /* up to here it is in the figures; 0 = nothing of it */
};

/* Somebody asked for a collection, which has not begun, as far as is known. */
struct nt_gc_trigger {
	nt_time time;
	nt_site_ref by;
};

/* What the history events say of one collection. */
struct nt_gc_detail {
	uint32_t heaps_seen;
	bool global_seen;
	uint64_t found[NT_GC_GENERATIONS], after_gross, before_net, free_after, loh_after, poh_after;
	uint64_t loh_found_used, loh_left_used;
	uint64_t gen0_budget, loh_budget, heap_least, heap_most;
	uint32_t highest, condemn_reasons[2]; /* of the first heap that asked for the highest generation: it decides */
	struct nt_ev_gc_global_history global;
};

/* What is told of one collection beside its other events. */
struct nt_gc_history {
	nt_time time, last;             /* of the first word of it, of the last one */
	uint32_t first_heap, last_heap; /* once heaps_seen */
	struct nt_gc_detail detail;
};

/* What a row does not show. */
struct nt_gc_beside {
	nt_site_ref asker;            /* until its name stands; 0 = not known */
	struct nt_u64 promoted_bytes; /* as the runtime sums it up */
	struct nt_u64 pinned_bytes;   /* left on the pinned heap; of what was not collected, too */
	bool holds_pinned;            /* promoted_bytes has those of the pinned heap, or there are none */
};

enum {
	NT_GC_WHOLE_STACKS = 64, /* of so many of the newest collections the whole stack is kept; of the others the name stands */
	NT_GC_BLOCK_ROWS = 64,
};

/* Rows as snapshots share them. */
struct nt_gc_block {
	size_t number;              /* of its first row / NT_GC_BLOCK_ROWS, of those ever made */
	struct nt_row_block *block; /* a reference; NULL = none yet */
};

struct nt_gc_counts {
	uint64_t count[3], background_count;
	uint64_t pause_ns, pause_tracing_ns, pause_max_ns, suspend_other_ns;
	uint64_t marks, marked_bytes[NT_GC_ROOT_COUNT]; /* marks: events that told of it */
	uint64_t reasons_told, loh_count;               /* collections of gen2 of which the reason is known, and those for large objects */
	uint64_t histories_told, loh_freed_bytes;       /* of gen2, too */
};

struct nt_gc {
	struct nt_gc_stop stops[NT_GC_STOPS]; /* a ring, newest at next - 1 */
	size_t next_stop;
	struct nt_pauses ended; /* the last NT_GC_ENDED_PAUSES stops for collections that have ended; a ring, newest at next_ended - 1 */
	size_t next_ended;

	struct nt_gc_row *rows;      /* owned ring of `limit` */
	struct nt_gc_beside *beside; /* owned; of each row */
	size_t limit, row_count;     /* row_count: ever made; the newest is rows[(row_count - 1) % limit] */
	size_t row_capacity, beside_capacity;
	struct nt_gc_block *blocks; /* owned ring of `block_limit` */
	size_t block_limit;
	struct nt_gc_trigger triggers[NT_GC_TRIGGERS]; /* a ring, from first to before next */
	size_t first_trigger, next_trigger;

	bool background_known; /* a background collection's start was seen */
	uint32_t background_number;
	uint32_t background_stops; /* reason-6 stops since then */

	struct nt_gc_detail detail; /* came before the GCEnd that it belongs to */
	struct nt_gc_heaps heaps;
	bool awaiting; /* the newest GCEnd has no details yet: they may follow it */
	uint64_t awaiting_number;
	uint64_t last_ended; /* number of the newest GCEnd */
	bool any_ended, any_event;

	struct nt_gc_history *histories; /* owned; by time, at most `limit`: those of collections that are not known yet */
	size_t history_count, history_capacity;

	struct nt_u64 heap_bytes, loh_bytes, handle_count;
	struct nt_f64 fragmentation_pct; /* of the last collection: by its histories, or by the runtime's counter */
	struct {
		uint64_t bytes;
		nt_time heard; /* 0 = never */
	} committed;
	struct nt_gc_counts interval, total;
	struct nt_histogram pauses_interval, pauses_total;
	double window_pause, window_time; /* ns, exponentially weighted */

	struct {
		struct nt_histogram pauses;
		uint64_t count;
		nt_time first, last; /* of the first and last collection's end */
		uint64_t interval_count;
		double window_count;
	} generations[NT_GC_ROW_GENERATIONS];
};

void nt_gc_init(struct nt_gc *gc, size_t history_limit);
void nt_gc_fini(struct nt_gc *gc);

/* Apply an event of the kinds NT_EV_GC_START .. NT_EV_GC_FINALIZERS_END. mode: of the target. stack: of a GC_TRIGGERED; 0 elsewhere. */
void nt_gc_apply(struct nt_gc *gc, enum nt_source_id source, const struct nt_event *event, enum nt_target_mode mode, nt_site_ref stack);

/* `gc-fragmentation` of System.Runtime: the runtime's counter of what the histories say of the last collection. */
void nt_gc_counted(struct nt_gc *gc, const struct nt_ev_counter *told);

/* `gc-committed` of System.Runtime, in millions of bytes: what the GC had of the system at the last collection. */
void nt_gc_committed(struct nt_gc *gc, const struct nt_ev_counter *told, nt_time time);

/* gc_settings.c: one more word about a setting of the collector. What is out of range is left out. */
void nt_gc_settings_said(struct nt_gc_settings *settings, const struct nt_ev_gc_setting *said);

/* gc_histories.c: histories that are told beside the other events; and, when an interval ends, what has come is joined with its collections. */
void nt_gc_told_beside(struct nt_gc *gc, const struct nt_event *event);
void nt_gc_join_histories(struct nt_gc *gc);

/* An interval is about to end at `t1`: what has passed of pauses that are still open counts in it, as far as their source has told. */
void nt_gc_pass(struct nt_gc *gc, const struct nt_sources *sources, nt_time t1);

/* The stops for collections that are still known, those that somebody made by tracing, too: all threads stood. */
void nt_gc_pauses(const struct nt_gc *gc, struct nt_pauses *out);

/* Fill figures and generations and start the next interval. `known` says whether the figures can be known (see why.h). */
void nt_gc_close(struct nt_gc *gc, const struct nt_span *span, bool interval_known, bool total_known, struct nt_process_snapshot *process);

/* gc_recent.c: the pauses of the last ten intervals, of which this is the last. */
void nt_gc_fill_recent(struct nt_gc *gc, const struct nt_span *span, struct nt_gc_generation_row *out);

/*
 * gc_askers.c: a GC_TRIGGERED, and the start of a collection. They come through different streams: either may be there first, so a collection is the
 * one that begins next after the trigger, by their times. (Server GC says the trigger before it stops the program, workstation GC within the stop.)
 */
void nt_gc_asked(struct nt_gc *gc, nt_time time, nt_site_ref by);
void nt_gc_answered(struct nt_gc *gc, struct nt_gc_row *row);

/* gc_askers.c: say of each collection who asked for it. */
void nt_gc_name_askers(struct nt_gc *gc, struct nt_sites *sites);

/* gc_show.c: the rows of the snapshot, with the names of those who asked; the stacks of the newest go into the snapshot. After nt_gc_close(). */
void nt_gc_show(struct nt_gc *gc, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_process_snapshot *process);
void nt_gc_blocks_init(struct nt_gc *gc); /* of a subject with its limit */
void nt_gc_blocks_fini(struct nt_gc *gc);

/* ---- gc_rows.c, for the files of this subject ---- */

struct nt_gc_row *nt_gc_row_find(struct nt_gc *gc, uint64_t number);
struct nt_gc_row *nt_gc_row_add(struct nt_gc *gc, uint64_t number);
struct nt_gc_row *nt_gc_row_newest(struct nt_gc *gc, size_t back); /* 0 = newest; NULL = no such row */
nt_site_ref *nt_gc_row_asker(struct nt_gc *gc, const struct nt_gc_row *row);
/* The runtime's own sums, which come after its end. */
void nt_gc_row_stats(struct nt_gc *gc, struct nt_gc_row *row, const struct nt_ev_gc_heap_stats *stats);
void nt_gc_detail_add(struct nt_gc_detail *detail, const struct nt_ev_gc_heap_history *history);
void nt_gc_row_detail(struct nt_gc *gc, struct nt_gc_row *row, const struct nt_gc_detail *detail);
void nt_gc_row_finish(struct nt_gc *gc, struct nt_gc_row *row); /* its pauses are complete */

/* ---- gc_reasons.c ---- */

/* Which generation a heap asked to be collected: 0 .. 3, and the reasons as words, `gen2 budget, induced`; what does not fit is left out. */
uint32_t nt_gc_reasons_highest(const uint32_t reasons[2]);
void nt_gc_reasons_text(const uint32_t reasons[2], char *out, size_t size);

/* Visit the texts that are kept. */
void nt_gc_each_text(const struct nt_gc *gc, nt_text_visit *visit, void *context);

#endif
