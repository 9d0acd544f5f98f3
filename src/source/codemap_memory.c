// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_memory.h"

#include "base/alloc.h"
#include "source/foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void run(struct nt_errand *errand)
{
	struct nt_codemap_memory *memory = (struct nt_codemap_memory *)errand;
	int fd = open(memory->path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : nt_foreign_read(fd, memory->bytes, memory->wanted, (off_t)memory->start);
	memory->errnum = errno;
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
	return "its code is not in the target's memory any more";
}

struct nt_codemap_memory *nt_codemap_memory_read(const struct nt_codemap_target *target, struct nt_hand *hand, uint64_t start,
						 size_t wanted, const char **reason)
{
	struct nt_codemap_memory *memory = nt_alloc(sizeof(*memory) + wanted);
	memory->errand = (struct nt_errand){ .run = run, .release = release };
	memory->path = nt_format("%s/mem", target->proc_dir);
	memory->start = start;
	memory->wanted = wanted;
	enum nt_status status = nt_hand_do(hand, &memory->errand, NT_CODEMAP_TIMEOUT_NS);
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
