// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/rundown.h"

#include <stdio.h>

const char *nt_rundown_text(const struct nt_rundown *rundown, char *out, size_t size)
{
	int length = snprintf(out, size, "the runtime was asked for its methods (EventPipe rundown): %u in %.0f ms, %.1f MB",
			      rundown->method_count, (double)rundown->took_ns / NT_NS_PER_MS, (double)rundown->stream_bytes / 1e6);
	size_t used = length > 0 && (size_t)length < size ? (size_t)length : size - 1;
	if (rundown->left_out)
		used += (size_t)snprintf(out + used, size - used, "; %u left out", rundown->left_out);
	if (rundown->reason && used < size)
		snprintf(out + used, size - used, "; %s", rundown->reason);
	return out;
}
