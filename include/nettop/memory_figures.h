/* SPDX-License-Identifier: GPL-2.0-only */
/* What of a process is in memory: a part of the figures (nettop/snapshot.h). */
#ifndef NETTOP_MEMORY_FIGURES_H
#define NETTOP_MEMORY_FIGURES_H

#include "nettop/known.h"

struct nt_memory_figures {
	struct nt_u64 covered_ns; /* as that of threads */
	struct nt_u64 rss_bytes;  /* all that is resident: the sum of the next three, where they are known */
	struct nt_u64 anon_bytes, file_bytes, shared_bytes;
	struct nt_u64 swap_bytes; /* anonymous memory that is swapped out */
};

#endif
