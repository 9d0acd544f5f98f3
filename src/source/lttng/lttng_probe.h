/* SPDX-License-Identifier: GPL-2.0-only */
/* Can LTTng deliver from this target, and if not, why and what helps. */
#ifndef NT_SOURCE_LTTNG_PROBE_H
#define NT_SOURCE_LTTNG_PROBE_H

#include "nettop/source.h"

/* As nt_source_ops.probe. */
void nt_lttng_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out);

/* Of any target: can this user have a session here? Asks the session daemon. */
bool nt_lttng_can_trace(void);

#endif
