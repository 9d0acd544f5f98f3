/* SPDX-License-Identifier: GPL-2.0-only */
/* What the screen's own signs become on a terminal without UTF-8. */
#ifndef NT_UI_ASCII_H
#define NT_UI_ASCII_H

/* One ASCII character for the first character of `text` (UTF-8): the fallback of the screens for signs that nettop draws, '?' for others. */
char nt_ascii_of(const char *text);

#endif
