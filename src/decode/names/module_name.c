// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/module_name.h"

#include <string.h>

struct nt_slice nt_module_name_of(const char *path, size_t length)
{
	static const char extension[] = ".dll";
	const size_t extension_length = sizeof(extension) - 1;
	const char *slash = memrchr(path, '/', length), *name = slash ? slash + 1 : path;
	length -= (size_t)(name - path);
	if (length > extension_length && memcmp(name + length - extension_length, extension, extension_length) == 0)
		length -= extension_length;
	return (struct nt_slice){ name, length };
}
