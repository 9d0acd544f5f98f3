// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/elf_open.h"

#include "base/alloc.h"

#include <errno.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of sections, and of segments: linked files have some dozens. */
enum { HEADERS_MAX = 4096 };

static const uint64_t budgets[] = { [NT_ELF_DYNAMIC] = UINT64_C(64) << 20, [NT_ELF_SYMBOLS] = UINT64_C(128) << 20 };

/* Where the bytes are: in a file, or in memory. */
struct place {
	int fd; /* -1 = in memory */
	const char *bytes;
	size_t length;
	uint64_t ahead_at; /* of a file: headers lie one behind the other, so what follows is read with each */
	size_t ahead_length;
	char ahead[4096];
};

/* A header of a section or of a segment, as far as it matters here. */
struct header {
	uint32_t type, link;
	uint64_t flags, size;
};

struct look {
	struct place place;
	bool is64;
	uint64_t sections_at, segments_at; /* in the file; 0 = there are none */
	uint64_t section_count, segment_count;
	uint64_t names;         /* index of the section with the names */
	struct header *headers; /* owned; of sections; of one that the file does not have: 0 */
	char *objection;
};

/* At least `size` bytes. */
static bool read_ahead(struct place *place, uint64_t offset, size_t size)
{
	place->ahead_at = offset;
	place->ahead_length = 0;
	while (place->ahead_length < size) {
		size_t had = place->ahead_length;
		ssize_t got = offset <= INT64_MAX - sizeof(place->ahead)
				      ? pread(place->fd, place->ahead + had, sizeof(place->ahead) - had, (off_t)(offset + had))
				      : -1;
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		place->ahead_length += (size_t)got;
	}
	return true;
}

/* No more than a header. */
static bool read_at(struct place *place, uint64_t offset, void *out, size_t size)
{
	if (place->fd < 0) {
		if (offset > place->length || size > place->length - offset)
			return false;
		memcpy(out, place->bytes + offset, size);
		return true;
	}
	uint64_t within = offset - place->ahead_at;
	if (within > place->ahead_length || size > place->ahead_length - within) {
		if (!read_ahead(place, offset, size))
			return false;
		within = 0;
	}
	memcpy(out, place->ahead + within, size);
	return true;
}

/* ---- headers of both classes ---- */

union file_header {
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr narrow;
	Elf64_Ehdr wide;
};

#define TAKE_FILE(look, from)                                                                                                              \
	((look)->sections_at = (from).e_shoff, (look)->segments_at = (from).e_phoff, (look)->section_count = (from).e_shnum,               \
	 (look)->segment_count = (from).e_phnum, (look)->names = (from).e_shstrndx)

static bool read_file_header(struct look *look)
{
	union file_header header = { 0 };
	const unsigned char our_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	if (!read_at(&look->place, 0, &header, sizeof(header.narrow)) || memcmp(header.ident, ELFMAG, SELFMAG) != 0 ||
	    header.ident[EI_DATA] != our_order)
		return false;
	look->is64 = header.ident[EI_CLASS] == ELFCLASS64;
	if (look->is64 && read_at(&look->place, 0, &header, sizeof(header.wide)))
		TAKE_FILE(look, header.wide);
	else if (header.ident[EI_CLASS] == ELFCLASS32)
		TAKE_FILE(look, header.narrow);
	else
		return false;
	return true;
}

#define SECTION_OF(from) ((struct header){ (from).sh_type, (from).sh_link, (from).sh_flags, (from).sh_size })
#define SEGMENT_OF(from) ((struct header){ .type = (from).p_type, .size = (from).p_filesz })

/* The index-th of the headers of `size` bytes that begin at `at`. */
static bool read_header(struct look *look, uint64_t at, uint64_t index, void *header, size_t size)
{
	return at <= INT64_MAX && read_at(&look->place, at + index * size, header, size);
}

static bool read_section(struct look *look, uint64_t index, struct header *out)
{
	union {
		Elf32_Shdr narrow;
		Elf64_Shdr wide;
	} header;
	size_t size = look->is64 ? sizeof(header.wide) : sizeof(header.narrow);
	if (!read_header(look, look->sections_at, index, &header, size))
		return false;
	*out = look->is64 ? SECTION_OF(header.wide) : SECTION_OF(header.narrow);
	return true;
}

static bool read_segment(struct look *look, uint64_t index, struct header *out)
{
	union {
		Elf32_Phdr narrow;
		Elf64_Phdr wide;
	} header;
	size_t size = look->is64 ? sizeof(header.wide) : sizeof(header.narrow);
	if (!read_header(look, look->segments_at, index, &header, size))
		return false;
	*out = look->is64 ? SEGMENT_OF(header.wide) : SEGMENT_OF(header.narrow);
	return true;
}

/* ---- what speaks against it ---- */

__attribute__((format(printf, 2, 3))) static bool object(struct look *look, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(look->objection, NT_OBJECTION_BYTES, format, arguments);
	va_end(arguments);
	return false;
}

/* A count that does not fit the file's header stands in the header of section 0, and is believed there up to 2^64. */
static bool count_headers(struct look *look)
{
	struct header first = { 0 };
	bool has_first = look->sections_at && read_section(look, 0, &first);
	if (!look->sections_at)
		look->section_count = 0;
	else if (!look->section_count)
		look->section_count = has_first ? first.size : 0;
	if (look->names == SHN_XINDEX)
		look->names = first.link;
	if (!look->segments_at)
		look->segment_count = 0;
	if (look->section_count > HEADERS_MAX)
		return object(look, "says that it has %llu sections", (unsigned long long)look->section_count);
	if (look->segment_count > HEADERS_MAX)
		return object(look, "says that it has %llu segments or more", (unsigned long long)look->segment_count);
	return true;
}

static bool is_read(const struct header *section, enum nt_elf_use use)
{
	switch (section->type) {
	case SHT_DYNSYM:
	case SHT_DYNAMIC:
	case SHT_NOTE:
		return true;
	case SHT_SYMTAB:
		return use == NT_ELF_SYMBOLS;
	default:
		return false;
	}
}

/* Added without overflow: the sum stays too large once it is. */
static void add(uint64_t *sum, uint64_t size)
{
	*sum = size > UINT64_MAX - *sum ? UINT64_MAX : *sum + size;
}

static bool add_table(struct look *look, const struct header *table, uint64_t *sum)
{
	/* libelf unpacks some of them without being asked. */
	if (table->flags & SHF_COMPRESSED)
		return object(look, "has a compressed table of symbols");
	add(sum, table->size);
	return true;
}

/* The tables that are read, and the texts that they refer to: those once for tables in a row that have them in common. */
static bool add_sections(struct look *look, enum nt_elf_use use, uint64_t *sum)
{
	uint64_t linked = look->names;
	/* Where the file ends before them libelf refuses them as well. */
	for (uint64_t i = 0; i < look->section_count && read_section(look, i, &look->headers[i]);)
		i++;
	if (linked < look->section_count && !add_table(look, &look->headers[linked], sum))
		return false;
	for (uint64_t i = 0; i < look->section_count; i++) {
		const struct header *section = &look->headers[i];
		if (!is_read(section, use))
			continue;
		if (!add_table(look, section, sum))
			return false;
		if (section->link != linked && section->link < look->section_count && !add_table(look, &look->headers[section->link], sum))
			return false;
		linked = section->link;
	}
	return true;
}

static void add_segments(struct look *look, uint64_t *sum)
{
	struct header segment;
	for (uint64_t i = 0; i < look->segment_count && read_segment(look, i, &segment); i++)
		if (segment.type == PT_NOTE)
			add(sum, segment.size);
}

static bool is_within_budget(struct look *look, enum nt_elf_use use)
{
	uint64_t sum = 0;
	if (!read_file_header(look) || !count_headers(look))
		return false;
	look->headers = nt_alloc((look->section_count + 1) * sizeof(*look->headers));
	bool good = add_sections(look, use, &sum);
	free(look->headers);
	if (!good)
		return false;
	add_segments(look, &sum);
	return sum <= budgets[use] || object(look, "says that its tables have %llu MB", (unsigned long long)(sum >> 20));
}

/* ---- the file ---- */

static Elf *only_elf(Elf *elf)
{
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

Elf *nt_elf_open(int fd, enum nt_elf_use use, char objection[NT_OBJECTION_BYTES])
{
	char unasked[NT_OBJECTION_BYTES];
	struct look look = { .place.fd = fd, .objection = objection ? objection : unasked };
	*look.objection = '\0';
	if (!is_within_budget(&look, use))
		return NULL;
	elf_version(EV_CURRENT);
	return only_elf(elf_begin(fd, ELF_C_READ, NULL));
}

Elf *nt_elf_open_memory(char *bytes, size_t length, enum nt_elf_use use)
{
	char unasked[NT_OBJECTION_BYTES];
	struct look look = { .place = { .fd = -1, .bytes = bytes, .length = length }, .objection = unasked };
	if (!is_within_budget(&look, use))
		return NULL;
	elf_version(EV_CURRENT);
	return only_elf(elf_memory(bytes, length));
}
