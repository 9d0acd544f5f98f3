// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng_ctl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *symbol;
	size_t offset; /* in struct nt_lttng_ctl */
} functions[] = {
#define FUNCTION(name) { "lttng_" #name, offsetof(struct nt_lttng_ctl, name) },
#include "source/lttng_ctl.def"
};

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static struct nt_lttng_ctl ctl;
static void *library; /* kept: the functions point into it */
static struct nt_error failure;

static void load(void)
{
	library = dlopen("liblttng-ctl.so.0", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		nt_error_set(&failure, NT_ERR_ABSENT, "liblttng-ctl cannot be loaded (%s); apt-get install lttng-tools", dlerror());
		return;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(library, functions[i].symbol);
		if (!function)
			nt_error_set(&failure, NT_ERR_UNSUPPORTED, "this liblttng-ctl has no %s", functions[i].symbol);
		memcpy((char *)&ctl + functions[i].offset, &function, sizeof(function));
	}
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
