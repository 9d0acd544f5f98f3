/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The environment of a process as /proc/PID/environ has it: what it was started with. The runtime reads its settings from there once, at its start,
 * with the prefix DOTNET_ or, when that is not set, COMPlus_; numbers are hexadecimal unless said.
 */
#ifndef NT_TARGET_ENVIRONMENT_H
#define NT_TARGET_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NT_SETTING_BYTES = 512 };

struct nt_environment {
	const char *text; /* NUL-separated; NULL = could not be read */
	size_t length;
};

/* `variables` (as environ) as such a text, which is the caller's. */
char *nt_environment_join(char *const *variables, size_t *length);

/* Variable `name`, escaped; false when it is not set or empty. */
bool nt_environment_variable(const struct nt_environment *env, const char *name, char value[NT_SETTING_BYTES]);

/* The runtime's setting `name` (without prefix), escaped; false when it is not set or empty. */
bool nt_environment_setting(const struct nt_environment *env, const char *name, char value[NT_SETTING_BYTES]);

/* A setting that is a number; `absent` when it is not set or no number. */
unsigned long nt_environment_number(const struct nt_environment *env, const char *name, int base, unsigned long absent);

/* The same, where one that is not set is no number at all. False: it is not set, no number, or less than 0; *value stays as it is then. */
bool nt_environment_get(const struct nt_environment *env, const char *name, int base, uint64_t *value);

#endif
