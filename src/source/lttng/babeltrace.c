// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/babeltrace.h"

#include "base/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static const struct nt_library_function functions[] = {
#define FUNCTION(name) { "bt_" #name, offsetof(struct nt_babeltrace, name) },
#include "source/lttng/babeltrace.def"
};

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static struct nt_error failure;
struct nt_babeltrace nt_bt;

static void load(void)
{
	if (!nt_library_load("libbabeltrace2.so.0", "libbabeltrace2", functions, sizeof(functions) / sizeof(functions[0]), &nt_bt,
			     &failure))
		nt_error_set(&failure, NT_ERR_ABSENT, "libbabeltrace2 cannot be loaded (%s); apt-get install libbabeltrace2-0", dlerror());
}

enum nt_status nt_babeltrace_load(struct nt_error *err)
{
	pthread_once(&loading, load);
	if (!failure.cause_count)
		return NT_OK;
	*err = failure;
	return failure.status;
}
