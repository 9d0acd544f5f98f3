/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Readers of executables: decoders (decoder.h), one for each user whose processes are looked at, so that none that an executable took over says anything of another user's. One that is not in use ends
 * at once, but for the time of a look at many processes. Any thread may call any function.
 */
#ifndef NT_SOURCE_EXECUTABLE_READERS_H
#define NT_SOURCE_EXECUTABLE_READERS_H

#include "target/process/executable.h"

/* What nt_executable_is_read_by() wants. May take as long as one question to a decoder. */
void nt_executable_readers_read(int fd, uid_t uid, struct nt_executable *out);

/* A look at many processes begins, and ends: in between readers are kept. Each begin has its end. */
void nt_executable_readers_begin(void);
void nt_executable_readers_end(void);

/* What a reader says, as a text, and back. False: no reader of ours says that. */
enum { NT_EXECUTABLE_TEXT_BYTES = 1 + NT_FRAMEWORK_VERSION_BYTES + NT_SONAME_BYTES + NT_RUNTIME_CONFIG_BYTES };
void nt_executable_put(const struct nt_executable *found, char text[NT_EXECUTABLE_TEXT_BYTES]);
bool nt_executable_take(const char *text, struct nt_executable *out);

#endif
