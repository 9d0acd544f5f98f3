/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a machine that is reached over ssh says of itself: lines "nettop-far KEY VALUE", the last one with the key "end". Our own script writes them (app/ssh/ssh_script.h),
 * among whatever the shell there prints when it starts; but who writes there is somebody else, so they are checked.
 */
#ifndef NT_DECODE_FAR_ANSWER_H
#define NT_DECODE_FAR_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

enum { NT_FAR_TEXT = 256 };

/* Texts are printable and end with NUL; "" = not said, or not as it must be. */
struct nt_far_answer {
	char machine[NT_FAR_TEXT]; /* uname -s and -m: "Linux x86_64" */
	char program[NT_FAR_TEXT]; /* nettop there: an absolute path */
	char folder[NT_FAR_TEXT];  /* the folder that was made there for nettop: likewise */
};

/* False: the script did not come to its end. Of a key that comes twice the first is kept. */
bool nt_far_answer_read(const char *bytes, size_t length, struct nt_far_answer *out);

#endif
