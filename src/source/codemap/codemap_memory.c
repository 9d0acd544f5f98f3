// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_memory.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "source/common/foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct asked {
	uint64_t start;
	size_t wanted;
	char path[64];
};

struct answer {
	size_t length;
	int errnum;
};

/* In a process apart: the kernel fetches what is mapped and not in memory from a file of the target's, which may hang. What it read is in a file in memory. */
static void read_there(const void *asked_bytes, const int *given, void *answer_bytes, int *fd)
{
	static char piece[64 << 10];
	const struct asked *asked = asked_bytes;
	struct answer *answer = answer_bytes;
	(void)given;
	int from = open(asked->path, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : memfd_create("memory", MFD_CLOEXEC);
	ssize_t got = 1;
	while (to >= 0 && answer->length < asked->wanted && got > 0) {
		size_t left = asked->wanted - answer->length, size = left < sizeof(piece) ? left : sizeof(piece);
		got = nt_foreign_read(from, piece, size, (off_t)(asked->start + answer->length));
		if (got > 0)
			got = pwrite(to, piece, (size_t)got, (off_t)answer->length);
		answer->length += got > 0 ? (size_t)got : 0;
	}
	answer->errnum = errno;
	if (from >= 0)
		close(from);
	*fd = to;
}

static void run(struct nt_errand *errand)
{
	struct nt_codemap_memory *memory = (struct nt_codemap_memory *)errand;
	struct asked asked = { .start = memory->start, .wanted = memory->wanted };
	struct answer answer;
	int fd;
	snprintf(asked.path, sizeof(asked.path), "%s", memory->path);
	memory->errnum = nt_apart_do(&(struct nt_apart){ .work = read_there,
							 .where = memory->path,
							 .asked = &asked,
							 .asked_size = sizeof(asked),
							 .answer = &answer,
							 .answer_size = sizeof(answer),
							 .fd = &fd });
	if (memory->errnum)
		return;
	ssize_t got = fd < 0 ? -1 : nt_foreign_read(fd, memory->bytes, answer.length, 0);
	memory->errnum = answer.errnum;
	memory->length = got > 0 ? (size_t)got : 0;
	if (fd >= 0)
		close(fd);
}

static void release(struct nt_errand *errand)
{
	struct nt_codemap_memory *memory = (struct nt_codemap_memory *)errand;
	free(memory->path);
	free(memory);
}

static const char *reason_of(int errnum)
{
	if (errnum == EACCES || errnum == EPERM)
		return "its code cannot be read: that needs the target's user, or root with CAP_SYS_PTRACE";
	if (errnum == ETIMEDOUT)
		return "its code cannot be read: timed out";
	return "its code is not in the target's memory any more";
}

struct nt_codemap_memory *nt_codemap_memory_read(const struct nt_files_target *target, struct nt_hand *hand, uint64_t start, size_t wanted,
						 const char **reason)
{
	struct nt_codemap_memory *memory = nt_alloc(sizeof(*memory) + wanted);
	memory->errand = (struct nt_errand){ .run = run, .release = release };
	memory->path = nt_format("%s/mem", target->proc_dir);
	memory->start = start;
	memory->wanted = wanted;
	enum nt_status status = nt_hand_do(hand, &memory->errand, NT_FILES_TIMEOUT_NS);
	*reason = NULL;
	if (status != NT_OK) { /* it is the hand's */
		*reason = status == NT_END ? NULL : "its code cannot be read: timed out";
		return NULL;
	}
	if (memory->length)
		return memory;
	*reason = reason_of(memory->errnum);
	nt_codemap_memory_free(memory);
	return NULL;
}

void nt_codemap_memory_free(struct nt_codemap_memory *memory)
{
	if (memory)
		release(&memory->errand);
}
