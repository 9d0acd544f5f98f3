/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a counter of the runtime adds up to in an interval. Its periods do not begin with intervals: an interval gets, at the rate of the periods that ended in it
 * or last, as much as there is of it since the first of them began, and until the next one is overdue.
 */
#ifndef NT_MODEL_COUNTED_H
#define NT_MODEL_COUNTED_H

#include "model/common/span.h"

struct nt_counted {
	bool counting;        /* the counter tells */
	nt_time since, until; /* told without a gap */
	nt_time period_ns;    /* the last */
	double interval;      /* told in the open interval, over the periods of interval_ns */
	nt_time interval_ns;
	double per_s;       /* over the periods that ended last */
	nt_time covered_ns; /* of the interval that was closed: so much was told, or is about to be told at the end of a period that goes on */
	nt_time told_ns;    /* since attach: length of all periods */
	double value;       /* the newest, of a counter that says how much there was in all */
	nt_time value_ns;
};

/* By how much it has grown in a period that ended at `time`. What is no growth, or of no period, changes nothing. */
void nt_counted_grew(struct nt_counted *counted, nt_time time, nt_time period_ns, double change);

/* How much there is in all at the end of a period: from the second on it says by how much it has grown. */
void nt_counted_stands(struct nt_counted *counted, nt_time time, nt_time period_ns, double value);

/* The interval ends: notes a silence that is too long. `counting` and `interval` then say whether the counter tells and what was told in it. */
void nt_counted_close(struct nt_counted *counted, const struct nt_span *span);

/* What the part of the interval that is covered makes of the rate. */
double nt_counted_amount(const struct nt_counted *counted);

/* Start the next interval. */
void nt_counted_next(struct nt_counted *counted);

#endif
