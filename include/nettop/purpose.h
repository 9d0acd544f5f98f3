/* SPDX-License-Identifier: GPL-2.0-only */
/* What CPU time is used for. */
#ifndef NETTOP_PURPOSE_H
#define NETTOP_PURPOSE_H

#include <stddef.h>

#include "nettop/known.h"

/* Each CPU sample is of one, by the code that it hit, and for the runtime's code by who ran it. */
enum nt_purpose {
	NT_PURPOSE_PROGRAM,   /* methods of the program, and of libraries that do not come with .NET */
	NT_PURPOSE_FRAMEWORK, /* methods that come with .NET */
	NT_PURPOSE_GC,        /* the runtime's code on the collector's threads, and in pauses on all */
	NT_PURPOSE_JIT,       /* the compiler, and what it asks of the runtime */
	NT_PURPOSE_RUNTIME,   /* the rest of the runtime, and its stubs */
	NT_PURPOSE_KERNEL,    /* whoever called it, but for what is idle */
	NT_PURPOSE_NATIVE,    /* libraries that are not the runtime's */
	NT_PURPOSE_IDLE,      /* workers of the thread pool that have no work: they spin for it, go to sleep, wake */
	NT_PURPOSE_UNKNOWN,   /* what lies there is not known, or not yet */
	NT_PURPOSE_COUNT
};

/* In the title row, and with "_pct" and "_samples" behind it in the member `purposes` of JSON. "?" for a value out of range. */
const char *nt_purpose_name(enum nt_purpose purpose);

/* Of the CPU samples of a span: the sums of all purposes are the samples. */
struct nt_purpose_figures {
	struct nt_u64 samples[NT_PURPOSE_COUNT];
	struct nt_f64 pct[NT_PURPOSE_COUNT]; /* not known while there are no samples */
};

enum { NT_PURPOSES_BYTES = 256 };

/*
 * The shares as text, largest first, as many as fit in so many cells: `program 41%  kernel 22%  gc 12%`. Those below half a percent are left out; an empty text when
 * none is known or fits.
 */
void nt_purposes_text(const struct nt_f64 pct[NT_PURPOSE_COUNT], int cells, char text[NT_PURPOSES_BYTES]);

#endif
