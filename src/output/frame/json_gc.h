/* SPDX-License-Identifier: GPL-2.0-only */
/* The settings of the collector as JSON. */
#ifndef NT_OUTPUT_JSON_GC_H
#define NT_OUTPUT_JSON_GC_H

#include "nettop/snapshot.h"

#include <jansson.h>

/* Add `settings` and `odd` to the object `gc`. A value that nobody says is null; a rule whose facts are not known holds not. */
void nt_json_add_gc_settings(json_t *gc, const struct nt_process_snapshot *process);

#endif
