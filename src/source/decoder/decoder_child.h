/* SPDX-License-Identifier: GPL-2.0-only */
/* One process of the decoder's: started, spoken with, killed. */
#ifndef NT_SOURCE_DECODER_CHILD_H
#define NT_SOURCE_DECODER_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct nt_decoder_child {
	pid_t pid; /* 0 = there is none */
	int pidfd;
	int fd; /* the socket, in packets */
	clockid_t clock;
};

/*
 * Execute ourselves as the decoder that `word` says (decoder_process.h). Returns 0 or an errno value; then there is none. It ends with its end of the socket, and with the thread that calls this; where nettop has a keeper
 * (target/common/helper.h), that forks it, as a child of ours that ends with the main thread.
 */
int nt_decoder_child_start(struct nt_decoder_child *child, const char *word);

/* There: be that child, with the socket `fd`; the keeper's verb for it, whose argument is the word (decoder_process.h). Another word than those is the first. */
#define NT_DECODER_VERB "start-decoder"
_Noreturn void nt_decoder_child_become(int fd, const char *word);

/* A packet, with a descriptor if fd >= 0. False: errno is EAGAIN, it does not hear what it is told; else it has ended. */
bool nt_decoder_child_say(const struct nt_decoder_child *child, const void *packet, size_t length, int fd);

/* CPU time that it has taken, ns. */
uint64_t nt_decoder_child_cpu_ns(const struct nt_decoder_child *child);

/* Does it run, or wait for a CPU and nothing else? */
bool nt_decoder_child_is_running(const struct nt_decoder_child *child);

/*
 * Kill it, if it has not ended, and collect it. Returns how it ended, as waitpid() says it: by SIGKILL if not by itself before; -1: the kernel keeps it, because
 * it waits for a disk; *left is then its pid, to be collected some time.
 */
int nt_decoder_child_end(struct nt_decoder_child *child, pid_t *left);

#endif
