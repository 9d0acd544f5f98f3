// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_ctl.h"

#include "base/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static const struct nt_library_function functions[] = {
#define FUNCTION(name) { "lttng_" #name, offsetof(struct nt_lttng_ctl, name) },
#include "source/lttng/lttng_ctl.def"
};

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static struct nt_lttng_ctl ctl;
static struct nt_error failure;

static void load(void)
{
	if (!nt_library_load("liblttng-ctl.so.0", "liblttng-ctl", functions, sizeof(functions) / sizeof(functions[0]), &ctl, &failure))
		nt_error_set(&failure, NT_ERR_ABSENT, "liblttng-ctl cannot be loaded (%s); apt-get install lttng-tools", dlerror());
}

const struct nt_lttng_ctl *nt_lttng_ctl(struct nt_error *err)
{
	pthread_once(&loading, load);
	if (!failure.cause_count)
		return &ctl;
	if (err)
		*err = failure;
	return NULL;
}
