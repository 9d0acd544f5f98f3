// SPDX-License-Identifier: GPL-2.0-only
#include "source/contract/contract_reader.h"

#include "base/apart.h"
#include "base/passed_fds.h"
#include "base/process_memory.h"
#include "source/decoder/memory_lender.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int open_in(const char *proc_dir, const char *name)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", proc_dir, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static enum nt_status refused(int errnum, struct nt_error *err)
{
	if (errnum == EACCES || errnum == EPERM)
		return nt_error_set(err, NT_ERR_FORBIDDEN,
				    "the target's memory may not be read: that needs its user, or root with CAP_SYS_PTRACE");
	return nt_error_set(err, NT_ERR_ABSENT, "the target's memory cannot be read: %s", strerror(errnum));
}

/* Memory that may be read but not opened: the socket of a process that lends it. -1: there is none, errno. */
static int borrow(struct nt_reader *reader, const char *proc_dir, pid_t pid, int pidfd)
{
	int ends[2], errnum = nt_process_memory_error(proc_dir, pid);
	if (!errnum && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		errnum = errno;
	else if (!errnum && (errnum = nt_decoder_child_start(&reader->lender, NT_LENDER_WORD))) {
		close(ends[0]);
		close(ends[1]);
	}
	errno = errnum;
	if (errnum)
		return -1;
	const struct nt_lender_open open = { .pid = pid };
	const int fds[2] = { pidfd, ends[0] };
	nt_passed_fds_send(reader->lender.fd, &open, sizeof(open), fds,
			   2); /* else it has ended, and so does the reader at its first page */
	close(ends[0]);
	return ends[1];
}

enum nt_status nt_reader_start(struct nt_reader *reader, const char *proc_dir, pid_t pid, int pidfd, unsigned major, struct nt_error *err)
{
	*reader = (struct nt_reader){ .child = { .pidfd = -1, .fd = -1 }, .lender = { .pidfd = -1, .fd = -1 } };
	int fds[2] = { -1, open_in(proc_dir, "maps") };
	if (fds[1] >= 0 && (fds[0] = open_in(proc_dir, "mem")) < 0 && errno == EACCES && pidfd >= 0)
		fds[0] = borrow(reader, proc_dir, pid, pidfd);
	int errnum = errno;
	enum nt_status status = NT_OK;
	if (fds[0] < 0 || fds[1] < 0) {
		status = refused(errnum, err);
	} else if ((errnum = nt_decoder_child_start(&reader->child, NT_READER_WORD))) {
		status = nt_error_set(err, NT_ERR_ABSENT, "the process that reads the target's memory cannot be started: %s",
				      strerror(errnum));
	} else {
		const struct nt_reader_open open = { .what = NT_READER_OPEN, .lent = reader->lender.pid != 0, .major = major };
		if (!nt_passed_fds_send(reader->child.fd, &open, sizeof(open), fds, 2)) {
			status = nt_error_set(err, NT_ERR_ABSENT, "the process that reads the target's memory has ended");
		}
	}
	if (status != NT_OK)
		nt_reader_end(reader);
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return status;
}

void nt_reader_end(struct nt_reader *reader)
{
	pid_t left;
	if (nt_reader_is_there(reader))
		nt_decoder_child_end(&reader->child, &left);
	if (reader->lender.pid)
		nt_decoder_child_end(&reader->lender, &left);
	reader->length = reader->at = 0;
}

bool nt_reader_look(struct nt_reader *reader, const uint32_t *tids, size_t count)
{
	uint8_t packet[sizeof(struct nt_reader_look) + NT_READER_THREADS * sizeof(*tids)];
	const struct nt_reader_look look = { .what = NT_READER_LOOK, .count = (uint32_t)count };
	memcpy(packet, &look, sizeof(look));
	if (count)
		memcpy(packet + sizeof(look), tids, count * sizeof(*tids));
	return nt_decoder_child_say(&reader->child, packet, sizeof(look) + count * sizeof(*tids), -1);
}

static bool ask(struct nt_reader *reader, enum nt_reader_what what, const uint64_t *places, size_t count)
{
	uint8_t packet[sizeof(struct nt_reader_name) + NT_READER_NAMES * sizeof(*places)];
	const struct nt_reader_name name = { .what = what, .count = (uint32_t)count };
	memcpy(packet, &name, sizeof(name));
	memcpy(packet + sizeof(name), places, count * sizeof(*places));
	return nt_decoder_child_say(&reader->child, packet, sizeof(name) + count * sizeof(*places), -1);
}

bool nt_reader_name(struct nt_reader *reader, const uint64_t *addresses, size_t count)
{
	return ask(reader, NT_READER_NAME, addresses, count);
}

bool nt_reader_type(struct nt_reader *reader, const uint64_t *types, size_t count)
{
	return ask(reader, NT_READER_TYPE, types, count);
}

bool nt_reader_copy(struct nt_reader *reader, const uint64_t *stack_pointers, size_t count)
{
	return ask(reader, NT_READER_COPY, stack_pointers, count);
}

bool nt_reader_rule(struct nt_reader *reader, const uint64_t *addresses, size_t count)
{
	return ask(reader, NT_READER_RULE, addresses, count);
}

bool nt_reader_pool(struct nt_reader *reader)
{
	const struct nt_reader_pool pool = { .what = NT_READER_POOL };
	return nt_decoder_child_say(&reader->child, &pool, sizeof(pool), -1);
}

bool nt_reader_alloc(struct nt_reader *reader)
{
	const struct nt_reader_alloc alloc = { .what = NT_READER_ALLOC };
	return nt_decoder_child_say(&reader->child, &alloc, sizeof(alloc), -1);
}

bool nt_reader_statics(struct nt_reader *reader, uint64_t module, const uint64_t *addresses, size_t count)
{
	uint8_t packet[sizeof(struct nt_reader_statics) + NT_READER_NAMES * sizeof(*addresses)];
	const struct nt_reader_statics statics = { .what = NT_READER_STATICS, .count = (uint32_t)count, .module = module };
	memcpy(packet, &statics, sizeof(statics));
	memcpy(packet + sizeof(statics), addresses, count * sizeof(*addresses));
	return nt_decoder_child_say(&reader->child, packet, sizeof(statics) + count * sizeof(*addresses), -1);
}

bool nt_reader_il(struct nt_reader *reader, const uint64_t *addresses, size_t count)
{
	return ask(reader, NT_READER_IL, addresses, count);
}

enum nt_status nt_reader_next(struct nt_reader *reader, struct nt_reader_record *out)
{
	if (!nt_reader_is_there(reader))
		return NT_END;
	if (reader->at == reader->length) {
		ssize_t got;
		while ((got = recv(reader->child.fd, reader->packet, sizeof(reader->packet), MSG_DONTWAIT)) < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return NT_AGAIN;
		if (got <= 0)
			return NT_END;
		reader->length = (size_t)got;
		reader->at = 0;
	}
	size_t taken = nt_reader_take(reader->packet + reader->at, reader->length - reader->at, out);
	reader->at += taken;
	return taken ? NT_OK : NT_END;
}

uint64_t nt_reader_cpu_ns(const struct nt_reader *reader)
{
	uint64_t lender = reader->lender.pid ? nt_decoder_child_cpu_ns(&reader->lender) : 0;
	return lender + (nt_reader_is_there(reader) ? nt_decoder_child_cpu_ns(&reader->child) : 0);
}
