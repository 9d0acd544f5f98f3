/* SPDX-License-Identifier: GPL-2.0-only */
/* What `nettop replay` is given: a recording, or the file of another tool, which becomes one. */
#ifndef NT_TRANSLATE_OPEN_FILE_H
#define NT_TRANSLATE_OPEN_FILE_H

#include "record/recording_file.h"

/*
 * Open the file that the person names, *out is the caller's. What another tool wrote is translated first, all of it, into memory, by a process without rights. Errors: those of nt_recording_file_take(), and that it is none
 * that nettop knows, with what it knows.
 */
enum nt_status nt_open_file(const char *path, struct nt_recording_file **out, struct nt_error *err);

#endif
