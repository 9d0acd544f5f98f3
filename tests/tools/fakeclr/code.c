// SPDX-License-Identifier: GPL-2.0-only
/* Generated machine code that can really run and be sampled, in a mapping like the runtime's (W^X: one memfd, mapped twice), and its perf map. */
#include "runtime.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAP_BYTES = 16 << 20, ALIGNMENT = 16 };

/* long loop(long turns): counts down to 0, with a frame, so that call chains go on. */
#if defined(__x86_64__)
static const uint8_t loop_code[] = {
	0x55,             /* push rbp */
	0x48, 0x89, 0xe5, /* mov rbp, rsp */
	0x48, 0x89, 0xf8, /* mov rax, rdi */
	0x48, 0xff, 0xc8, /* dec rax */
	0x75, 0xfb,       /* jnz dec */
	0x5d,             /* pop rbp */
	0xc3,             /* ret */
};
#elif defined(__aarch64__)
static const uint32_t loop_code[] = {
	0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
	0x910003fd, /* mov x29, sp */
	0xf1000400, /* subs x0, x0, #1 */
	0x54ffffe1, /* b.ne subs */
	0xa8c17bfd, /* ldp x29, x30, [sp], #16 */
	0xd65f03c0, /* ret */
};
#else
#error "the stand-in runtime has code for x86-64 and arm64"
#endif

static int open_perf_map(void)
{
	char path[4096];
	const char *folder = getenv("DOTNET_PerfMapJitDumpPath");
	if (snprintf(path, sizeof(path), "%s/perf-%d.map", folder ? folder : "/tmp", (int)getpid()) >= (int)sizeof(path))
		return -1;
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0644);
}

bool fake_code_init(struct fake *fake)
{
	struct code_heap *code = &fake->code;
	code->perf_map_fd = fake->gates.perf_map ? open_perf_map() : -1;
	int fd = memfd_create("doublemapper", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, HEAP_BYTES) != 0)
		return false;
	code->executable = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	code->writable = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return code->executable != MAP_FAILED && code->writable != MAP_FAILED;
}

void fake_code_fini(struct fake *fake)
{
	if (fake->code.perf_map_fd >= 0)
		close(fake->code.perf_map_fd);
	munmap(fake->code.executable, HEAP_BYTES);
	munmap(fake->code.writable, HEAP_BYTES);
}

void *fake_code_add_loop(struct fake *fake, size_t *size)
{
	struct code_heap *code = &fake->code;
	size_t need = (sizeof(loop_code) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (code->used + need > HEAP_BYTES)
		code->used = 0; /* addresses are re-used, as the runtime does with those of dead methods */
	void *start = code->executable + code->used;
	memcpy(code->writable + code->used, loop_code, sizeof(loop_code));
	code->used += need;
	__builtin___clear_cache(start, (char *)start + sizeof(loop_code));
	*size = sizeof(loop_code);
	return start;
}

void fake_perf_map_add(struct fake *fake, const void *start, size_t size, const char *name)
{
	char line[1024];
	if (fake->code.perf_map_fd < 0)
		return;
	int length = snprintf(line, sizeof(line), "%p %zx %s\n", start, size, name);
	if (length < (int)sizeof(line) && write(fake->code.perf_map_fd, line, (size_t)length) < 0)
		perror("fakeclr: perf map");
}
