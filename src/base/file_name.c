// SPDX-License-Identifier: GPL-2.0-only
#include "base/file_name.h"

#include <string.h>

const char *nt_file_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *nt_file_library_end(const char *name)
{
	for (const char *so = *name ? strstr(name + 1, ".so") : NULL; so; so = strstr(so + 1, ".so"))
		if (so[3] == '\0' || so[3] == '.')
			return so;
	return NULL;
}
