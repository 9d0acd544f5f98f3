/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One process that perf watches: attached to, sampled in rounds, ended. All rings are read up to one moment, the records are put in order of time, and leave as
 * events; an IDLE event with that moment ends the round. Inside src/source/perf/ only.
 */
#ifndef NT_SOURCE_PERF_WATCH_H
#define NT_SOURCE_PERF_WATCH_H

#include "source/perf/perf_cover.h"
#include "source/perf/perf_duty.h"
#include "source/perf/perf_opening.h"
#include "source/perf/perf_queue.h"
#include "source/perf/perf_rate.h"
#include "source/perf/perf_weight.h"
#include "source/perf/switch_watch.h"
#include "source/perf/switches.h"
#include "source/unwind/chain_mender.h"

enum nt_perf_phase {
	NT_PERF_OPENING, /* attaching, on a thread of its own */
	NT_PERF_REFUSED, /* until the next attempt */
	NT_PERF_RUNNING, /* rounds */
	NT_PERF_LAST,    /* one more round, up to the very end */
	NT_PERF_END,
};

struct nt_perf_watch {
	const struct nt_source_config *config; /* borrowed */
	struct nt_outbox *box;                 /* borrowed */
	const struct nt_target *target;        /* borrowed */
	struct nt_perf_opening *opening;       /* owned; while attaching */
	struct nt_perf_attach *attach;         /* owned; afterwards */
	struct nt_perf_weight weight;
	struct nt_perf_rate rate;
	nt_time starts_until; /* few samples at first, of a program that nettop has started; 0 = not, or no more */
	uint64_t arrived;     /* samples, of whomever */
	uint64_t told_count;  /* samples of the target */
	uint64_t walked;      /* frames of their call chains that the kernel walked */
	/* Of events of tasks: what they cost it, and when they count. */
	struct nt_switches switches;
	struct nt_perf_duty duty;
	nt_time next_price;
	nt_time switches_from; /* records of switches are told from here on */
	struct nt_perf_queue queue;
	struct nt_chain_mender *mender; /* owned; NULL = chains are the kernel's */
	enum nt_perf_phase phase;
	char refusal[2 * NT_ERROR_TEXT]; /* that was said last */
	nt_time next_attempt;
	bool delivering; /* said so */
	struct nt_perf_cover cover;
	bool in_round;       /* records of this round are leaving */
	bool last_round;     /* and it is the last */
	nt_time round_until; /* every record up to here is in the queue */
	nt_time next_round, next_measure;
	uint64_t lost_told; /* by records */
	unsigned reading;   /* the list that is being read */
	/* Switches of its threads, for who looks at waits: */
	bool wants_switches, switches_turned;
	struct nt_perf_opening *switch_opening; /* owned; while its threads' own events are opened for them */
	struct nt_switch_watch *switched;       /* owned; NULL = they are not told */
	bool switches_told;                     /* those of all threads */
	struct nt_probe no_switches;            /* why, although they are wanted; or why nothing but their times: */
	enum nt_no_switches why_no_switches;
	nt_time switches_read, switches_from_before;
	uint64_t switches_missing, switched_paid_ns;
};

/* Attach to it, on a thread of its own. Both are borrowed until nt_perf_watch_free(). Errors: those of nt_perf_opening_start() and nt_chain_mender_new(). */
enum nt_status nt_perf_watch_new(const struct nt_source_config *config, struct nt_outbox *box, const struct nt_target *target,
				 struct nt_perf_watch **out, struct nt_error *err);
void nt_perf_watch_free(struct nt_perf_watch *watch); /* NULL is allowed */

/* Is it attached yet? Looks. */
bool nt_perf_watch_is_attaching(struct nt_perf_watch *watch);

/* After a refusal: try again when that is due. */
void nt_perf_watch_tick(struct nt_perf_watch *watch, nt_time now);

/* Go on: at most `budget` records become events, in the outbox. */
void nt_perf_watch_go_on(struct nt_perf_watch *watch, unsigned budget, nt_time now);

/* How long the loop may sleep. */
nt_time nt_perf_watch_rest(const struct nt_perf_watch *watch);

/* Add what it costs the target, and nettop besides the thread that drains. */
void nt_perf_watch_stats(struct nt_perf_watch *watch, struct nt_source_stats *out);

/* One round more, up to now. */
void nt_perf_watch_stop(struct nt_perf_watch *watch);

/* ---- between the files of a watch ---- */

/* perf_round.c: the records of a round, from the rings into the queue; at most `budget` of them into the outbox, true: there are more; what was lost and no record
 * has told. */
void nt_perf_round_read(struct nt_perf_watch *watch);
bool nt_perf_round_tell(struct nt_perf_watch *watch, unsigned budget);
void nt_perf_round_lost(struct nt_perf_watch *watch, nt_time time, uint64_t count);
uint64_t nt_perf_round_untold(const struct nt_perf_watch *watch);

/* perf_switches.c: begin and end with them, true: what comes has changed, and is to be said; read them into the queue; say what is missing of the round that has just been
 * told, true: what waits now was not seen to the end. */
enum nt_status nt_perf_switches_need(struct nt_perf_watch *watch,
				     struct nt_error *err); /* begin, or say why not: nothing is of use without */
bool nt_perf_switches_turn(struct nt_perf_watch *watch, nt_time now);
void nt_perf_switches_read(struct nt_perf_watch *watch, nt_time now);
bool nt_perf_switches_gap(struct nt_perf_watch *watch);
void nt_perf_switches_end(struct nt_perf_watch *watch, nt_time time);

/* perf_price.c: how many samples are asked for. */
enum nt_perf_priced {
	NT_PERF_AS_BEFORE,
	NT_PERF_CHANGED,  /* other samples come from now on */
	NT_PERF_TOO_DEAR, /* records of switches: they are of use only when all of them come */
};

void nt_perf_price_begin(struct nt_perf_watch *watch);

/* By what samples cost nettop; between rounds, when everything older has left with the weight that it had. True: others come from now on. */
bool nt_perf_price_adapt(struct nt_perf_watch *watch);

/* By what events of tasks cost the target: let them count as long as their price allows. */
enum nt_perf_priced nt_perf_price_keep(struct nt_perf_watch *watch, nt_time now);

#endif
