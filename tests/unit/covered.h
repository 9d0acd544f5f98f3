/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures made by hand that were told of all their span. */
#ifndef NT_TESTS_COVERED_H
#define NT_TESTS_COVERED_H

#include "nettop/snapshot.h"

static inline void cover_span(struct nt_figures *figures, nt_time length_ns)
{
	struct nt_u64 span_ns = nt_u64_of(length_ns);
	figures->span_ns = figures->lived_ns = length_ns;
	figures->cpu.covered_ns = figures->gc.covered_ns = figures->gc.alloc_covered_ns = figures->jit.covered_ns = span_ns;
	figures->pool.covered_ns = figures->exceptions.covered_ns = figures->locks.covered_ns = figures->waits.covered_ns =
		figures->io.covered_ns = figures->host.covered_ns = figures->requests.covered_ns = span_ns;
}

static inline void cover_all(struct nt_figures *figures)
{
	cover_span(figures, figures->span_ns);
}

#endif
