// SPDX-License-Identifier: GPL-2.0-only
#include "base/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *checked(void *memory)
{
	if (!memory) {
		fputs("nettop: out of memory\n", stderr);
		abort();
	}
	return memory;
}

void *nt_alloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *nt_realloc(void *old, size_t count, size_t size)
{
	return checked(reallocarray(old, count ? count : 1, size));
}

char *nt_strdup(const char *text)
{
	return text ? checked(strdup(text)) : NULL;
}

char *nt_format(const char *fmt, ...)
{
	char *text;
	va_list args;
	va_start(args, fmt);
	int length = vasprintf(&text, fmt, args);
	va_end(args);
	return checked(length < 0 ? NULL : text);
}

void *nt_grow_larger(void *array, size_t *capacity, size_t need, size_t size)
{
	size_t grown = *capacity ? *capacity : 16;
	while (grown < need)
		grown *= 2;
	array = nt_realloc(array, grown, size);
	*capacity = grown;
	return array;
}

void nt_touch(void *memory, size_t bytes)
{
	enum { MANY = 16 };
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = ((uintptr_t)memory + page - 1) & -page;
	uintptr_t end = ((uintptr_t)memory + bytes) & -page;
	if (end > first && end - first >= MANY * page)
		madvise((void *)first, end - first, MADV_POPULATE_WRITE); /* before Linux 5.14 they come one by one */
}

void nt_touch_heap(size_t bytes)
{
	void *room = malloc(bytes);
	if (room)
		nt_touch(room, bytes);
	free(room);
}

void *nt_alloc_lines(size_t size)
{
	size_t lines = (size + NT_CACHE_LINE - 1) & ~(size_t)(NT_CACHE_LINE - 1);
	void *memory = checked(aligned_alloc(NT_CACHE_LINE, lines));
	nt_touch(memory, lines);
	return memset(memory, 0, lines);
}

void *nt_shrink(void *array, size_t *capacity, size_t used, size_t size)
{
	enum { KEPT_BYTES = 32 << 10, MUCH = 3 };
	size_t kept = KEPT_BYTES / size + 1;
	if (kept < used)
		kept = used;
	if (*capacity <= MUCH * kept)
		return array;
	if (!used) { /* nothing to be copied */
		free(array);
		*capacity = 0;
		return NULL;
	}
	*capacity = kept;
	return nt_realloc(array, kept, size);
}
