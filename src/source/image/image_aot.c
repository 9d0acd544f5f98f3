// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_aot.h"

#include "base/alloc.h"
#include "decode/assembly/aot_parts.h"
#include "source/image/elf_sections.h"

#include <stdlib.h>
#include <string.h>

/* ReadyToRunHeader, and its rows (ModuleInfoRow): id, flags, start, end. */
enum { MAGIC = 0x00525452, HEADER_BYTES = 16, ROW_BYTES = 24, ROWS_MAX = 256 };
enum { INVOKED = 306, REFERENCES = 308, METADATA = 313, TRACED = 327 };

/* Of the metadata, and of the table of methods. */
enum { BLOB_LIMIT_BYTES = 32 << 20 };

struct nt_image_aot {
	uint64_t code, code_end;         /* virtual addresses of the methods */
	uint8_t *bytes;                  /* the metadata, owned; NULL = none */
	struct nt_aot_metadata metadata; /* over these */
	struct nt_aot_methods methods;
	struct nt_aot_parts parts;
	char text[NT_RAW_NAME_MAX];
};

/* Where things are in the executable. */
struct place {
	uint64_t address, size;
};

/* ---- the executable as its loader sees it ---- */

/* [address, address + size) of the file, borrowed from the Elf; NULL: not all of it is in the file. */
static const uint8_t *bytes_at(Elf *elf, uint64_t address, uint64_t size)
{
	size_t count = 0;
	GElf_Phdr header;
	if (!size || size > BLOB_LIMIT_BYTES || elf_getphdrnum(elf, &count) != 0)
		return NULL;
	for (size_t i = 0; i < count && i < PN_XNUM && gelf_getphdr(elf, (int)i, &header); i++) {
		uint64_t within = address - header.p_vaddr;
		if (header.p_type != PT_LOAD || within > header.p_filesz || size > header.p_filesz - within ||
		    header.p_offset > INT64_MAX - within)
			continue;
		const Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)(header.p_offset + within), size, ELF_T_BYTE);
		return data && data->d_size == size ? data->d_buf : NULL;
	}
	return NULL;
}

static unsigned relative_type(Elf *elf)
{
	GElf_Ehdr header;
	const bool known = gelf_getehdr(elf, &header) != NULL;
	return !known ? 0 : header.e_machine == EM_X86_64 ? R_X86_64_RELATIVE : header.e_machine == EM_AARCH64 ? R_AARCH64_RELATIVE : 0;
}

/*
 * Read `count` pointers that lie at `address`, as they are before the executable is moved: what the loader would write there, else what
 * the file has.
 */
static bool read_pointers(Elf *elf, uint64_t address, size_t count, uint64_t *pointers)
{
	GElf_Shdr header;
	const uint8_t *file = bytes_at(elf, address, count * sizeof(*pointers));
	const Elf_Data *rela = nt_elf_section_bytes(nt_elf_section_named(elf, ".rela.dyn"), SHT_RELA, &header);
	if (!file)
		return false;
	memcpy(pointers, file, count * sizeof(*pointers));
	unsigned relative = relative_type(elf);
	for (size_t at = 0; rela && relative && at + sizeof(Elf64_Rela) <= rela->d_size; at += sizeof(Elf64_Rela)) {
		Elf64_Rela entry;
		memcpy(&entry, (const char *)rela->d_buf + at, sizeof(entry));
		uint64_t within = entry.r_offset - address;
		if (ELF64_R_TYPE(entry.r_info) == relative && within < count * sizeof(*pointers) && within % sizeof(*pointers) == 0)
			pointers[within / sizeof(*pointers)] = (uint64_t)entry.r_addend;
	}
	return true;
}

static bool find_section(Elf *elf, const char *name, struct place *out)
{
	GElf_Shdr header;
	Elf_Scn *section = nt_elf_section_named(elf, name);
	if (!section || !gelf_getshdr(section, &header))
		return false;
	*out = (struct place){ header.sh_addr, header.sh_size };
	return true;
}

/* ---- the header ---- */

struct header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t flags;
	uint16_t row_count;
	uint8_t row_bytes, row_type;
};

_Static_assert(sizeof(struct header) == HEADER_BYTES, "as in the file");

/* The rows that are wanted. */
struct found {
	unsigned major;
	struct place metadata, traced, invoked, references;
};

static bool find_header(Elf *elf, uint64_t *address, struct header *out)
{
	struct place modules;
	if (!find_section(elf, "__modules", &modules) || !read_pointers(elf, modules.address, 1, address))
		return false;
	const uint8_t *bytes = bytes_at(elf, *address, sizeof(*out));
	if (bytes)
		memcpy(out, bytes, sizeof(*out));
	return bytes && out->magic == MAGIC && out->row_bytes == ROW_BYTES && out->row_count <= ROWS_MAX;
}

static bool find_rows(Elf *elf, struct found *out)
{
	enum { WORDS = ROW_BYTES / sizeof(uint64_t) };
	uint64_t words[ROWS_MAX * WORDS], address;
	struct header header;
	*out = (struct found){ 0 };
	if (!find_header(elf, &address, &header) || !header.row_count ||
	    !read_pointers(elf, address + sizeof(header), (size_t)header.row_count * WORDS, words))
		return false;
	out->major = header.major;
	for (size_t i = 0; i < header.row_count; i++) {
		const uint64_t *row = words + i * WORDS;
		const struct place place = { row[1], row[2] - row[1] };
		uint32_t id = (uint32_t)row[0]; /* in the lower half: little-endian */
		if (id == METADATA)
			out->metadata = place;
		else if (id == TRACED)
			out->traced = place;
		else if (id == INVOKED)
			out->invoked = place;
		else if (id == REFERENCES)
			out->references = place;
	}
	return true;
}

static struct nt_aot_blob blob_at(Elf *elf, const struct place *place)
{
	const uint8_t *bytes = bytes_at(elf, place->address, place->size);
	return (struct nt_aot_blob){ bytes, bytes ? place->size : 0, place->address };
}

static void read_methods(struct nt_image_aot *aot, Elf *elf)
{
	struct found found;
	if (!find_rows(elf, &found))
		return;
	const struct nt_aot_blob metadata = blob_at(elf, &found.metadata);
	if (!metadata.size || !nt_aot_metadata_read(metadata.bytes, metadata.size, found.major, &aot->metadata))
		return;
	aot->bytes = memcpy(nt_realloc(NULL, metadata.size, 1), metadata.bytes, metadata.size);
	aot->metadata.bytes = aot->bytes;
	const struct nt_aot_blob traced = blob_at(elf, &found.traced), invoked = blob_at(elf, &found.invoked),
				 references = blob_at(elf, &found.references);
	nt_aot_methods_read_traced(&traced, &aot->methods);
	nt_aot_methods_read_reflected(&aot->metadata, &invoked, &references, &aot->methods);
	nt_aot_methods_finish(&aot->methods);
}

static void read_parts(struct nt_image_aot *aot, Elf *elf, const struct nt_eh_frame *frame)
{
	struct nt_eh_data_list functions = { 0 };
	nt_eh_frame_read_data(frame, &functions);
	struct nt_aot_blob data = nt_aot_parts_where(&functions);
	data.bytes = bytes_at(elf, data.address, data.size);
	if (data.bytes)
		nt_aot_parts_read(&functions, &data, &aot->parts);
	free(functions.items);
}

struct nt_image_aot *nt_image_aot_load(Elf *elf, const struct nt_eh_frame *frame)
{
	struct place code;
	if (!nt_elf_same_byte_order(elf) || gelf_getclass(elf) != ELFCLASS64 || !find_section(elf, "__managedcode", &code))
		return NULL;
	struct nt_image_aot *aot = nt_alloc(sizeof(*aot));
	aot->code = code.address;
	aot->code_end = code.size > UINT64_MAX - code.address ? UINT64_MAX : code.address + code.size;
	read_methods(aot, elf);
	if (frame && aot->methods.count)
		read_parts(aot, elf, frame);
	return aot;
}

void nt_image_aot_free(struct nt_image_aot *aot)
{
	if (!aot)
		return;
	free(aot->parts.items);
	free(aot->methods.items);
	free(aot->bytes);
	free(aot);
}

/* ---- questions ---- */

bool nt_image_aot_holds(const struct nt_image_aot *aot, uint64_t address)
{
	return aot && address >= aot->code && address < aot->code_end;
}

static const struct nt_aot_method *method_at(const struct nt_image_aot *aot, uint64_t address)
{
	if (!nt_image_aot_holds(aot, address))
		return NULL;
	uint64_t whole = nt_aot_parts_method(&aot->parts, address);
	return nt_aot_methods_at(&aot->methods, whole ? whole : address);
}

const char *nt_image_aot_name(struct nt_image_aot *aot, uint64_t address)
{
	const struct nt_aot_method *method = method_at(aot, address);
	if (!method)
		return NULL;
	struct nt_text_out text = { .buf = aot->text, .size = sizeof(aot->text) };
	if (!nt_aot_method_put(&aot->metadata, method, &text))
		return NULL;
	aot->text[text.length] = '\0';
	return aot->text;
}

size_t nt_image_aot_bytes(const struct nt_image_aot *aot)
{
	if (!aot)
		return 0;
	return sizeof(*aot) + aot->metadata.size + aot->methods.capacity * sizeof(*aot->methods.items) +
	       aot->parts.count * sizeof(*aot->parts.items);
}
