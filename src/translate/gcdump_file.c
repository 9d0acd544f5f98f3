// SPDX-License-Identifier: GPL-2.0-only
#include "translate/gcdump_file.h"

#include <string.h>

/* The length of the signature, and the signature (decode/heap/gcdump_read.h). Streams of EventPipe have it behind a word of their own. */
static const char magic[] = "\x14\0\0\0!FastSerialization.1";

bool nt_gcdump_file_is(const uint8_t *begin, size_t size)
{
	return size >= sizeof(magic) - 1 && memcmp(begin, magic, sizeof(magic) - 1) == 0;
}

enum nt_status nt_gcdump_file_translate(int fd, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err)
{
	(void)wish; /* it is of one process, and has its names */
	(void)fd;
	(void)out;
	return nt_error_set(err, NT_ERR_UNSUPPORTED, "it is a heap at one moment, which nettop heap -p FILE shows");
}
