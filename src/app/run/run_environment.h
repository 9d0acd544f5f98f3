/* SPDX-License-Identifier: GPL-2.0-only */
/* With which environment `nettop run` starts the program. */
#ifndef NT_APP_RUN_ENVIRONMENT_H
#define NT_APP_RUN_ENVIRONMENT_H

#include "app/common/options.h"

/*
 * Our own environment with the variables that nettop needs, except where somebody set them otherwise: what those keep away is told to `say`, a
 * sentence each. `name_methods`: a perf map is wanted from the first method on. *perf_map_set: it is set, and not by somebody. *out is the caller's: nt_launch_environment_free(). USAGE: the options contradict each other.
 */
enum nt_status nt_run_environment(const struct nt_options *options, bool name_methods, void (*say)(void *context, const char *sentence),
				  void *context, char ***out, bool *perf_map_set, struct nt_error *err);

#endif
