// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an input costs is counted, not timed, so that a decoder that takes more than it may for each byte is found in an input of a few hundred bytes, and on any machine. A step is a basic
 * block of ours (the compiler calls below in each), or some bytes that libc looks at or copies for us. Linked around the target (Makefile: COUNTED); of the thread that runs it,
 * and without what libraries do.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

enum { LIBC_BYTES = 32 /* of a step */ };

static _Thread_local size_t steps;

int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	steps = 0;
	__real_LLVMFuzzerTestOneInput(data, size);
	size_t taken = steps;
	if (taken > fuzz_steps_max(size)) {
		fprintf(stderr, "ERROR: %zu steps for %zu bytes, which may take %zu\n", taken, size, fuzz_steps_max(size));
		abort();
	}
	return 0;
}

__attribute__((weak)) size_t fuzz_steps_max(size_t size)
{
	enum { ONCE = 1 << 14, PER_BYTE = 256 };
	return ONCE + PER_BYTE * size;
}

void __wrap___sanitizer_cov_trace_pc(void);

void __wrap___sanitizer_cov_trace_pc(void)
{
	steps++;
}

/* libc's functions: how many bytes they look at or copy is known from their arguments or their result. */
#define LOOKS(type, name, arguments, bytes, ...)                                                                                           \
	type __real_##name arguments;                                                                                                      \
	type __wrap_##name arguments;                                                                                                      \
	type __wrap_##name arguments                                                                                                       \
	{                                                                                                                                  \
		type result = __real_##name(__VA_ARGS__);                                                                                  \
		steps += (size_t)(bytes) / LIBC_BYTES;                                                                                     \
		return result;                                                                                                             \
	}
#define FROM(start, size) (result ? (size_t)((const char *)result - (const char *)(start)) : (size))

LOOKS(void *, memchr, (const void *text, int byte, size_t size), FROM(text, size), text, byte, size)
LOOKS(void *, memrchr, (const void *text, int byte, size_t size), result ? size - FROM(text, 0) : size, text, byte, size)
LOOKS(void *, memmem, (const void *text, size_t size, const void *word, size_t length), FROM(text, size), text, size, word, length)
LOOKS(int, memcmp, (const void *one, const void *two, size_t size), size, one, two, size)
LOOKS(size_t, strlen, (const char *text), result, text)
LOOKS(size_t, strnlen, (const char *text, size_t size), result, text, size)
LOOKS(void *, memcpy, (void *to, const void *from, size_t size), size, to, from, size)
LOOKS(void *, memmove, (void *to, const void *from, size_t size), size, to, from, size)
LOOKS(void *, memset, (void *to, int byte, size_t size), size, to, byte, size)
LOOKS(void *, __asan_memcpy, (void *to, const void *from, size_t size), size, to, from, size)
LOOKS(void *, __asan_memmove, (void *to, const void *from, size_t size), size, to, from, size)
LOOKS(void *, __asan_memset, (void *to, int byte, size_t size), size, to, byte, size)
