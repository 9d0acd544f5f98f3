// SPDX-License-Identifier: GPL-2.0-only
#include "model/process/roles.h"

#include "base/affix.h"

#include <string.h>

/* As .NET 6 to 10 name them, cut to 15 characters. The first that fits counts. */
static const struct {
	const char *start;
	enum nt_role role;
} names[] = {
	{ ".NET TP ", NT_ROLE_POOL }, /* Worker, Gate, Wait */
	{ ".NET ThreadPool", NT_ROLE_POOL },
	{ ".NET Server GC", NT_ROLE_GC },
	{ ".NET BGC", NT_ROLE_GC },
	{ ".NET Tiered Com", NT_ROLE_JIT },
	{ ".NET Finalizer", NT_ROLE_FINALIZER },
	{ ".NET Long Runni", NT_ROLE_APPLICATION }, /* a task of its own thread: TaskCreationOptions.LongRunning */
	{ ".NET ", NT_ROLE_RUNTIME },
};

enum nt_role nt_role_of(const char *name, uint32_t flags)
{
	/* The program may rename any of its threads; the runtime's word is of the time when it made the thread. */
	if (flags & NT_CLR_THREAD_FINALIZER)
		return NT_ROLE_FINALIZER;
	if (flags & NT_CLR_THREAD_GC)
		return NT_ROLE_GC;
	if (flags & NT_CLR_THREAD_POOL)
		return NT_ROLE_POOL;
	if (!name)
		return NT_ROLE_UNKNOWN;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(name, names[i].start, strlen(names[i].start)) == 0)
			return names[i].role;
	return nt_ends_with(name, "-ust") ? NT_ROLE_RUNTIME : NT_ROLE_APPLICATION; /* lttng-ust's listeners */
}
