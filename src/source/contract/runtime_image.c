// SPDX-License-Identifier: GPL-2.0-only
#include "source/contract/runtime_image.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	IMAGES_MAX = 4096,     /* beginnings of files, looked at for the description */
	MAPS_BYTES = 16 << 20, /* of the list of mappings */
};

static char *read_maps(int fd)
{
	char *text = NULL;
	size_t length = 0, capacity = 0;
	ssize_t got = 0;
	do {
		text = nt_grow(text, &capacity, length + NT_PAGE_BYTES + 1, 1);
		got = read(fd, text + length, NT_PAGE_BYTES);
		length += got > 0 ? (size_t)got : 0;
	} while (got > 0 && length < MAPS_BYTES);
	text[length] = '\0';
	return text;
}

/* A mapping of the begin of a file: where it is; 0 = the line is of something else. */
static uint64_t image_of(const char *line, bool *runtime)
{
	static const char library[] = "/libcoreclr.so";
	unsigned long long start, offset;
	const char *path = strchr(line, '/');
	if (!path || sscanf(line, "%llx-%*x %*s %llx", &start, &offset) != 2 || offset)
		return 0;
	const char *found = strstr(path, library);
	*runtime = found && (found[sizeof(library) - 1] == '\0' || found[sizeof(library) - 1] == ' ');
	return start;
}

static enum nt_descriptor_result find(struct nt_contract *contract, struct nt_memory *memory, char *maps)
{
	uint64_t images[IMAGES_MAX];
	size_t count = 0;
	for (char *line = maps, *next; line; line = next) {
		bool runtime;
		if ((next = strchr(line, '\n')))
			*next++ = '\0';
		uint64_t image = image_of(line, &runtime);
		if (image && runtime)
			return nt_contract_open(contract, memory, image);
		if (image && count < IMAGES_MAX)
			images[count++] = image;
	}
	for (size_t i = 0; i < count; i++)
		if (nt_contract_open(contract, memory, images[i]) == NT_DESCRIPTOR_FOUND)
			return NT_DESCRIPTOR_FOUND;
	return NT_DESCRIPTOR_NONE;
}

enum nt_descriptor_result nt_runtime_image_open(struct nt_contract *contract, struct nt_memory *memory, int fd)
{
	char *maps = read_maps(fd);
	enum nt_descriptor_result result = find(contract, memory, maps);
	free(maps);
	return result;
}
