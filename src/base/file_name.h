/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the names of files. Nothing here looks at a file. */
#ifndef NT_BASE_FILE_NAME_H
#define NT_BASE_FILE_NAME_H

/* What follows the last slash of a path, all of it if there is none. Part of `path`. */
const char *nt_file_base_name(const char *path);

/*
 * The ".so" by which the file name of a library ends, or behind which its version stands: part of `name`. NULL: it is no library's
 * name. A program may have ".so" in its name, too: app.sockets.
 */
const char *nt_file_library_end(const char *name);

#endif
