/* SPDX-License-Identifier: GPL-2.0-only */
/* Which setting a process was started with that lets it optimize at once what it compiles. */
#ifndef NT_TARGET_JIT_ASKED_H
#define NT_TARGET_JIT_ASKED_H

#include "nettop/jit_setting.h"
#include "target/process/environment.h"

/*
 * What its variables say, and where they say nothing what its runtimeconfig.json does (`config`: of nt_runtime_config_of(); "" = not known). UNKNOWN where one of both was not read and the
 * other does not decide.
 */
struct nt_ev_jit_setting nt_target_jit_asked(const struct nt_environment *environment, const char *config);

#endif
