/* SPDX-License-Identifier: GPL-2.0-only */
/* What a setting costs a start, as JSON. */
#ifndef NT_OUTPUT_JSON_JIT_H
#define NT_OUTPUT_JSON_JIT_H

#include "nettop/jit_setting.h"

#include <jansson.h>

/* An object; null where it is not known, or the start was not seen. Owned by the caller. */
json_t *nt_json_jit_setting(const struct nt_jit_setting_cost *cost, bool start_seen);

#endif
