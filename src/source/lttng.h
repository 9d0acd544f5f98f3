/* SPDX-License-Identifier: GPL-2.0-only */
/* What app/ may ask of the LTTng source beyond struct nt_source_ops. */
#ifndef NT_SOURCE_LTTNG_H
#define NT_SOURCE_LTTNG_H

#include "nettop/source.h"

/*
 * CPU time, ns, that the LTTng daemons (session daemon, consumer, our relay) have used since they serve us. `source` must be one of
 * nt_source_lttng. Cheap: reads three files of /proc. *known is false before the daemons are there.
 */
uint64_t nt_lttng_daemons_cpu_ns(struct nt_source *source, bool *known);

#endif
