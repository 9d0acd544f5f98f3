/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NT_BASE_SHELL_WORD_H
#define NT_BASE_SHELL_WORD_H

/* The text as one word of a POSIX shell, and of fish: itself when it has no character that means something there, else in single quotes. The caller's. */
char *nt_shell_word(const char *text);

#endif
