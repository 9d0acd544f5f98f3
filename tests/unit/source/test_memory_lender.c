// SPDX-License-Identifier: GPL-2.0-only
/* The lender of memory, of this process's own: pages that are there, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/passed_fds.h"
#include "source/decoder/memory_lender.h"
#include "source/decoder/decoder_child.h"
#include "source/decoder/decoder_process.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 6, HOLE = 2 };

static uint8_t pages[NT_LENT_PAGES][NT_LENT_PAGE_BYTES];

/* One for process `pid`; returns the socket. */
static int start(struct nt_decoder_child *child, pid_t pid, int pidfd)
{
	int ends[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	assert_int_equal(nt_decoder_child_start(child, NT_LENDER_WORD), 0);
	const struct nt_lender_open open = { .pid = pid };
	const int fds[2] = { pidfd, ends[0] };
	assert_true(nt_passed_fds_send(child->fd, &open, sizeof(open), fds, 2));
	close(ends[0]);
	return ends[1];
}

static void end(struct nt_decoder_child *child, int socket)
{
	pid_t left;
	close(socket);
	nt_decoder_child_end(child, &left);
}

static void pages_that_are_there(void **state)
{
	(void)state;
	struct nt_decoder_child child;
	uint8_t *memory = mmap(NULL, (size_t)PAGES * NT_LENT_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	for (uint8_t i = 0; i < PAGES; i++)
		memset(memory + i * NT_LENT_PAGE_BYTES, i + 1, NT_LENT_PAGE_BYTES);
	assert_int_equal(mprotect(memory + HOLE * NT_LENT_PAGE_BYTES, NT_LENT_PAGE_BYTES, PROT_NONE), 0);
	uint64_t at = (uintptr_t)memory;
	int self = pidfd_open(getpid(), 0), socket = start(&child, getpid(), self);
	assert_int_equal(nt_lender_ask(socket, at, pages), HOLE);
	assert_int_equal(pages[1][NT_LENT_PAGE_BYTES - 1], 2);
	assert_int_equal(nt_lender_ask(socket, at + HOLE * NT_LENT_PAGE_BYTES, pages), 0);
	assert_true(nt_lender_ask(socket, at + (HOLE + 1) * NT_LENT_PAGE_BYTES, pages) >= PAGES - HOLE - 1);
	assert_int_equal(pages[0][0], HOLE + 2);
	/* What is no page, and no address. */
	assert_int_equal(nt_lender_ask(socket, at + 1, pages), 0);
	assert_int_equal(nt_lender_ask(socket, 0, pages), 0);
	assert_int_equal(nt_lender_ask(socket, UINT64_MAX - NT_LENT_PAGE_BYTES + 1, pages), 0);
	assert_int_equal(nt_lender_ask(socket, UINT64_C(1) << 63, pages), 0);
	end(&child, socket);
	close(self);
	munmap(memory, (size_t)PAGES * NT_LENT_PAGE_BYTES);
}

/* A pid may be another process's by then: what it is the descriptor says, and nothing is lent. */
static void a_process_that_has_ended(void **state)
{
	(void)state;
	struct nt_decoder_child child;
	pid_t ended = fork();
	if (ended == 0)
		_exit(0);
	int process = pidfd_open(ended, 0);
	assert_int_equal(waitpid(ended, NULL, 0), ended);
	int socket = start(&child, getpid(), process);
	assert_int_equal(nt_lender_ask(socket, (uintptr_t)pages & ~(uint64_t)(NT_LENT_PAGE_BYTES - 1), pages), -1);
	end(&child, socket);
	close(process);
}

static void a_lender_that_is_gone(void **state)
{
	(void)state;
	struct nt_decoder_child child;
	int self = pidfd_open(getpid(), 0), socket = start(&child, getpid(), self);
	kill(child.pid, SIGKILL);
	assert_int_equal(nt_lender_ask(socket, 0, pages), -1);
	assert_int_equal(nt_lender_ask(socket, 0, pages), -1);
	end(&child, socket);
	close(self);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_that_are_there),
		cmocka_unit_test(a_process_that_has_ended),
		cmocka_unit_test(a_lender_that_is_gone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
