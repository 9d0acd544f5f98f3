/* SPDX-License-Identifier: GPL-2.0-only */
/* What differs between two spans of the past by more than the scatter within them: made when somebody compares them (model/past). Source: the samples that are kept, and the rows of the intervals. */
#ifndef NETTOP_DIFFERENCE_H
#define NETTOP_DIFFERENCE_H

#include "nettop/clock.h"
#include "nettop/known.h"

#include <stddef.h>

/* A method by its own CPU time, in both spans. */
struct nt_difference_row {
	uint64_t id;                       /* in the order of what matters, from 1 on */
	const char *name;                  /* in the snapshot */
	const char *module;                /* likewise; NULL = none */
	struct nt_f64 before_ns, after_ns; /* CPU time in a second; not known when nobody knows how often samples are taken */
	double before_pct, after_pct;      /* of the CPU samples */
	double change_pct; /* of the CPU time in a second that it would have if it had changed as most methods have; infinite: it had none */
	double error_pct;  /* standard error of that, likewise */
	double chance;     /* that a change as large as this comes up in any row, where nothing has changed */
	uint64_t before_samples, after_samples;
};

struct nt_difference_side {
	nt_time t0, t1;  /* what was asked for */
	nt_time told_ns; /* of that, samples are told of */
	uint64_t samples;
	size_t batches; /* that it was cut into */
};

/* All zero: nothing was compared. */
struct nt_difference {
	struct nt_difference_side before, after;
	const struct nt_difference_row *rows; /* in the snapshot: by `id` */
	size_t row_count;
	size_t method_count; /* that have enough samples to be compared, both spans together */
	double load;         /* most methods have so many times the CPU time in a second that they had; 0 = nothing was compared */
	const char *reason;  /* why none could be compared; NULL = they could. Constant */
	/* The spans would have to be so many times as long, at least, for a method of a tenth of the CPU time that takes a fifth more to be named in most cases; not known without samples. */
	struct nt_f64 needs;
};

/* Less likely than this by chance is what is told, all rows of two spans together. */
#define NT_DIFFERENCE_CHANCE 0.0007

#endif
