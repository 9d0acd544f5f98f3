/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads of ours. */
#ifndef NT_BASE_THREAD_H
#define NT_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/*
 * As pthread_create(), but the signals of the process, which are the main thread's, are not for it. stack_bytes: 0 = the usual. Returns 0 or an errno value.
 */
int nt_thread_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *argument), void *argument);

#endif
