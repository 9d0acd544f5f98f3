// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/memory_lender.h"

#include "base/passed_fds.h"
#include "source/decoder/lender_confined.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int nt_lender_ask(int socket, uint64_t address, uint8_t pages[NT_LENT_PAGES][NT_LENT_PAGE_BYTES])
{
	const struct nt_lender_ask ask = { .address = address };
	struct iovec into = { .iov_base = pages, .iov_len = (size_t)NT_LENT_PAGES * NT_LENT_PAGE_BYTES };
	struct msghdr message = { .msg_iov = &into, .msg_iovlen = 1 };
	ssize_t done;
	while ((done = write(socket, &ask, sizeof(ask))) < 0 && errno == EINTR)
		continue;
	if (done != sizeof(ask))
		return -1;
	while ((done = recvmsg(socket, &message, 0)) < 0 && errno == EINTR)
		continue;
	return done <= 0 ? -1 : (int)(done / NT_LENT_PAGE_BYTES);
}

/* As long as this descriptor of it is of a process that is there, its pid is nobody else's. */
static bool is_there(int process)
{
	static const struct timespec at_once = { 0 };
	struct pollfd ended = { .fd = process, .events = POLLIN };
	return ppoll(&ended, 1, &at_once, NULL) == 0;
}

/* How many pages from `address` on are in `pages`. A read that covers several ends at the first that is not there. */
static size_t copy(pid_t pid, uint64_t address, uint8_t *pages)
{
	size_t most = (size_t)NT_LENT_PAGES * NT_LENT_PAGE_BYTES;
	struct iovec into = { .iov_base = pages, .iov_len = most }, from = { .iov_base = (void *)(uintptr_t)address, .iov_len = most };
	if (address % NT_LENT_PAGE_BYTES || address > UINTPTR_MAX - most)
		return 0;
	ssize_t got = process_vm_readv(pid, &into, 1, &from, 1, 0);
	return got > 0 ? (size_t)got / NT_LENT_PAGE_BYTES : 0;
}

static int lend(pid_t pid, int process, int socket)
{
	static uint8_t pages[NT_LENT_PAGES * NT_LENT_PAGE_BYTES];
	for (;;) {
		struct nt_lender_ask ask;
		ssize_t got;
		while ((got = read(socket, &ask, sizeof(ask))) < 0 && errno == EINTR)
			continue;
		if (got != sizeof(ask))
			return 0;
		size_t count = copy(pid, ask.address, pages), length = count ? count * NT_LENT_PAGE_BYTES : 1;
		if (!count)
			pages[0] = 0;
		/* What was read was of that process only if it is there still. */
		if (!is_there(process) || write(socket, pages, length) != (ssize_t)length)
			return 0;
	}
}

int nt_lender_serve(void)
{
	int fds[NT_PASSED_FDS_MAX];
	size_t count;
	ssize_t got;
	struct nt_lender_open open;
	prctl(PR_SET_NAME, "nettop-lender");
	while ((got = nt_passed_fds_take(NT_DECODER_FD, &open, sizeof(open), 0, fds, &count)) < 0 && errno == EINTR)
		continue;
	if (got != sizeof(open) || count != 2 || open.pid <= 1)
		return 1;
	close(NT_DECODER_FD);
	if (!nt_lender_confine(open.pid))
		return 1;
	return lend(open.pid, fds[0], fds[1]);
}
