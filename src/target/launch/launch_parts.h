/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of nt_launch_plan(). Inside src/target/ only. */
#ifndef NT_TARGET_LAUNCH_PARTS_H
#define NT_TARGET_LAUNCH_PARTS_H

#include "target/launch/launch.h"

/* launch_variables.c: the enum nt_launch_when that hold for a request. */
unsigned nt_launch_conditions(const struct nt_launch_request *request);

/* launch_variables.c: what a variable is to be set to; borrowed from the table or the request. */
const char *nt_launch_wanted(enum nt_launch_id id, const struct nt_launch_request *request);

/*
 * launch_lost.c: what the value that the environment has (`before`, not NULL) takes away when everything else is as the request wants it, on a machine
 * where nothing else is missing. A constant text; NULL = nothing.
 */
const char *nt_launch_lost(const struct nt_launch_setting *setting, const struct nt_launch_request *request);

#endif
