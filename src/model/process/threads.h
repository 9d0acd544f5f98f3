/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads of the target. A thread is (tid, start time): a re-used tid is another thread. Ended ones stay for a while as tombstones, so that the
 * screen does not jump.
 */
#ifndef NT_MODEL_THREADS_H
#define NT_MODEL_THREADS_H

#include "base/index.h"
#include "base/texts.h"
#include "model/common/hot.h"
#include "model/process/proc.h"

/* Samples of one kind. */
struct nt_thread_samples {
	uint64_t interval;
	double window;
	struct nt_hot *hot; /* owned; NULL = none in the window */
};

/* What it has allocated since it began, at a time. */
struct nt_allocated_reading {
	nt_time time;
	uint64_t bytes;
	bool known;
};

struct nt_thread {
	uint64_t id; /* order of appearance and tid */
	uint32_t tid;
	uint64_t start_ticks; /* 0 = not known yet */
	const char *name;     /* the table's; NULL = not known */
	uint32_t clr_flags;   /* of ThreadCreated; 0 = not said */
	struct nt_cpu_rate cpu;
	char state;
	nt_time state_since;
	nt_time seen;     /* newest event about it */
	nt_time ended_at; /* NT_TIME_UNKNOWN = lives */
	uint64_t interval_weight_ns;
	struct nt_thread_samples samples[NT_SAMPLE_KINDS];
	struct nt_trend trend;
	nt_time ran_at;                  /* last seen to use CPU time; 0 = not yet */
	struct nt_cpu_reading busy_from; /* begin of the time in which it has been busy; not known = it is not */
	nt_time parked_at;               /* it then began to wait for work of the thread pool; 0 = it does not wait for that */
	struct nt_cpu_reading parked;    /* first reading since then: when it has used more CPU time, it has got work */
	struct nt_allocated_reading allocated, allocated_before; /* the newest; the newest of the interval in which there was one before */
	struct nt_f64 allocated_per_s;                           /* between these; not known = there are none, or they are old */
	bool fresh;
};

struct nt_threads {
	struct nt_thread *items; /* owned; in order of appearance */
	size_t count, capacity;
	struct nt_index by_tid; /* the living one */
	uint64_t made;          /* ever */
	size_t ended_count;
	nt_time newest_reading;        /* of any thread's procfs values */
	size_t hot_count;              /* lists of threads' methods: of those with samples in the window */
	struct nt_hot_renames renames; /* of this interval */
};

enum {
	NT_THREAD_LIMIT = 1 << 16, /* rows; beyond, new threads have none */
	NT_THREAD_TOMBSTONES = 4096,
	NT_THREAD_HOT = 4096, /* threads whose methods are told apart, by one kind of samples */
};

/* Free the lists of the methods of its samples; returns how many there were. */
size_t nt_thread_forget_methods(struct nt_thread *thread);

void nt_threads_init(struct nt_threads *threads);
void nt_threads_fini(struct nt_threads *threads);

/* `name` is the table's or NULL. */
void nt_threads_event(struct nt_threads *threads, uint32_t tid, nt_time time, const struct nt_ev_thread *event, const char *name);
void nt_threads_read(struct nt_threads *threads, uint32_t tid, nt_time time, const struct nt_ev_thread_stat *reading, const char *name);
/* What it has allocated since it began. Of a thread that nobody else has told of nothing is kept. */
void nt_threads_allocated(struct nt_threads *threads, uint32_t tid, nt_time time, uint64_t bytes);

/* The runtime made a managed thread of it. `flags`: see roles.h. Of a thread that nobody else has told of nothing is kept: it may be gone. */
void nt_threads_created(struct nt_threads *threads, uint32_t tid, nt_time time, uint32_t flags);

/* A worker of the thread pool has begun to wait for work, or begins to work. Of a thread that nobody else has told of nothing is kept. */
void nt_threads_pool_worker(struct nt_threads *threads, uint32_t tid, nt_time time, bool waits);

#define NT_THREAD_NONE UINT32_MAX

/* A sample that tells of `count`, of CPU time with a weight. Returns the place of the thread until the interval closes, or NT_THREAD_NONE. */
uint32_t nt_threads_sample(struct nt_threads *threads, enum nt_sample_kind kind, uint32_t tid, nt_time time, unsigned count,
			   uint64_t weight_ns);

/* `count` of the samples of the interval were in this method. `place`: as nt_threads_sample() said. */
void nt_threads_sampled_in(struct nt_threads *threads, enum nt_sample_kind kind, uint32_t place, unsigned count,
			   const struct nt_key *method);

/* Is there a thread of this id that has not ended? */
bool nt_threads_living(const struct nt_threads *threads, uint32_t tid);

/* Fill rows (their methods into snapshot->arena; samples of the kind `shown`) and the hottest thread, and start the next interval. */
void nt_threads_close(struct nt_threads *threads, enum nt_sample_kind shown, const struct nt_span *span, struct nt_snapshot *snapshot,
		      struct nt_process_snapshot *process);

/* Threads that wait at the same place for the same thing fold into the row of the one that waits longest. Once the rows say what they wait for. */
void nt_threads_fold_waiting(struct nt_process_snapshot *process);

/* For threads*.c only: it has ended. */
void nt_threads_end(struct nt_threads *threads, struct nt_thread *thread, nt_time time);

/* Visit the texts that are kept. */
void nt_threads_each_text(const struct nt_threads *threads, nt_text_visit *visit, void *context);

#endif
