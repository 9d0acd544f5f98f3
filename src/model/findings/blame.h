/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is behind a finding, as far as the rows of the snapshot say. For findings*.c and evidence.c only. */
#ifndef NT_MODEL_BLAME_H
#define NT_MODEL_BLAME_H

#include "nettop/snapshot.h"

/* Which collections are meant. */
enum nt_blame_gc_by {
	NT_BLAME_ALL,    /* those of the generation that stopped the program longest, all of them together */
	NT_BLAME_FULL,   /* likewise, of gen2 only */
	NT_BLAME_LONGEST /* those of the generation of the one with the longest pause, and for what reason that was */
};

/* The collections of the last time. */
struct nt_blame_gc {
	bool known;
	unsigned generation; /* as index of generations[]: 3 = background gen2 */
	double per_s;
	const char *reason;   /* of most of them; NULL = not known */
	uint64_t number;      /* the one with the longest pause */
	uint64_t pause_ns;    /* that */
	const char *asked_by; /* of that; NULL = not known */
};

struct nt_blame_gc nt_blame_gc(const struct nt_process_snapshot *process, nt_time t1, nt_time over_ns, enum nt_blame_gc_by by);

/* The index in generations[] of a collection of gen0, 1 or 2. */
unsigned nt_blame_generation(const struct nt_gc_row *row);

/* The thread that runs finalizers; NULL = not known. */
const struct nt_thread_row *nt_blame_finalizers(const struct nt_process_snapshot *process);

/* The method that took the compiler longest in the interval, or, when there was none, since attach; NULL = there is none at all. */
const struct nt_jit_row *nt_blame_jit(const struct nt_process_snapshot *process);

/* The place where most time was spent waiting for locks in the interval, or since attach; NULL = there is none at all. */
const struct nt_lock_row *nt_blame_lock(const struct nt_process_snapshot *process);

/* The type most often thrown in the interval, or since attach; NULL = there is none at all. */
const struct nt_exception_row *nt_blame_exception(const struct nt_process_snapshot *process);

/* The route that failed most often in the interval, or since attach; NULL = none has. */
const struct nt_request_row *nt_blame_request(const struct nt_process_snapshot *process);

/*
 * Of what is served, or made, that of which it is known what it takes now and what is usual: the slow one whose p99 has risen most; where none is slow, the one that has risen
 * most. NULL = of none both are known.
 */
const struct nt_request_row *nt_blame_slow(const struct nt_process_snapshot *process, enum nt_request_way way);

/*
 * Requests that take a second and more because calls of their own do: `served` is the slowest route, `made` the peer, or the database, whose calls take about as long. Which request made which call is not known:
 * that both take so long is the evidence. False = there is no such pair, or it has been so for ten minutes: then it is usual.
 */
struct nt_slow_call {
	const struct nt_request_row *served, *made;
};
bool nt_blame_slow_call(const struct nt_process_snapshot *process, struct nt_slow_call *out);

/* To whom most requests go: of connections that are opened nobody says whose they are. NULL = not known. */
const char *nt_blame_peer(const struct nt_process_snapshot *process);

/* The type with most bytes in the window, while allocations are sampled; NULL = they are not, or there was none. */
const struct nt_alloc_row *nt_blame_allocation(const struct nt_process_snapshot *process);

/* The type with most large objects in the window, by bytes; NULL likewise. */
const struct nt_alloc_row *nt_blame_large(const struct nt_process_snapshot *process);

/* Who asked for the newest collection that large objects made necessary; NULL = not known. */
const char *nt_blame_large_asker(const struct nt_process_snapshot *process);

/* What most of the program's own threads have in common: where they wait, else what they are called. */
struct nt_blame_threads {
	const char *site;  /* NULL = not known, or not one place */
	const char *means; /* how they wait there; NULL = not known */
	const char *
		name; /* of one of them; the first `name_length` of it are those of all: numbers at the end do not count. NULL = likewise */
	size_t name_length;
	uint32_t count; /* so many of them */
};

struct nt_blame_threads nt_blame_threads(const struct nt_process_snapshot *process);

/* What most of that is which the process has open, while somebody looks. */
struct nt_blame_open {
	uint64_t count; /* 0 = not known */
	enum nt_io_kind kind;
	const char *what; /* by name, where one has most; NULL = they have many names, or none */
};

struct nt_blame_open nt_blame_open(const struct nt_process_snapshot *process);

/* Workers of the thread pool, and those of them that do not run although they have work. */
struct nt_blame_pool {
	uint32_t worker_count, resting_count;
	const struct nt_thread_row *longest; /* rests longest; NULL = none does */
	const char *site;                    /* where most of those that rest wait; NULL = not known, or not one place */
	const char *means;                   /* how they wait there; NULL = not known */
	uint32_t site_count;                 /* so many of them */
	enum nt_wait_kind wait;              /* and for what the one waits that names it */
};

struct nt_blame_pool nt_blame_pool(const struct nt_process_snapshot *process);

/* A worker of the thread pool that does not run, and does not wait for work either, as far as that is known. */
bool nt_blame_rests(const struct nt_thread_row *row);

#endif
