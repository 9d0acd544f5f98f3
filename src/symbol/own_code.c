// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/own_code.h"

#include "base/affix.h"
#include "base/file_name.h"

#include <string.h>

/* Assemblies, and namespaces where the assembly is not known, that come with .NET. A program that calls itself so has its leaf shown. */
static const char *const framework[] = { "System.", "Microsoft.", "mscorlib", "netstandard", "WindowsBase" };

static bool of_framework(const char *text)
{
	for (size_t i = 0; i < sizeof(framework) / sizeof(*framework); i++)
		if (nt_begins_with(text, framework[i]))
			return true;
	return false;
}

bool nt_key_is_own(const struct nt_key *key)
{
	/* In a single-file program the runtime lies in what is called as the program is. */
	if (key->kind == NT_CODE_KERNEL || key->kind == NT_CODE_RUNTIME || nt_key_is_between(key) ||
	    (key->module && nt_file_library_end(key->module)))
		return false;
	return !of_framework(key->module ? key->module : key->name);
}

bool nt_key_throws(const struct nt_key *key)
{
	static const char *const throwers[] = { "System.Runtime.EH.", "System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw" };
	for (size_t i = 0; key->name && i < sizeof(throwers) / sizeof(*throwers); i++)
		if (nt_begins_with(key->name, throwers[i]))
			return true;
	return false;
}
