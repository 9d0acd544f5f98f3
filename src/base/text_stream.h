/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text on its way out: a stream that nothing raw comes through, whoever wrote it and whatever he forgot. Newlines and tabs pass, because layout is made of them;
 * all else is as nt_text_escape() makes it. So what might hold a foreign newline is to be escaped before it is written here.
 */
#ifndef NT_BASE_TEXT_STREAM_H
#define NT_BASE_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

struct nt_text_stream {
	int fd;          /* borrowed */
	char partial[4]; /* the begin of a character whose rest has not been written yet */
	size_t partial_length;
};

/*
 * A stream over `state`, which the caller keeps for as long as the stream is open, into `fd`. It is unbuffered or as setvbuf() says; a failed write is the
 * stream's error, its reason in errno. fclose() leaves `fd` open.
 */
FILE *nt_text_stream_open(struct nt_text_stream *state, int fd);

#endif
