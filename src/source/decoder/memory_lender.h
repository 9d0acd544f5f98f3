/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lender: memory of the target for a reader, where nettop may read it but not open it. /proc/PID/mem is a file of the target's user, which takes CAP_DAC_OVERRIDE to open besides CAP_SYS_PTRACE; process_vm_readv() takes the
 * latter alone. So a fork of nettop's or the keeper's keeps that one right, and hands pages of one process to whoever has the other end of a socket. It looks at none of them. It is executed by nobody: the file may have rights
 * (capabilities(7)), and then who executes it would say whose memory.
 */
#ifndef NT_SOURCE_MEMORY_LENDER_H
#define NT_SOURCE_MEMORY_LENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NT_LENT_PAGE_BYTES = 4096, NT_LENT_PAGES = 4 /* in one answer, at most */ };

/* To the lender, once, by its first socket; with two descriptors: of the process (pidfd_open()), and the socket by which pages are asked for. */
struct nt_lender_open {
	int32_t pid;
};

/* By that other socket: the address of a page. The answer is that page and those behind it, as many as can be read up to NT_LENT_PAGES; none that can: one byte. */
struct nt_lender_ask {
	uint64_t address;
};

/* nettop's side, and the reader's: ask for pages from `address` on. Returns how many are in `pages`; -1: there is no lender any more. */
int nt_lender_ask(int socket, uint64_t address, uint8_t pages[NT_LENT_PAGES][NT_LENT_PAGE_BYTES]);

/* In that fork: confines itself and lends until the sockets are closed or the process has ended. Returns the exit status. Async-signal-safe. */
int nt_lender_serve(void);

#endif
