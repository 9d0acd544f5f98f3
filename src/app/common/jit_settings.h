/* SPDX-License-Identifier: GPL-2.0-only */
/* With what a program was started, for the reports of `nettop jit` and `nettop report`. */
#ifndef NT_APP_JIT_SETTINGS_H
#define NT_APP_JIT_SETTINGS_H

#include "output/jit/jit_report.h"
#include "target/process/runtime_config.h"
#include "target/process/target.h"

/* Add its DOTNET_ and COMPlus_ variables, 256 at most. `started`: by nettop, which has added some of its own: those are left out, unless they are as nettop's own environment has them. */
void nt_jit_settings_add(struct nt_jit_report *report, const struct nt_target *target, bool started);

/*
 * Add what its runtimeconfig.json says (of nt_runtime_config_of(); "" = not known), after the variables: which of both is in force follows from those. Where
 * they are not known the file's are not known, either.
 */
void nt_jit_settings_add_config(struct nt_jit_report *report, const struct nt_target *target, const char *said);

#endif
