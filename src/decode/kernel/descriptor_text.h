/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc/PID/io, /proc/PID/limits and the links of /proc/PID/fd say. Pure functions on bytes that somebody else read; formats as in proc(5). Paths are the target's: any byte may be in them. */
#ifndef NT_DECODE_DESCRIPTOR_TEXT_H
#define NT_DECODE_DESCRIPTOR_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "nettop/input_output.h"

/* /proc/PID/io, all of whose lines there must be. False: the text is not of the format; `out` is of no use then. */
bool nt_descriptor_io_parse(const char *text, size_t length, struct nt_ev_io *out);

/* The soft limit of open files in /proc/PID/limits. False: it is not there, or unlimited. */
bool nt_descriptor_limit_parse(const char *text, size_t length, uint64_t *out);

/*
 * What the text of a link is about. Its name is *name[0..*name_length), borrowed: a path as it is, of anon_inode:[eventpoll] the word in the brackets; sockets and pipes have
 * none, whose number says nothing to people.
 */
enum nt_io_kind nt_descriptor_kind(const char *link, size_t length, const char **name, size_t *name_length);

#endif
