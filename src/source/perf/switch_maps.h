/* SPDX-License-Identifier: GPL-2.0-only */
/* Where code is mapped in one process while its switches are told and nobody takes samples, which would tell of that, too: events of the CPUs that count nothing. */
#ifndef NT_SOURCE_SWITCH_MAPS_H
#define NT_SOURCE_SWITCH_MAPS_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_switch_maps;

/* Code was mapped at [start, end) at `time`, or later. generated: it is no file's. */
typedef void nt_switch_mapped(void *context, nt_time time, uint64_t start, uint64_t end, bool generated);

/* From now on. NULL: the kernel does not tell. */
struct nt_switch_maps *nt_switch_maps_new(uint32_t pid);
void nt_switch_maps_free(struct nt_switch_maps *maps); /* NULL is allowed */

/* Tell of all since the call before. What is not known any more may be anywhere: it is told of as of all addresses, since then. */
void nt_switch_maps_read(struct nt_switch_maps *maps, nt_switch_mapped *mapped, void *context);

#endif
