/* SPDX-License-Identifier: GPL-2.0-only */
/* Which settings of the collector a process was started with. */
#ifndef NT_TARGET_GC_ASKED_H
#define NT_TARGET_GC_ASKED_H

#include "nettop/gc_settings.h"
#include "target/process/environment.h"

/*
 * What its variables ask for, and where they say nothing what its runtimeconfig.json does (`config`: of nt_runtime_config_of(); "" = not known). Variables are hexadecimal, but for the number of
 * processors; one that is no number is not asked for. All of *out is written, nothing of it told.
 */
void nt_target_gc_asked(const struct nt_environment *environment, const char *config, struct nt_gc_settings *out);

#endif
