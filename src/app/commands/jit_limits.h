/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop jit --fail-above`: a report against the limits that somebody set. */
#ifndef NT_APP_JIT_LIMITS_H
#define NT_APP_JIT_LIMITS_H

#include "app/common/options.h"
#include "output/jit/jit_report.h"

/* Is it within them? False, with the sentence in `err` (FAILED), also when that cannot be told, because a part of it was not seen. */
bool nt_jit_limits_hold(const struct nt_jit_limits *limits, const struct nt_jit_report *report, struct nt_error *err);

#endif
