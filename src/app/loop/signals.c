// SPDX-License-Identifier: GPL-2.0-only
#include "app/loop/signals.h"

#include <stddef.h>

void nt_signals_taken(sigset_t *set)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT, SIGUSR2 };
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(set, taken[i]);
}

void nt_signals_block(void)
{
	sigset_t set;
	nt_signals_taken(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* A reader that went away shows as EPIPE at the write, a file that may not grow as EFBIG. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void nt_signals_ending(sigset_t *set)
{
	nt_signals_taken(set);
	for (int signal = 1; signal < NSIG; signal++)
		if (!nt_signals_ends(signal))
			sigdelset(set, signal);
}

bool nt_signals_ending_waits(void)
{
	sigset_t pending, ending, both;
	nt_signals_ending(&ending);
	return sigpending(&pending) == 0 && sigandset(&both, &pending, &ending) == 0 && !sigisemptyset(&both);
}

bool nt_signals_ends(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}
