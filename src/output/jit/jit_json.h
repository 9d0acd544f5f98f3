/* SPDX-License-Identifier: GPL-2.0-only */
/* What the JSON of a report and that of a comparison have in common. New references. Inside src/output/jit_*.c only. */
#ifndef NT_OUTPUT_JIT_JSON_H
#define NT_OUTPUT_JIT_JSON_H

#include "output/frame/json_value.h"
#include "output/jit/jit_report.h"

json_t *nt_jit_sums_json(const struct nt_jit_sums *sums);

/* Which program, and what of it: an object without lines and totals. */
json_t *nt_jit_report_head_json(const struct nt_jit_report *report);

/* The object as text, which is the caller's (free); the object is taken. */
char *nt_jit_json_dump(json_t *object);

#endif
