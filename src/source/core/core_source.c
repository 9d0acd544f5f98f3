// SPDX-License-Identifier: GPL-2.0-only
#include "source/core/core_source.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/file_name.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/starts.h"
#include "base/text.h"
#include "decode/core/core_file.h"
#include "decode/names/method_name.h"
#include "decode/names/type_full.h"
#include "source/common/foreign_file.h"
#include "source/core/core_source_internal.h"
#include "source/decoder/decoder_process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IMAGES_MOST = 240, NAMES_BYTES_MAX = 64 << 20 };

/* ---- the file ---- */

static enum nt_status open_file(struct nt_core_dump *dump, const char *path, struct nt_error *err)
{
	struct stat stat;
	int named = open(path, NT_FILE_NAMED), reason = errno;
	if (named >= 0) {
		bool regular = fstat(named, &stat) == 0 && S_ISREG(stat.st_mode);
		reason = regular ? nt_file_open_named(named, &dump->fd) : EINVAL;
		close(named);
		if (!regular)
			return nt_error_set(err, NT_ERR_USAGE, "%s is no regular file", path);
	}
	if (dump->fd < 0)
		return nt_error_errno(err, reason == EACCES || reason == EPERM ? NT_ERR_FORBIDDEN : NT_ERR_USAGE, reason, "cannot read %s",
				      path);
	dump->made_unix_ns = (int64_t)stat.st_mtim.tv_sec * (int64_t)NT_NS_PER_S + stat.st_mtim.tv_nsec;
	dump->target.uid = stat.st_uid;
	return NT_OK;
}

static enum nt_status judge(const struct nt_core_dump *dump, const char *path, struct nt_error *err)
{
	switch ((enum nt_core_result)dump->core.result) {
	case NT_CORE_READ:
		return NT_OK;
	case NT_CORE_CUT:
		return nt_error_set(err, NT_ERR_USAGE, "%s is cut: it should have %llu bytes", path,
				    (unsigned long long)dump->core.wanted_bytes);
	case NT_CORE_OF_OTHERS:
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "%s is of another machine: nettop reads cores of x86-64", path);
	case NT_CORE_BROKEN:
		return nt_error_set(err, NT_ERR_USAGE, "%s is broken: what it says of itself cannot be", path);
	case NT_CORE_NO_ELF:
	case NT_CORE_NO_CORE:
	case NT_CORE_RESULTS:
		break;
	}
	return nt_error_set(err, NT_ERR_USAGE, "%s is no core dump", path);
}

/* ---- files that were mapped ---- */

static void add_file(struct nt_core_dump *dump, const struct nt_reader_record *record)
{
	dump->files = nt_grow(dump->files, &dump->file_capacity, dump->file_count + 1, sizeof(*dump->files));
	struct nt_core_file *file = &dump->files[dump->file_count++];
	*file = (struct nt_core_file){ .start = record->file.start,
				       .end = record->file.end,
				       .offset = record->file.offset,
				       .path = nt_text_escaped(record->name, record->file.path_length),
				       .id.length = record->file.id_length };
	memcpy(file->id.bytes, record->file.id, record->file.id_length);
}

/* Each to the first mapping of the same path. */
static void join_files(struct nt_core_dump *dump)
{
	struct nt_index firsts = { 0 };
	for (size_t i = 0; i < dump->file_count; i++) {
		struct nt_core_file *file = &dump->files[i];
		const char *name = nt_file_base_name(file->path);
		uint64_t hash = nt_hash_bytes(file->path, strlen(file->path));
		uint32_t first = nt_index_get(&firsts, hash);
		bool known = first != NT_INDEX_NONE && strcmp(dump->files[first].path, file->path) == 0;
		file->of = known ? first : i;
		if (first == NT_INDEX_NONE && !file->offset)
			nt_index_put(&firsts, hash, (uint32_t)i);
		if (file->of == i && !file->offset && !dump->clr && strcmp(name, "libcoreclr.so") == 0)
			dump->clr = file;
	}
	nt_index_fini(&firsts);
}

static bool may_be_image(const struct nt_core_file *file)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(file->path);
	bool is_gone = length >= sizeof(deleted) && strcmp(file->path + length - sizeof(deleted) + 1, deleted) == 0;
	return file->path[0] == '/' && !is_gone && strncmp(file->path, "/dev/", 5) != 0 && strncmp(file->path, "/memfd:", 7) != 0;
}

static void refuse(struct nt_core_file *file, const struct nt_foreign_file *opened)
{
	const char *name = nt_file_base_name(file->path);
	if (opened->refusal == NT_REFUSAL_ABSENT)
		snprintf(file->reason, sizeof(file->reason), "%s is not there", file->path);
	else if (opened->refusal == NT_REFUSAL_OBJECTION)
		snprintf(file->reason, sizeof(file->reason), "%s is not read: it %s", name, opened->objection);
	else
		snprintf(file->reason, sizeof(file->reason), "%s cannot be read: %s", file->path, strerrordesc_np(opened->errnum));
}

static void take_fit(struct nt_core_file *file, const struct nt_reader_fits *fits)
{
	const char *name = nt_file_base_name(file->path);
	file->fits = fits->fit == NT_READER_FITS_WELL;
	if (fits->fit == NT_READER_FITS_NOT)
		snprintf(file->reason, sizeof(file->reason), "%s is another build than that of the core", name);
	else if (fits->fit == NT_READER_FITS_UNKNOWN)
		snprintf(file->reason, sizeof(file->reason),
			 "nothing in the core says which build of %s it had (coredump_filter in core(5))", name);
}

/* Two descriptors of one file, as the process cannot make one of the other. */
static enum nt_status offer(struct nt_core_dump *dump, size_t number, struct nt_error *err)
{
	struct nt_core_file *file = &dump->files[number];
	struct nt_foreign_file opened = nt_foreign_open(dump->target.image_dir, file->path, dump->target.uid);
	const struct nt_reader_image image = { .what = NT_READER_IMAGE, .number = (uint32_t)number };
	struct nt_reader_record record;
	if (opened.fd < 0) {
		refuse(file, &opened);
		return NT_OK;
	}
	const int fds[] = { opened.fd, opened.fd };
	enum nt_status status = nt_core_dump_say(dump, &image, sizeof(image), fds, 2, err);
	close(opened.fd);
	if (status == NT_OK)
		status = nt_core_dump_hear(dump, &record, err);
	if (status == NT_OK && (record.what != NT_READER_FITS || record.fits.number != number))
		status = nt_core_dump_gone(err);
	if (status != NT_OK)
		return status;
	file->inode = (uint64_t)opened.stat.st_ino;
	take_fit(file, &record.fits);
	return NT_OK;
}

static enum nt_status offer_files(struct nt_core_dump *dump, struct nt_error *err)
{
	enum nt_status status = NT_OK;
	unsigned offered = 0;
	for (size_t i = 0; i < dump->file_count && status == NT_OK; i++) {
		struct nt_core_file *file = &dump->files[i];
		if (file->of != i || file->offset)
			continue;
		if (!may_be_image(file)) {
			snprintf(file->reason, sizeof(file->reason), "%s is no file that can be read", file->path);
			continue;
		}
		if (offered++ < IMAGES_MOST)
			status = offer(dump, i, err);
		else
			snprintf(file->reason, sizeof(file->reason), "%s is one of more than %d files, and not read",
				 nt_file_base_name(file->path), IMAGES_MOST);
	}
	return status;
}

/* ---- threads ---- */

static void add_name(struct nt_core_dump *dump, const struct nt_reader_record *record)
{
	static const char precompiled[] = "[PreJIT]";
	if (record->named.naming != NT_READER_NAME_TOLD || record->named.size > UINT32_MAX || dump->name_bytes > NAMES_BYTES_MAX)
		return;
	dump->name_bytes += record->named.length + sizeof(*dump->names);
	char *text = nt_text_escaped(record->name, record->named.length);
	dump->names = nt_grow(dump->names, &dump->name_capacity, dump->name_count + 1, sizeof(*dump->names));
	dump->names[dump->name_count++] = (struct nt_core_name){ .start = record->named.start,
								 .size = (uint32_t)record->named.size,
								 .precompiled = strstr(text, precompiled) != NULL,
								 .text = text };
}

static void add_thread(struct nt_core_dump *dump, const struct nt_reader_record *record)
{
	size_t bytes = record->stack.count * sizeof(uint64_t);
	dump->threads = nt_grow(dump->threads, &dump->thread_capacity, dump->thread_count + 1, sizeof(*dump->threads));
	struct nt_core_told *thread = &dump->threads[dump->thread_count++];
	*thread = (struct nt_core_told){ .said = record->stack, .frames = nt_realloc(NULL, record->stack.count + 1, sizeof(uint64_t)) };
	if (bytes)
		memcpy(thread->frames, record->frames, bytes);
}

/* After its stack. */
static void add_person(struct nt_core_dump *dump, const struct nt_reader_record *record)
{
	const struct nt_reader_person *said = &record->person;
	struct nt_core_told *thread = dump->thread_count ? &dump->threads[dump->thread_count - 1] : NULL;
	char raw[NT_READER_TYPE_MAX + 1], shown[NT_METHOD_NAME_MAX];
	if (!thread || thread->said.tid != said->tid || thread->name)
		return;
	thread->name = nt_text_escaped(record->name, said->name_length);
	if (!said->type_length || said->tid != dump->core.signal_tid)
		return;
	size_t length = nt_text_escape(record->name + said->name_length, said->type_length, raw, sizeof(raw));
	nt_type_full_show((struct nt_slice){ raw, length }, shown, sizeof(shown));
	thread->exception = nt_strdup(shown);
	thread->message = nt_text_escaped(record->name + said->name_length + said->type_length, said->message_length);
}

static enum nt_status read_runtime(struct nt_core_dump *dump, struct nt_error *err)
{
	const struct nt_reader_runtime runtime = { .what = NT_READER_RUNTIME,
						   .major = dump->runtime ? (uint32_t)strtoul(dump->runtime, NULL, 10) : 0 };
	struct nt_reader_record record;
	enum nt_status status = nt_core_dump_say(dump, &runtime, sizeof(runtime), NULL, 0, err);
	if (status == NT_OK)
		status = nt_core_dump_hear(dump, &record, err);
	if (status == NT_OK && record.what != NT_READER_STATE)
		status = nt_core_dump_gone(err);
	if (status == NT_OK)
		nt_text_escape(record.state.reason, strlen(record.state.reason), dump->no_managed, sizeof(dump->no_managed));
	return status;
}

static enum nt_status read_threads(struct nt_core_dump *dump, struct nt_error *err)
{
	const struct nt_reader_look look = { .what = NT_READER_LOOK };
	struct nt_reader_record record;
	enum nt_status status = nt_core_dump_say(dump, &look, sizeof(look), NULL, 0, err);
	while (status == NT_OK && (status = nt_core_dump_hear(dump, &record, err)) == NT_OK) {
		if (record.what == NT_READER_NAMED)
			add_name(dump, &record);
		else if (record.what == NT_READER_STACK)
			add_thread(dump, &record);
		else if (record.what == NT_READER_PERSON)
			add_person(dump, &record);
		else if (record.what == NT_READER_END)
			break;
		else
			status = nt_core_dump_gone(err);
	}
	dump->whole = status == NT_OK && record.end.whole;
	return status;
}

/* ---- all of it ---- */

/* The folder that libcoreclr.so lies in is called like that. */
static void find_version(struct nt_core_dump *dump)
{
	char *folder = dump->clr ? nt_strdup(dump->clr->path) : NULL, *slash = folder ? strrchr(folder, '/') : NULL;
	if (slash) {
		*slash = '\0';
		const char *name = nt_file_base_name(folder);
		dump->runtime = isdigit((unsigned char)name[0]) ? nt_strdup(name) : NULL;
	}
	free(folder);
}

static enum nt_status start(struct nt_core_dump *dump, struct nt_error *err)
{
	const struct nt_reader_open open = { .what = NT_READER_OPEN };
	struct nt_reader_record record;
	int reason = nt_decoder_child_start(&dump->reader.child, NT_CORE_WORD);
	if (reason)
		return nt_error_errno(err, NT_ERR_FAILED, reason, "the process that reads the core cannot be started");
	enum nt_status status = nt_core_dump_say(dump, &open, sizeof(open), &dump->fd, 1, err);
	if (status == NT_OK)
		status = nt_core_dump_hear(dump, &record, err);
	if (status == NT_OK && record.what != NT_READER_CORE)
		status = nt_core_dump_gone(err);
	if (status == NT_OK)
		dump->core = record.core;
	return status;
}

static enum nt_status hear_files(struct nt_core_dump *dump, struct nt_error *err)
{
	struct nt_reader_record record = { 0 };
	enum nt_status status;
	while ((status = nt_core_dump_hear(dump, &record, err)) == NT_OK && record.what == NT_READER_FILE)
		add_file(dump, &record);
	if (status == NT_OK && record.what != NT_READER_END)
		status = nt_core_dump_gone(err);
	join_files(dump);
	find_version(dump);
	dump->name = nt_text_escaped(dump->core.name, strlen(dump->core.name));
	return status;
}

static enum nt_status read_all(struct nt_core_dump *dump, const char *path, const struct nt_core_heap_wish *heap, struct nt_error *err)
{
	enum nt_status status = open_file(dump, path, err);
	if (status == NT_OK)
		status = start(dump, err);
	if (status == NT_OK)
		status = judge(dump, path, err);
	if (status == NT_OK)
		status = hear_files(dump, err);
	if (status == NT_OK)
		status = offer_files(dump, err);
	if (status == NT_OK)
		status = read_runtime(dump, err);
	if (status == NT_OK && *dump->no_managed && !dump->clr)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "%s is of no .NET program that nettop knows: %s", path, dump->no_managed);
	if (status == NT_OK)
		status = read_threads(dump, err);
	if (status == NT_OK && heap)
		status = nt_core_dump_read_heap(dump, heap->graph_bytes, err);
	return status;
}

enum nt_status nt_core_dump_open(const char *path, const char *root, const struct nt_core_heap_wish *heap, struct nt_core_dump **out,
				 struct nt_error *err)
{
	static const enum nt_source_id sources[NT_CORE_BOXES] = {
		[NT_CORE_OF_PROCFS] = NT_SOURCE_PROCFS, [NT_CORE_OF_CODEMAP] = NT_SOURCE_CODEMAP, [NT_CORE_OF_RUNTIME] = NT_SOURCE_RUNTIME
	};
	struct nt_core_dump *dump = nt_alloc(sizeof(*dump));
	dump->fd = -1;
	dump->target = (struct nt_files_target){ .proc_root = nt_strdup("/proc"),
						 .proc_dir = nt_strdup("/proc/self"),
						 .root_dir = nt_strdup(root ? root : "/"),
						 .image_dir = nt_strdup(root ? root : "/"),
						 .map_path = nt_strdup("") };
	for (unsigned i = 0; i < NT_CORE_BOXES; i++)
		nt_outbox_init(&dump->boxes[i], sources[i]);
	dump->hand = nt_hand_new();
	dump->decoder = nt_decoder_new(&dump->target, dump->hand, NT_DECODER_WORD);
	*out = dump;
	enum nt_status status = read_all(dump, path, heap, err);
	nt_reader_end(&dump->reader);
	if (status != NT_OK) {
		nt_core_dump_free(dump);
		*out = NULL;
	}
	return status;
}

void nt_core_dump_free(struct nt_core_dump *dump)
{
	if (!dump)
		return;
	for (size_t i = 0; i < dump->file_count; i++)
		free(dump->files[i].path);
	for (size_t i = 0; i < dump->thread_count; i++) {
		free(dump->threads[i].frames);
		free(dump->threads[i].name);
		free(dump->threads[i].exception);
		free(dump->threads[i].message);
	}
	for (size_t i = 0; i < dump->name_count; i++)
		free(dump->names[i].text);
	for (unsigned i = 0; i < NT_CORE_BOXES; i++)
		nt_outbox_fini(&dump->boxes[i]);
	nt_decoder_free(dump->decoder);
	nt_hand_free(dump->hand);
	nt_files_target_fini(&dump->target);
	if (dump->fd >= 0)
		close(dump->fd);
	nt_heap_found_free(dump->heap);
	free(dump->files);
	free(dump->threads);
	free(dump->names);
	free(dump->name);
	free(dump->runtime);
	free(dump);
}

const struct nt_core_file *nt_core_dump_file_at(const struct nt_core_dump *dump, uint64_t address)
{
	size_t next = nt_starts_up_to(dump->files, dump->file_count, sizeof(*dump->files), address);
	return next && address < dump->files[next - 1].end ? &dump->files[next - 1] : NULL;
}
