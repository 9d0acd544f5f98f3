/* SPDX-License-Identifier: GPL-2.0-only */
/* Which sources would deliver if somebody watched a process, and what is needed for that: for a list of many, from the verdicts of the prerequisites. */
#ifndef NT_TARGET_USABLE_H
#define NT_TARGET_USABLE_H

#include "nettop/process_row.h"
#include "target/needs/prerequisites.h"

enum { NT_USABLE_BYTES = 512 };

/*
 * Of facts that have a target; source: one of nt_listed_sources. The first prerequisite that fails decides, and `why` becomes its sentence, else "".
 */
enum nt_usable_state nt_usable_judge(const struct nt_facts *facts, enum nt_source_id source, char why[NT_USABLE_BYTES]);

/*
 * Of the same facts, or of those of a machine alone: is this a prerequisite of LTTng, without which nothing is missing, because EventPipe brings the
 * runtime's events?
 */
bool nt_usable_replaces(const struct nt_facts *facts, const struct nt_prerequisite *prerequisite);

/* Does something of the screen depend on it? */
bool nt_usable_needs(const struct nt_facts *facts, const struct nt_prerequisite *prerequisite);

#endif
