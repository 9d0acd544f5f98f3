/* SPDX-License-Identifier: GPL-2.0-only */
/* The interval that is being closed, as every subject of the model sees it. */
#ifndef NT_MODEL_SPAN_H
#define NT_MODEL_SPAN_H

#include "nettop/clock.h"

#include <stdbool.h>

struct nt_span {
	nt_time t0, t1;  /* [t0, t1) */
	nt_time start;   /* of the first interval */
	uint64_t number; /* 1, 2, 3 ... */
	double decay;    /* of the window, per interval */
	bool final;
};

static inline nt_time nt_span_length(const struct nt_span *span)
{
	return span->t1 - span->t0;
}

#endif
