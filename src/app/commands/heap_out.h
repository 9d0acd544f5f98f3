/* SPDX-License-Identifier: GPL-2.0-only */
/* What `nettop heap` writes of a heap, wherever that is from. */
#ifndef NT_APP_HEAP_OUT_H
#define NT_APP_HEAP_OUT_H

#include "app/common/options.h"
#include "output/heap/heap_report.h"

/* Is it asked who holds what, or is a file written that has it? */
bool nt_heap_out_wants_references(const struct nt_options *options);

/* Who holds what, and the report or the file; that there is no such type is no reason to have read it for nothing. `heap`: the report's. `before`: NULL = nothing to compare with. */
enum nt_status nt_heap_out_write(const struct nt_options *options, const struct nt_heap_report *report, struct nt_heap_found *heap,
				 const struct nt_heap_report *before, struct nt_error *err);

#endif
