/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What threads wait for that do not run. Two ways, by thread: looks from outside (STACK), each of which stands for the time since the one before; switches (SWITCH),
 * which say to the nanosecond when a wait begins and ends, and WAKE, who ended it. Of a thread whose switches are told looks only say where it is and for
 * what: its time is not counted twice.
 */
#ifndef NT_MODEL_WAITS_H
#define NT_MODEL_WAITS_H

#include "base/index.h"
#include "model/common/span.h"
#include "model/waits/wait_groups.h"
#include "model/waits/wait_strips.h"
#include "nettop/stacks.h"

enum {
	NT_WAITS_THREADS = 1 << 15,   /* at a time; of those beyond it is only counted how many they are, */
	NT_WAITS_UNCOUNTED = 1 << 16, /* so many at most */
	NT_WAITS_LOOKS = 4,           /* of a thread whose switches are told without places: kept until it is known what it did then */
};

/*
 * Of a thread whose switches are told, once it is known: up to `time` it waited for so many ns; `part` says whether for a CPU alone (NT_TIME_READY). `chain`: where; NULL = not told.
 * `over`: the wait is; one over the end of an interval is told in parts.
 */
typedef void nt_waits_waited(void *context, uint32_t tid, enum nt_time_part part, struct nt_chain *chain, nt_time time, nt_time ns,
			     bool over);

/* What a look has found of a thread whose switches are told without places, later than looks. */
struct nt_wait_look {
	nt_time time;
	nt_site_ref stack;  /* 0 = not known */
	uint32_t said;      /* enum nt_wait_kind */
	uint32_t owner_tid; /* these three as in struct nt_wait_thread */
	uint64_t object;
	const char *what;
	bool partial;
};

/* A thread that waits, or has waited lately. */
struct nt_wait_thread {
	uint32_t tid;
	bool waits;
	bool exact;            /* by its switches; else by looks */
	bool runs;             /* exact: it has had a CPU since counted_until */
	bool of_runtime;       /* as of the end of the last interval: the runtime has it for itself */
	bool ready;            /* exact: it has been woken, or was preempted: it waits for a CPU */
	bool partial;          /* its stack lacks callers, or there is none */
	bool since_before;     /* by looks: it has waited for longer, nobody has seen since when */
	uint32_t managed_id;   /* as in struct nt_ev_stack */
	nt_time looked;        /* newest look at it; 0 = none */
	nt_time since;         /* it has waited since then; NT_TIME_UNKNOWN = not known */
	nt_time ready_since;   /* exact, ready */
	nt_time counted_until; /* up to here it is in the piece, and in its strip what it ran */
	nt_time heard;         /* newest event of it */
	struct nt_wait_piece piece;
	struct nt_chain *chain;                    /* exact: where it waits, while somebody asks for that; NULL = not told */
	nt_time blocked_ns;                        /* exact: waited, but not for a CPU, and not told yet; */
	nt_time ready_ns;                          /* and for a CPU */
	enum nt_wait_kind kind;                    /* as found when the interval closed */
	uint32_t owner_tid;                        /* who holds what it waits for; 0 = not known, or nobody */
	uint64_t object;                           /* as in struct nt_ev_stack */
	const char *what;                          /* the table's; NULL = not known */
	struct nt_wait_look looks[NT_WAITS_LOOKS]; /* oldest first */
	unsigned look_count;
};

struct nt_wait_counts {
	uint64_t count, spent_ns;
};

struct nt_waits {
	struct nt_wait_thread *threads; /* owned; in no order */
	size_t count, capacity;
	struct nt_index by_tid;
	struct nt_index uncounted;      /* threads that were too many: the second in which each was last heard of, by tid */
	size_t uncounted_most;          /* at the end of any interval */
	bool timed;                     /* of switches nothing but when they were is told, or once was */
	bool exact;                     /* switches are told, of all threads: */
	nt_time exact_since;            /* since then, */
	nt_time exact_ns, exact_all_ns; /* and before that for so long: in the open interval, in all intervals before */
	struct nt_wait_counts total;
	struct nt_wait_counts beyond; /* in the open interval: waits that could not be told apart, because there were too many */
	nt_waits_waited *waited;      /* is told of time; NULL = nobody */
	void *waited_context;
	struct nt_wait_sites sites;
	struct nt_wait_groups groups;
	struct nt_wait_strips strips;
};

void nt_waits_init(struct nt_waits *waits);
void nt_waits_fini(struct nt_waits *waits);

/* STACK, SWITCH and WAKE; others are ignored. `stack`: the event's, of WAKE that of the thread that wakes, 0 = not known. `chain`: that of a STACK or a SWITCH, where blocked time is told; else NULL. `what`: the table's, of a STACK; NULL = not said. */
void nt_waits_apply(struct nt_waits *waits, const struct nt_event *event, nt_site_ref stack, struct nt_chain *chain, const char *what);

/* Are this thread's switches told, so that its time is known by them? */
bool nt_waits_is_exact(const struct nt_waits *waits, uint32_t tid);

/* Tell the time waited up to `time` of all that wait. `keep` says where a chain is from now on: those of sources end with the interval. */
void nt_waits_tell_waited(struct nt_waits *waits, nt_time time, struct nt_chain *(*keep)(void *context, const struct nt_chain *chain),
			  void *context);

/* Are all switches told from now on? When not, what was known by them is not known any more. `timed`: nothing but when they are: looks say where threads wait. */
void nt_waits_set_exact(struct nt_waits *waits, bool exact, bool timed, nt_time time);

void nt_waits_thread_ended(struct nt_waits *waits, uint32_t tid);

/*
 * Figures and rows, also what threads wait for in process->threads, which have been filled. `looked_until`: up to where looks have been told of, whatever of that belongs to later intervals.
 */
void nt_waits_close(struct nt_waits *waits, const struct nt_span *span, nt_time looked_until, bool interval_known, bool total_known,
		    struct nt_sites *stacks, struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_waits_each_text(const struct nt_waits *waits, nt_text_visit *visit, void *context);

/* waits_threads.c, for nt_waits_close(): the threads' rows. */
void nt_waits_fill_threads(const struct nt_waits *waits, const struct nt_span *span, struct nt_sites *stacks, struct nt_snapshot *snapshot,
			   struct nt_process_snapshot *process);

#endif
