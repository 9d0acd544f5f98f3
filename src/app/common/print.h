/* SPDX-License-Identifier: GPL-2.0-only */
/* The way out: standard output and standard error. tests/tools/check-prints.py lets nothing else print. */
#ifndef NT_APP_PRINT_H
#define NT_APP_PRINT_H

#include <stdbool.h>
#include <stdio.h>

/* To be called first: from then on what anybody prints to `stdout` and `stderr`, our libraries included, goes through nt_text_stream. */
void nt_print_begin(void);

/* Standard output as it is, for curses. Borrowed; what was printed before is flushed. */
FILE *nt_print_raw(void);

/* Is standard error a terminal, on which a line can take the place of another? */
bool nt_print_is_terminal(void);

/* This text in place of what is in the last line of standard error, without a line feed; "" = nothing is left there. */
void nt_print_over(const char *text);

/* The bell of the terminal that there is. */
void nt_print_bell(void);

/* What is printed to `stdout` from now on is no text: it goes out as it is. */
void nt_print_bytes(void);

#endif
