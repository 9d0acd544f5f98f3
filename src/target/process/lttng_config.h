/* SPDX-License-Identifier: GPL-2.0-only */
/* DOTNET_LTTngConfig: which of the runtime's events a target was started to let through to LTTng. */
#ifndef NT_TARGET_LTTNG_CONFIG_H
#define NT_TARGET_LTTNG_CONFIG_H

#include "target/process/target.h"

/* Of the runtime's own provider. */
struct nt_lttng_config {
	uint64_t keywords;   /* as in ClrEtwAll.man */
	unsigned long level; /* 0: none */
};

/* False: the target has no such setting, and all events come. */
bool nt_lttng_config_read(const struct nt_target *target, struct nt_lttng_config *out);

/* The subjects that it leaves out, of those that nettop shows, with commas between them; "" = none. */
void nt_lttng_config_absent(const struct nt_lttng_config *config, char *out, size_t size);

/* The same as enum nt_demand bits: NT_WANT_RUNTIME_EVENTS (starts of collections), NT_WANT_JIT_EVENTS, NT_WANT_LOCK_EVENTS, NT_WANT_ALLOC_SAMPLES. */
unsigned nt_lttng_config_leaves_out(const struct nt_target *target);

bool nt_lttng_config_has_exceptions(const struct nt_lttng_config *config);

#endif
