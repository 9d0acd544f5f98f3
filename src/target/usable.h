/* SPDX-License-Identifier: GPL-2.0-only */
/* Which sources would deliver if somebody watched a process: for a list of many, from the verdicts of the prerequisites. */
#ifndef NT_TARGET_USABLE_H
#define NT_TARGET_USABLE_H

#include "nettop/process_row.h"
#include "target/prerequisites.h"

enum { NT_USABLE_BYTES = 512 };

/*
 * Of facts that have a target; source: one of nt_listed_sources. The first prerequisite that fails decides, and `why` becomes its sentence, else "".
 */
enum nt_usable_state nt_usable_judge(const struct nt_facts *facts, enum nt_source_id source, char why[NT_USABLE_BYTES]);

#endif
