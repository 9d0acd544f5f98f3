/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines of one method of a target, from the portable PDB of its assembly: the file beside it, or the one within it. Reads files of others: the decoder does it
 * (decoder_process.h), nettop asks it (decoder.h).
 */
#ifndef NT_SOURCE_METHOD_LINES_H
#define NT_SOURCE_METHOD_LINES_H

#include "nettop/event.h"
#include "source/image/image_file.h"

enum {
	NT_METHOD_LINES_REASON = 200,
	NT_METHOD_LINES_MAX = 1 << 16,
	NT_METHOD_LINES_DOCUMENTS = 64, /* source files of a method; made of a grammar it has two, in turns */
	NT_METHOD_LINES_PATH = 1024,
	NT_METHOD_LINES_LETTERS = NT_METHOD_LINES_DOCUMENTS * NT_METHOD_LINES_PATH,
};

struct nt_method_lines {
	struct nt_batch_line *lines; /* owned; from `start` in its IL on, line `size`; 0 = none. The source file is `text` at `offset` */
	size_t count, capacity;
	char *text; /* owned */
	size_t length, text_capacity;
	char reason[NT_METHOD_LINES_REASON]; /* one sentence, when there are no lines */
};

/* `name`: `RET [Assembly] Type::Method(ARGS)`, with or without tier, of the assembly at `place`. *out is ended with nt_method_lines_fini() in any case. */
void nt_method_lines_read(const struct nt_image_place *place, const char *name, struct nt_method_lines *out);
void nt_method_lines_fini(struct nt_method_lines *lines);

#endif
