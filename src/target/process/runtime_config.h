/* SPDX-License-Identifier: GPL-2.0-only */
/* What the runtimeconfig.json of a program sets of what decides about its code and its collections. */
#ifndef NT_TARGET_RUNTIME_CONFIG_H
#define NT_TARGET_RUNTIME_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A property of that file, true or false, and the runtime's variable (without its prefix) that wins over it. */
struct nt_runtime_property {
	const char *name, *variable;
};

enum {
	NT_RUNTIME_PROPERTIES = 8,
	NT_RUNTIME_NUMBERS = 9,
	NT_RUNTIME_DIGITS = 20, /* of a number with 64 bits */
	NT_RUNTIME_CONFIG_BYTES = NT_RUNTIME_PROPERTIES + NT_RUNTIME_NUMBERS * (1 + NT_RUNTIME_DIGITS) + 1
};

extern const struct nt_runtime_property nt_runtime_properties[NT_RUNTIME_PROPERTIES];

/* Likewise those that are numbers. */
extern const struct nt_runtime_property nt_runtime_numbers[NT_RUNTIME_NUMBERS];

/*
 * Of a file in memory, a letter for each property: '1' true, '0' false, '-' not said; then for each number a comma, with its digits behind it if it is said. False: it is no such file; *said is
 * "" then.
 */
bool nt_runtime_config_read(const char *config, size_t length, char said[NT_RUNTIME_CONFIG_BYTES]);

/* Is that such letters and numbers, or ""? */
bool nt_runtime_config_holds(const char *said);

/* What is said there of a property, by its name: of a true or false one 1 or 0. False: nothing, or there is no such property here; *value stays as it is then. */
bool nt_runtime_config_get(const char *said, const char *name, uint64_t *value);

#endif
