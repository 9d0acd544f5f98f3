// SPDX-License-Identifier: GPL-2.0-only
#include "base/thread.h"

#include <signal.h>

int nt_thread_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *argument), void *argument)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	if (stack_bytes)
		pthread_attr_setstacksize(&attributes, stack_bytes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* a thread begins with the mask of who started it */
	int error = pthread_create(thread, &attributes, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}
