// SPDX-License-Identifier: GPL-2.0-only
#include "base/passed_fds.h"

#include "nettop/status.h"

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(NT_PASSED_FDS_MAX * sizeof(int))];
};

bool nt_passed_fds_send(int socket, const void *bytes, size_t size, const int *fds, size_t count)
{
	union control control = { 0 };
	struct iovec piece = { (void *)(uintptr_t)bytes, size }; /* which sendmsg() only reads */
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };
	nt_assert(count <= NT_PASSED_FDS_MAX);
	if (count) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		struct cmsghdr *head = CMSG_FIRSTHDR(&message);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(head), fds, count * sizeof(int));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

ssize_t nt_passed_fds_take(int socket, void *bytes, size_t size, int flags, int fds[NT_PASSED_FDS_MAX], size_t *count)
{
	union control control = { 0 };
	struct iovec piece = { bytes, size };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	*count = 0;
	ssize_t length = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *head = length < 0 ? NULL : CMSG_FIRSTHDR(&message);
	if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
		*count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds, CMSG_DATA(head), *count * sizeof(int));
	}
	return length;
}
