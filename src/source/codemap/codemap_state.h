/* SPDX-License-Identifier: GPL-2.0-only */
/* The sentences about the perf map: what it is doing, or what stands in the way and the least fix. Reported when they change. */
#ifndef NT_SOURCE_CODEMAP_STATE_H
#define NT_SOURCE_CODEMAP_STATE_H

#include "source/codemap/codemap_out.h"
#include "source/codemap/codemap_switch.h"
#include "source/codemap/codemap_tail.h"

struct nt_codemap_state {
	const struct nt_files_target *target;       /* borrowed */
	struct nt_codemap_out *out;                 /* borrowed */
	const struct nt_codemap_switched *switched; /* borrowed: what there is to say of its being switched on */
	bool delivered;                             /* the map could be read once */
	enum nt_source_state last;
	char reason[320], fix[320]; /* as last reported */
};

/* Reports that the source starts. */
void nt_codemap_state_init(struct nt_codemap_state *state, const struct nt_files_target *target, const struct nt_codemap_switched *switched,
			   struct nt_codemap_out *out);

/* Report how the last look went, if that is news. */
void nt_codemap_state_report(struct nt_codemap_state *state, const struct nt_codemap_look *look);

/* The share in the map was given back: report if something is left of it. */
void nt_codemap_state_end(struct nt_codemap_state *state);

#endif
