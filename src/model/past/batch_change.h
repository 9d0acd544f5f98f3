/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Has a quotient changed from one time to another by more than its own scatter? Samples of a method by second, or by all samples; bytes by second; nanoseconds by request. Pure arithmetic.
 *
 * What is measured within a second is not independent: a burst makes many samples. So each time is cut into batches that follow each other, and the error comes from the scatter of the batches (the
 * error of a ratio estimate, Cochran, Sampling Techniques, 6), with what neighbours have in common (Newey and West 1987), because a phase lasts longer than a batch. The quantile is Student's: few batches
 * know their own scatter badly.
 */
#ifndef NT_MODEL_PAST_BATCH_CHANGE_H
#define NT_MODEL_PAST_BATCH_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

/* One of the two times. Borrowed. */
struct nt_batches {
	const double *amounts; /* of each batch: what is compared */
	const double *bases;   /* by what it is measured; not negative, not all of them 0 */
	size_t count;
};

struct nt_change {
	double before, after;             /* amounts by bases */
	double error;                     /* standard error of after - before; */
	double before_error, after_error; /* and of each */
	double chance;                    /* of a difference as large as that, or larger, where nothing has changed; 0 .. 1 */
};

/* Fewer batches do not say how they scatter. */
enum { NT_BATCHES_LEAST = 8 };

/*
 * `unit`: what is known of the error of a single amount before it is looked at: its variance is at least `unit` times the amount (1: things that are counted one by one; 0: it is measured exactly).
 * Returns false where there are too few batches on a side, or less than half as many have most of the base.
 */
bool nt_change_between(const struct nt_batches *before, const struct nt_batches *after, double unit, struct nt_change *out);

/*
 * How many times as long both times would have to be for a change of `difference` with this error to be seen in 19 of 20 cases, if it is to be less likely by chance than `chance`: where neighbours happen
 * to have a little in common.
 */
double nt_change_needs(double difference, double error, double chance);

#endif
