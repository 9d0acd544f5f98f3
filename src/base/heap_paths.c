// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/heap_paths.h"

#include <stdlib.h>

void nt_heap_paths_free(struct nt_heap_paths *paths)
{
	if (!paths)
		return;
	for (size_t i = 0; i < paths->step_count; i++)
		free(paths->steps[i].name);
	free(paths->steps);
	free(paths->type);
	free(paths);
}
