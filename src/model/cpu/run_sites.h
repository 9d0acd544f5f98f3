/* SPDX-License-Identifier: GPL-2.0-only */
/* Where CPU time went by the method that people look for: the first of a sample's frames that is the program's own, or what ran. */
#ifndef NT_MODEL_RUN_SITES_H
#define NT_MODEL_RUN_SITES_H

#include "model/cpu/cpu.h"

/* Samples, each of them at one site. Texts are the table's. */
struct nt_run_site {
	const char *name, *module; /* NULL = none */
	uint64_t interval, all;
	double window;
};

/* All that have any, before the rows' interval is closed; *count of them, in no order, the caller's. Names that several keys have come several times. */
struct nt_run_site *nt_run_sites(const struct nt_cpu *cpu, size_t *count);

#endif
