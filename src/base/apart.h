/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Apart: work that may hang for ever, done by a process beside this one. Whoever looks at a file system that answers nobody any more (FUSE) waits in a way that no signal ends, and the
 * process with it: so it must not be this one. Processes that hang are killed and left behind; they end when the kernel lets them.
 */
#ifndef NT_BASE_APART_H
#define NT_BASE_APART_H

#include <stddef.h>
#include <stdint.h>

/*
 * What is done there, with nothing but what it is handed: the bytes that were asked and the descriptors given (borrowed). Fills *answer, which is zeros before, and may leave an open descriptor
 * in *fd, which is -1 before.
 */
typedef void nt_apart_work(const void *asked, const int *given, void *answer, int *fd);

/* One errand; everything but *answer and *fd is only read. */
struct nt_apart {
	nt_apart_work *work;
	const char *where; /* what may hang, a folder with a slash at its end; while somebody hangs there nobody is sent there again */
	const char *const *further; /* folders that it goes to after that, in this order; the work calls nt_apart_go_on() before each */
	size_t further_count;
	const void *asked;
	size_t asked_size; /* bytes, at most NT_APART_BYTES */
	const int *given;
	size_t given_count; /* at most NT_PASSED_FDS_MAX */
	void *answer;
	size_t answer_size; /* bytes, at most NT_APART_BYTES */
	int *fd;
};

enum { NT_APART_BYTES = 12 << 10 };

/*
 * How long an answer is waited for, and how many may hang at a time, in all and in one file system: with as many nobody is sent anywhere, or there, until one ends.
 */
enum { NT_APART_PATIENCE_MS = 1500, NT_APART_HUNG_MAX = 8, NT_APART_HUNG_OF_DEVICE_MAX = 2 };

/*
 * Make the process from which the others are forked, with the rights that this one has, before there are threads. It ends with us. Without it, or when it was killed, work is done in this
 * process.
 */
void nt_apart_start(void);

/* From any thread. Returns 0 when it was done; else an errno value: ETIMEDOUT = it hangs, or somebody else does in one of the places where it would go. */
int nt_apart_do(const struct nt_apart *apart);

/* By the work: it has come to the next of the `further` folders. So it is known in which one it hangs. */
void nt_apart_go_on(void);

/* CPU time of these processes, ns: what they had used when they answered last. From any thread. */
uint64_t nt_apart_cpu_ns(void);

#endif
