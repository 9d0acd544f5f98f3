/* SPDX-License-Identifier: GPL-2.0-only */
/* What the runtimeconfig.json of a program sets of what decides about its code and its collections. */
#ifndef NT_TARGET_RUNTIME_CONFIG_H
#define NT_TARGET_RUNTIME_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* A property of that file, true or false, and the runtime's variable (without its prefix) that wins over it. */
struct nt_runtime_property {
	const char *name, *variable;
};

enum { NT_RUNTIME_PROPERTIES = 7, NT_RUNTIME_CONFIG_BYTES = NT_RUNTIME_PROPERTIES + 1 };

extern const struct nt_runtime_property nt_runtime_properties[NT_RUNTIME_PROPERTIES];

/*
 * Of a file in memory, a letter for each property: '1' true, '0' false, '-' not said. False: it is no such file; *said is "" then.
 */
bool nt_runtime_config_read(const char *config, size_t length, char said[NT_RUNTIME_CONFIG_BYTES]);

/* Is that such letters, or ""? */
bool nt_runtime_config_holds(const char *said);

#endif
