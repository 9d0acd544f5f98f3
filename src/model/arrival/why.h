/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a subject's figures are known, and if not, why and what to do. A figure is known only when a source that can deliver it for this
 * target is delivering (interval) or has been (total): then "nothing happened" is 0, otherwise it is unknown.
 */
#ifndef NT_MODEL_WHY_H
#define NT_MODEL_WHY_H

#include "model/arrival/owners.h"
#include "model/arrival/source_accounts.h"
#include "model/process/proc.h"
#include "nettop/subject.h"

struct nt_knowledge {
	bool interval, total;
	enum nt_source_id source;              /* who tells of it */
	struct nt_why interval_why, total_why; /* both NULL when it is known */
};

struct nt_knowledge nt_why(enum nt_subject_id subject, const struct nt_sources *sources, const struct nt_owners *owners,
			   const struct nt_left_out *left_out);

/* Which sources (bits 1 << enum nt_source_id) tell of a subject by what they are asked for (enum nt_demand bits); 0 = it is not asked for. */
uint32_t nt_why_told_by(enum nt_subject_id subject, const struct nt_left_out *left_out, uint32_t *asked);

/* Why EventPipe cannot be asked for anything; no reason = it can. */
struct nt_why nt_why_no_eventpipe(const struct nt_sources *sources);

/* Why the events of a subject that come now have no call stacks; no reason = they have, or none has come. */
struct nt_why nt_why_no_stacks(enum nt_subject_id subject, const struct nt_sources *sources, const struct nt_owners *owners);

/* Of waits: why not each switch is told with its stack; no reason = it is, or nobody has said. *in_short, in two words, is set where there is one. */
struct nt_why nt_why_not_exact(const struct nt_sources *sources, const char **in_short);

#endif
