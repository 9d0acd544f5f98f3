/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a runtime past its start? One that waits at its start (DOTNET_DiagnosticPorts=…,suspend) answers at its diagnostics port as any other, but EnablePerfMap ends .NET 8 and 9
 * there, and for a moment after it was let go (measured: 22 of 30 with the first look at its finalizer thread).
 */
#ifndef NT_TARGET_RUNTIME_START_H
#define NT_TARGET_RUNTIME_START_H

#include <stdbool.h>
#include <stdint.h>

#include "nettop/clock.h"

/* Since its finalizer thread was made, which every runtime does after it has waited, so long must have passed. */
#define NT_RUNTIME_START_NS (2 * NT_NS_PER_S)

/* Reads PROC_DIR/task/TID/stat; `since_boot`: CLOCK_BOOTTIME. False also when nothing can be read. */
bool nt_runtime_is_past_its_start(const char *proc_dir, nt_time since_boot);

/* For EnablePerfMap: does this version of .NET have to be past its start? `major` as nt_target_runtime_major() gives it. */
static inline bool nt_runtime_start_is_fragile(unsigned major)
{
	return major < 10;
}

#endif
