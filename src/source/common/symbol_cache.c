// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/symbol_cache.h"

#include "base/alloc.h"

#include <stdlib.h>

static const struct {
	const char *variable, *form;
} places[] = {
	{ "DEBUGINFOD_CACHE_PATH", "%s" },
	{ "XDG_CACHE_HOME", "%s/debuginfod_client" },
	{ "HOME", "%s/.cache/debuginfod_client" },
};

char *nt_symbol_cache_dir(void)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *value = getenv(places[i].variable);
		if (value && *value == '/')
			return nt_format(places[i].form, value);
	}
	return NULL;
}
