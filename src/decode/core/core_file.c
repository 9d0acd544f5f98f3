// SPDX-License-Identifier: GPL-2.0-only
#include "decode/core/core_file.h"

#include "base/alloc.h"
#include "base/starts.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/user.h>

/* Notes: a thread has some 1 KB of them, with its extended registers up to 12 KB. */
#define NOTES_BYTES_MAX (UINT64_C(1) << 30)
/* 65530 mappings with paths of 200 bytes are 15 MB. */
#define FILES_BYTES_MAX (UINT64_C(64) << 20)

enum { NOTES_MAX = 1 << 20, NOTE_ALIGNMENT = 4, CORE_NAME_BYTES = sizeof("CORE") };

struct reading {
	struct nt_window *file;
	struct nt_core *core;
};

static bool take(const struct reading *reading, uint64_t offset, void *into, size_t size)
{
	const uint8_t *bytes = nt_window_at(reading->file, offset, size);
	if (bytes)
		memcpy(into, bytes, size);
	return bytes != NULL;
}

/* ---- the file's header ---- */

static enum nt_core_result judge(const uint8_t *head, const Elf64_Ehdr *header)
{
	if (memcmp(head, ELFMAG, SELFMAG) != 0)
		return NT_CORE_NO_ELF;
	/* The type stands at the same place whatever the width, in the file's own byte order. */
	bool little = head[EI_DATA] == ELFDATA2LSB;
	unsigned type = little ? head[EI_NIDENT] | head[EI_NIDENT + 1] << 8 : head[EI_NIDENT] << 8 | head[EI_NIDENT + 1];
	if (type != ET_CORE)
		return NT_CORE_NO_CORE;
	if (head[EI_CLASS] != ELFCLASS64 || !little || header->e_machine != EM_X86_64)
		return NT_CORE_OF_OTHERS;
	return header->e_phentsize == sizeof(Elf64_Phdr) ? NT_CORE_READ : NT_CORE_BROKEN;
}

/* More than fit into 16 bits are told by the first section header. */
static bool count_segments(const struct reading *reading, const Elf64_Ehdr *header, uint64_t *count)
{
	Elf64_Shdr section;
	*count = header->e_phnum;
	if (header->e_phnum != PN_XNUM)
		return true;
	if (!take(reading, header->e_shoff, &section, sizeof(section)))
		return false;
	*count = section.sh_info;
	return true;
}

/* ---- memory ---- */

static bool add_segment(const struct reading *reading, const Elf64_Phdr *header)
{
	struct nt_core *core = reading->core;
	uint64_t end, file_end;
	if (!header->p_filesz)
		return true; /* the kernel was told not to write it */
	if (__builtin_add_overflow(header->p_vaddr, header->p_filesz, &end) ||
	    __builtin_add_overflow(header->p_offset, header->p_filesz, &file_end))
		return false;
	if (file_end > core->wanted_bytes)
		core->wanted_bytes = file_end;
	core->segments = nt_grow(core->segments, &core->segment_capacity, core->segment_count + 1, sizeof(*core->segments));
	core->segments[core->segment_count++] =
		(struct nt_core_segment){ .start = header->p_vaddr, .end = end, .offset = header->p_offset };
	return true;
}

static int by_start(const void *a, const void *b)
{
	uint64_t x, y;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

/* Of two that lie over each other the lower one counts: what begins within it is left out. */
static void order_segments(struct nt_core *core)
{
	size_t kept = 0;
	if (core->segment_count)
		qsort(core->segments, core->segment_count, sizeof(*core->segments), by_start);
	for (size_t i = 0; i < core->segment_count; i++)
		if (!kept || core->segments[i].start >= core->segments[kept - 1].end)
			core->segments[kept++] = core->segments[i];
	core->segment_count = kept;
}

/* ---- notes ---- */

static uint64_t aligned(uint64_t size)
{
	return (size + NOTE_ALIGNMENT - 1) & ~(uint64_t)(NOTE_ALIGNMENT - 1);
}

static void put_text(char *out, size_t size, const char *text)
{
	memcpy(out, text, size - 1);
	out[size - 1] = '\0';
}

static void take_process(const struct reading *reading, uint64_t at, uint64_t size)
{
	struct elf_prpsinfo info;
	if (size < sizeof(info) || !take(reading, at, &info, sizeof(info)))
		return;
	reading->core->pid = info.pr_pid > 0 ? (uint32_t)info.pr_pid : 0;
	put_text(reading->core->name, sizeof(reading->core->name), info.pr_fname);
	put_text(reading->core->command, sizeof(reading->core->command), info.pr_psargs);
}

static bool take_thread(const struct reading *reading, uint64_t at, uint64_t size)
{
	struct nt_core *core = reading->core;
	struct elf_prstatus status;
	struct user_regs_struct regs;
	_Static_assert(sizeof(status.pr_reg) == sizeof(regs), "registers as ptrace(2) has them");
	if (size < sizeof(status) || !take(reading, at, &status, sizeof(status)))
		return true;
	if (core->thread_count == NT_CORE_THREADS_MAX)
		return false;
	memcpy(&regs, &status.pr_reg, sizeof(regs));
	core->threads = nt_grow(core->threads, &core->thread_capacity, core->thread_count + 1, sizeof(*core->threads));
	struct nt_core_thread *thread = &core->threads[core->thread_count++];
	*thread = (struct nt_core_thread){ .tid = (uint32_t)status.pr_pid,
					   .signal = status.pr_cursig > 0 ? (uint32_t)status.pr_cursig : 0,
					   .call = (int64_t)regs.orig_rax,
					   .regs = { .known = NT_REGS_ALL } };
	uint64_t *value = thread->regs.value;
	value[NT_REG_BX] = regs.rbx;
	value[NT_REG_BP] = regs.rbp;
	value[NT_REG_SP] = regs.rsp;
	value[NT_REG_PC] = regs.rip;
	value[NT_REG_R12] = regs.r12;
	value[NT_REG_R13] = regs.r13;
	value[NT_REG_R14] = regs.r14;
	value[NT_REG_R15] = regs.r15;
	const uint64_t words[NT_CORE_WORDS] = { regs.rax, regs.rbx, regs.rcx, regs.rdx, regs.rsi, regs.rdi, regs.rbp, regs.r8,
						regs.r9,  regs.r10, regs.r11, regs.r12, regs.r13, regs.r14, regs.r15 };
	memcpy(thread->words, words, sizeof(words));
	return true;
}

/* A path that begins at `at` and ends before `end`. NULL: it is none. Owned by the caller; *next: behind its NUL. */
static char *take_path(const struct reading *reading, uint64_t at, uint64_t end, uint64_t *next)
{
	size_t size = end - at < NT_CORE_PATH_MAX ? (size_t)(end - at) : NT_CORE_PATH_MAX;
	const uint8_t *bytes = at < end ? nt_window_at(reading->file, at, size) : NULL;
	const uint8_t *nul = bytes ? memchr(bytes, '\0', size) : NULL;
	if (!nul)
		return NULL;
	*next = at + (uint64_t)(nul - bytes) + 1;
	return nt_strdup((const char *)bytes);
}

/* NT_FILE: how many there are and the unit of offsets; of each three numbers; the paths, one behind the other. */
static bool take_mappings(const struct reading *reading, uint64_t at, uint64_t size)
{
	struct nt_core *core = reading->core;
	uint64_t head[2], item[3], end = at + size;
	if (size < sizeof(head) || size > FILES_BYTES_MAX || !take(reading, at, head, sizeof(head)) || core->mappings)
		return false;
	if (head[0] > (size - sizeof(head)) / sizeof(item) || head[0] > NT_CORE_MAPPINGS_MAX)
		return false;
	uint64_t names = at + sizeof(head) + head[0] * sizeof(item);
	for (uint64_t i = 0; i < head[0]; i++) {
		uint64_t offset;
		if (!take(reading, at + sizeof(head) + i * sizeof(item), item, sizeof(item)))
			return false;
		char *path = take_path(reading, names, end, &names);
		if (!path)
			return false;
		if (!*path || item[0] >= item[1] || __builtin_mul_overflow(item[2], head[1], &offset)) {
			free(path);
			continue;
		}
		core->mappings = nt_grow(core->mappings, &core->mapping_capacity, core->mapping_count + 1, sizeof(*core->mappings));
		core->mappings[core->mapping_count++] =
			(struct nt_core_mapping){ .start = item[0], .end = item[1], .offset = offset, .path = path };
	}
	return true;
}

static bool take_note(const struct reading *reading, const Elf64_Nhdr *note, uint64_t name, uint64_t at)
{
	char owner[CORE_NAME_BYTES] = "";
	if (note->n_namesz != CORE_NAME_BYTES || !take(reading, name, owner, sizeof(owner)) || memcmp(owner, "CORE", sizeof(owner)) != 0)
		return true;
	switch (note->n_type) {
	case NT_PRPSINFO:
		take_process(reading, at, note->n_descsz);
		return true;
	case NT_PRSTATUS:
		return take_thread(reading, at, note->n_descsz);
	case NT_FILE:
		return take_mappings(reading, at, note->n_descsz);
	default:
		return true;
	}
}

static bool take_notes(const struct reading *reading, const Elf64_Phdr *header)
{
	uint64_t at = header->p_offset, left = header->p_filesz;
	for (unsigned i = 0; i < NOTES_MAX && left >= sizeof(Elf64_Nhdr); i++) {
		Elf64_Nhdr note;
		if (!take(reading, at, &note, sizeof(note)))
			return false;
		uint64_t name_size = aligned(note.n_namesz), size = sizeof(note) + name_size + aligned(note.n_descsz);
		if (sizeof(note) + name_size + note.n_descsz > left)
			return false;
		if (!take_note(reading, &note, at + sizeof(note), at + sizeof(note) + name_size))
			return false;
		size = size < left ? size : left;
		at += size;
		left -= size;
	}
	return true;
}

static void order_mappings(struct nt_core *core)
{
	size_t kept = 0;
	if (core->mapping_count)
		qsort(core->mappings, core->mapping_count, sizeof(*core->mappings), by_start);
	for (size_t i = 0; i < core->mapping_count; i++) {
		if (!kept || core->mappings[i].start >= core->mappings[kept - 1].end)
			core->mappings[kept++] = core->mappings[i];
		else
			free(core->mappings[i].path);
	}
	core->mapping_count = kept;
}

/* ---- all of it ---- */

/* Segments first: whether the file is whole is known by them, and of one that is cut the notes may be what is missing. */
static enum nt_core_result read_headers(const struct reading *reading, const Elf64_Ehdr *header, uint64_t count, uint32_t type)
{
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Phdr segment;
		uint64_t end;
		if (!take(reading, header->e_phoff + i * sizeof(segment), &segment, sizeof(segment)))
			return NT_CORE_CUT;
		if (segment.p_type != type)
			continue;
		if (type == PT_LOAD ? !add_segment(reading, &segment) : segment.p_filesz > NOTES_BYTES_MAX)
			return NT_CORE_BROKEN;
		if (type == PT_LOAD)
			continue;
		if (__builtin_add_overflow(segment.p_offset, segment.p_filesz, &end))
			return NT_CORE_BROKEN;
		if (end > nt_window_size(reading->file))
			return NT_CORE_CUT;
		if (!take_notes(reading, &segment))
			return NT_CORE_BROKEN;
	}
	return NT_CORE_READ;
}

static enum nt_core_result read_core(const struct reading *reading)
{
	uint8_t head[EI_NIDENT + 2];
	Elf64_Ehdr header = { 0 };
	uint64_t count, table;
	if (!take(reading, 0, head, sizeof(head)))
		return NT_CORE_NO_ELF;
	bool whole = take(reading, 0, &header, sizeof(header));
	enum nt_core_result result = judge(head, &header);
	if (result != NT_CORE_READ)
		return result;
	if (!whole || !count_segments(reading, &header, &count))
		return NT_CORE_CUT;
	if (count > NT_CORE_SEGMENTS_MAX || __builtin_add_overflow(header.e_phoff, count * sizeof(Elf64_Phdr), &table))
		return NT_CORE_BROKEN;
	reading->core->wanted_bytes = table;
	result = read_headers(reading, &header, count, PT_LOAD);
	if (result == NT_CORE_READ && reading->core->wanted_bytes > nt_window_size(reading->file))
		result = NT_CORE_CUT;
	if (result == NT_CORE_READ)
		result = read_headers(reading, &header, count, PT_NOTE);
	if (result == NT_CORE_READ && !reading->core->thread_count)
		result = NT_CORE_BROKEN;
	return result;
}

enum nt_core_result nt_core_read(struct nt_window *file, struct nt_core *out)
{
	const struct reading reading = { .file = file, .core = out };
	*out = (struct nt_core){ 0 };
	enum nt_core_result result = read_core(&reading);
	if (result == NT_CORE_READ) {
		order_segments(out);
		order_mappings(out);
	} else {
		uint64_t wanted = out->wanted_bytes;
		nt_core_fini(out);
		out->wanted_bytes = wanted;
	}
	return result;
}

void nt_core_fini(struct nt_core *core)
{
	for (size_t i = 0; i < core->mapping_count; i++)
		free(core->mappings[i].path);
	free(core->segments);
	free(core->mappings);
	free(core->threads);
	*core = (struct nt_core){ 0 };
}

bool nt_core_find(const struct nt_core *core, uint64_t address, size_t size, uint64_t *offset)
{
	size_t next = nt_starts_up_to(core->segments, core->segment_count, sizeof(*core->segments), address);
	const struct nt_core_segment *segment = next ? &core->segments[next - 1] : NULL;
	if (!segment || address >= segment->end || size > segment->end - address)
		return false;
	*offset = segment->offset + (address - segment->start);
	return true;
}

const struct nt_core_mapping *nt_core_mapping_at(const struct nt_core *core, uint64_t address)
{
	size_t next = nt_starts_up_to(core->mappings, core->mapping_count, sizeof(*core->mappings), address);
	return next && address < core->mappings[next - 1].end ? &core->mappings[next - 1] : NULL;
}
