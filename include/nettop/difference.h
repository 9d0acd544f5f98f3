/* SPDX-License-Identifier: GPL-2.0-only */
/* What differs between two spans of the past by more than the scatter within them: made when somebody compares them (model/past). Source: the samples that are kept, and the rows of the intervals. */
#ifndef NETTOP_DIFFERENCE_H
#define NETTOP_DIFFERENCE_H

#include "nettop/clock.h"
#include "nettop/known.h"

#include <stddef.h>

/* What of a row differs. In this order they are told. */
enum nt_difference_kind {
	NT_DIFFER_CPU,          /* a method's own CPU time, ns in a second */
	NT_DIFFER_BYTES,        /* allocated of a type, bytes in a second */
	NT_DIFFER_OBJECTS,      /* likewise, objects in a second */
	NT_DIFFER_REQUEST_TIME, /* ns that a request of a route took on average */
	NT_DIFFER_REQUESTS,     /* that ended in a second */
	NT_DIFFER_THROWN,       /* exceptions of a type in a second */
	NT_DIFFER_LOCK_TIME,    /* waited for locks in a method, ns in a second */
	NT_DIFFER_COMPILED,     /* methods of a module compiled in a second */
	NT_DIFFER_CPU_CALLS,    /* CPU time of a method and of what it calls, ns in a second */
	NT_DIFFER_PAUSE,        /* ns that a collection of a generation paused the program on average */
	NT_DIFFER_COLLECTIONS,  /* of a generation in a second */
	NT_DIFFER_WAIT_TIME,    /* that threads were blocked in a method, other than for work, ns in a second */
	NT_DIFFER_KINDS
};

/* A name in both spans, by one of these. */
struct nt_difference_row {
	uint64_t id;        /* in the order of what matters, from 1 on */
	const char *name;   /* in the snapshot */
	const char *module; /* likewise; NULL = none */
	enum nt_difference_kind kind;
	struct nt_f64 before, after;         /* as the kind says; of CPU time not known when nobody knows how often samples are taken */
	struct nt_f64 before_pct, after_pct; /* of what is sampled: of all such samples, or bytes */
	double change_pct; /* of what is sampled, of what there would be if it had changed as most rows have; infinite: there was none */
	double error_pct;  /* standard error of that, likewise */
	double chance;     /* that a change as large as this comes up in any row of any kind, where nothing has changed */
	uint64_t before_count, after_count; /* samples, or what else was counted */
};

struct nt_difference_side {
	nt_time t0, t1;  /* what was asked for */
	nt_time told_ns; /* of that, samples are told of */
	uint64_t samples;
	size_t batches;     /* that it was cut into */
	uint32_t other_pid; /* of another process than the one that is looked at; 0 = it is that one's */
};

/* All zero: nothing was compared. */
struct nt_difference {
	struct nt_difference_side before, after;
	const struct nt_difference_row *rows; /* in the snapshot: by `id` */
	size_t row_count;
	size_t compared
		[NT_DIFFER_KINDS]; /* rows of which there was enough to be compared, both spans together; 0 = none, or not told in both */
	double load;               /* most methods have so many times the CPU time in a second that they had; 0 = none was compared */
	const char *reason;        /* why no CPU time could be compared; NULL = it could. Constant */
	/* The spans would have to be so many times as long, at least, for a method of a tenth of the CPU time that takes a fifth more to be named in most cases; not known without samples. */
	struct nt_f64 needs;
};

/* Less likely than this by chance is what is told, all rows of all kinds of two spans together. */
#define NT_DIFFERENCE_CHANCE 0.0007

#endif
