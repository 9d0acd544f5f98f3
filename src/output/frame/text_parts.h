/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts that text frames and reports have in common: lines of a process. Texts of the target in them are escaped; write errors stay in the stream. */
#ifndef NT_OUTPUT_TEXT_PARTS_H
#define NT_OUTPUT_TEXT_PARTS_H

#include <stdio.h>

#include "nettop/snapshot.h"
#include "nettop/tile.h"

/* Mark, label, `span` (what time it is of; "" = that is said elsewhere), headline right-aligned, facts; or why nothing is known. */
void nt_text_put_tile(FILE *out, const struct nt_tile *tile, bool marked, const char *span);

/* What runs the program: version, sort of collector, CPUs, for how long it runs; as far as it is known, each with two blanks before it. */
void nt_text_put_runtime(FILE *out, const struct nt_target_info *target);

/* Why sources do not deliver, or not all, and what brings it: a line for each. */
void nt_text_put_reasons(FILE *out, const struct nt_snapshot *snapshot);

/* The line of a process without a finding for so long. Nothing where nobody has looked. */
void nt_text_put_calm(FILE *out, const struct nt_process_snapshot *process, nt_time quiet_ns);

/* What the rules of the findings could look at, and what is not known, within a line. Nothing where nobody has looked. */
void nt_text_put_checked(FILE *out, const struct nt_process_snapshot *process);

/* Of what the program died, in its runtime's words: whole lines. Nothing while it runs. */
void nt_text_put_end(FILE *out, const struct nt_target_info *target);

#endif
