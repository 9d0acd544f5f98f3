/* SPDX-License-Identifier: GPL-2.0-only */
/* Which framework an application carries, as its runtimeconfig.json says. */
#ifndef NT_TARGET_FRAMEWORK_VERSION_H
#define NT_TARGET_FRAMEWORK_VERSION_H

#include <stdbool.h>
#include <stddef.h>

enum { NT_FRAMEWORK_VERSION_BYTES = 64 };

/* "10.0.1", with the NUL, of a file in memory. False: it says none; *version is "" then. */
bool nt_framework_version_read(const char *config, size_t length, char version[NT_FRAMEWORK_VERSION_BYTES]);

/* Is that a version: digits first, then letters, digits, dots, hyphens and plus signs, not too many? */
bool nt_framework_version_holds(const char *version);

#endif
