// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/kernel_symbols.h"

#include "base/alloc.h"
#include "decode/kernel/kallsyms.h"
#include "source/image/image_symbols.h"
#include "target/needs/prerequisites.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { CHUNK_BYTES = 64 << 10 };

/* kallsyms has no sizes: a function ends where the next begins, which is what the table makes of ranges that overlap; but none is longer than this. */
enum { FUNCTION_MAX_BYTES = 256 << 10 };

static unsigned rank_of(char type)
{
	return type == 'T' ? 2 : type == 'W' || type == 'w' ? 1 : 0;
}

static void put(void *context, const struct nt_kallsym *symbol)
{
	nt_symbols_add(context, symbol->address, FUNCTION_MAX_BYTES, rank_of(symbol->type), symbol->name, symbol->name_length);
}

static enum nt_status read_all(const char *path, struct nt_symbols *symbols, struct nt_kallsyms_parser *parser, struct nt_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return nt_error_errno(err, errno == ENOENT ? NT_ERR_ABSENT : NT_ERR_FAILED, errno, "no names of kernel functions: %s",
				      path);
	char *chunk = nt_alloc(CHUNK_BYTES);
	size_t held = 0;
	enum nt_status status = NT_OK;
	for (;;) {
		ssize_t got = read(fd, chunk + held, CHUNK_BYTES - held);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			status = nt_error_errno(err, NT_ERR_FAILED, errno, "no names of kernel functions: %s", path);
		if (got <= 0)
			break;
		held += (size_t)got;
		size_t used = nt_kallsyms_parse(parser, chunk, held, put, symbols);
		memmove(chunk, chunk + used, held - used);
		held -= used;
		if (held == CHUNK_BYTES)
			held = 0; /* a line without end: none of the kernel's */
	}
	free(chunk);
	close(fd);
	return status;
}

/* As `nettop doctor` says it; what shows is known by now. */
static enum nt_status hidden(struct nt_error *err)
{
	struct nt_facts facts = { 0 };
	nt_facts_read_machine(&facts, "");
	facts.kallsyms_shown = false;
	return nt_prerequisite_error(NT_NEEDS_KPTR, &facts, err);
}

enum nt_status nt_kernel_symbols_load(const char *proc_root, struct nt_symbols **out, struct nt_error *err)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/kallsyms", proc_root);
	struct nt_symbols *symbols = nt_symbols_new();
	struct nt_kallsyms_parser parser = { 0 };
	enum nt_status status = read_all(path, symbols, &parser, err);
	nt_symbols_finish(symbols);
	if (status == NT_OK && !nt_symbols_count(symbols))
		status = parser.hidden_count ? hidden(err)
					     : nt_error_set(err, NT_ERR_ABSENT, "no names of kernel functions: %s lists none", path);
	if (status == NT_OK)
		*out = symbols;
	else
		nt_symbols_free(symbols);
	return status;
}

void nt_vdso_load(struct nt_image_symbols *image)
{
	uintptr_t address = getauxval(AT_SYSINFO_EHDR);
	*image = (struct nt_image_symbols){ .form = NT_IMAGE_OTHER };
	if (!address) {
		snprintf(image->reason, sizeof(image->reason), "this kernel gives no vdso");
		return;
	}
	const ElfW(Ehdr) *header = (const void *)address;
	/* Its section headers are its last part. */
	size_t size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	nt_image_symbols_load_memory(image, "[vdso]", header, size);
}
