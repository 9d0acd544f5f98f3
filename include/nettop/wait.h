/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread that does not run waits for. */
#ifndef NETTOP_WAIT_H
#define NETTOP_WAIT_H

#include <stdbool.h>

/* Their numbers are in batches: they are never changed. */
enum nt_wait_kind {
	NT_WAIT_UNKNOWN = 0, /* it waits, and nobody knows for what */
	NT_WAIT_RUNS = 1,    /* it does not wait: it had a CPU, or was after one, when it was looked at */
	NT_WAIT_MONITOR = 2, /* to get a monitor: lock statement, Monitor.Enter */
	NT_WAIT_LOCK = 3,    /* to get a System.Threading.Lock */
	NT_WAIT_PULSE = 4,   /* Monitor.Wait, without the monitor */
	NT_WAIT_SIGNAL = 5,  /* a semaphore, an event, a barrier, a countdown, a WaitHandle */
	NT_WAIT_TASK = 6,    /* synchronously, for a task: Task.Wait, Result, GetResult */
	NT_WAIT_JOIN = 7,    /* Thread.Join */
	NT_WAIT_PROCESS = 8, /* Process.WaitForExit */
	NT_WAIT_SLEEP = 9,
	NT_WAIT_SOCKET = 10, /* to read from, write to, connect or accept at a socket */
	NT_WAIT_FILE = 11,   /* a file, or the disk */
	NT_WAIT_PIPE = 12,
	NT_WAIT_POLL = 13,    /* several descriptors: epoll, poll */
	NT_WAIT_GC = 14,      /* a collection to end, or to reach a safe point for one */
	NT_WAIT_NATIVE = 15,  /* in native code that the runtime knows nothing of: a P/Invoke, a thread that is not managed */
	NT_WAIT_FAULT = 16,   /* a page to come */
	NT_WAIT_CPU = 17,     /* a CPU: the run queue */
	NT_WAIT_QUOTA = 18,   /* the CPU quota of the control group */
	NT_WAIT_STOPPED = 19, /* a signal has stopped it, or a debugger */
	NT_WAIT_IDLE = 20,    /* for work: a worker of the pool, a timer thread, the finalizer, an accept loop, the runtime's own threads */
	NT_WAIT_COUNT
};

static inline bool nt_wait_is_for_lock(enum nt_wait_kind kind)
{
	return kind == NT_WAIT_MONITOR || kind == NT_WAIT_LOCK;
}

/* A stable word in lower case for columns, JSON and filters, at most 7 letters: "monitor", "task" ... Never NULL; "?" for a value out of range. */
const char *nt_wait_kind_name(unsigned kind);

/* The letter that stands for it in a strip (nettop/wait_row.h): `r` NT_WAIT_RUNS, `.` NT_WAIT_CPU, `?` NT_WAIT_UNKNOWN, also for a value out of range. Each has its own. */
char nt_wait_kind_mark(unsigned kind);

#endif
