/* SPDX-License-Identifier: GPL-2.0-only */
/* Which signals nettop takes through a descriptor, when it comes to that, and which of them mean that it should end. */
#ifndef NT_APP_SIGNALS_H
#define NT_APP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Those that are taken. */
void nt_signals_taken(sigset_t *set);

/* Blocks them; call before any thread is created. */
void nt_signals_block(void);

/* Does this one mean that nettop should end? */
bool nt_signals_ends(int signal);

/* Those of which that is true. */
void nt_signals_ending(sigset_t *set);

/* Has one of them come that nobody has taken yet? For work without a loop that can give up in its middle. */
bool nt_signals_ending_waits(void);

#endif
