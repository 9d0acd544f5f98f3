/* SPDX-License-Identifier: GPL-2.0-only */
/* What `nettop replay` is given: a recording, or the file of another tool, which becomes one. */
#ifndef NT_TRANSLATE_OPEN_FILE_H
#define NT_TRANSLATE_OPEN_FILE_H

#include "record/recording_file.h"

/* What the person says besides the file. All NULL: nothing. */
struct nt_open_wish {
	const char *process; /* of several the one with this pid or name */
	const char *names;   /* a file with names of generated code: a perf map, a jitdump */
};

/*
 * Open the file that the person names, *out is the caller's. What another tool wrote is translated first, all of it, into memory, by a process without rights. Errors: those of nt_recording_file_take(), that it is none
 * that nettop knows, with what it knows, and that such a file has nothing of what is wished.
 */
enum nt_status nt_open_file(const char *path, const struct nt_open_wish *wish, struct nt_recording_file **out, struct nt_error *err);

#endif
