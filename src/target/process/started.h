/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that we started ourselves, as a target. */
#ifndef NT_TARGET_STARTED_H
#define NT_TARGET_STARTED_H

#include "target/process/target.h"

/*
 * The process executed this command and ended before anybody could look at it, but events of a .NET runtime came from it: the target, which was read before
 * that, becomes what these and the command say. `argv` and `variables` end with NULL.
 */
void nt_target_was_started(struct nt_target *target, char *const *argv, char *const *variables);

#endif
