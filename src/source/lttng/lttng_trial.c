// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_trial.h"

#include "source/lttng/lttng_daemons.h"
#include "source/lttng/lttng_session.h"

#include <stdlib.h>

static bool is_installed(const char *program)
{
	char *path = nt_lttng_find_program(program);
	free(path);
	return path != NULL;
}

void nt_facts_try_lttng(struct nt_facts *facts)
{
	struct nt_lttng_process process;
	facts->sessiond_installed = is_installed("lttng-sessiond");
	facts->relayd_installed = is_installed("lttng-relayd");
	facts->sessiond = nt_lttng_sessiond_find(&process);
	facts->lttng_rings_bytes = nt_lttng_rings_bytes();
}
