// SPDX-License-Identifier: GPL-2.0-only
/*
 * The methods of a precompiled image, one line each: `BEGIN END TOKEN NAME`, offsets in the file. The components of a composite image are looked for beside it.
 *
 * usage: r2r_dump FILE [OFFSET [-]]   OFFSET: where the image begins in the file, for a single-file program. -: only those that the hexadecimal offsets on
 *                                     standard input lie in
 *        r2r_dump --table FILE    makes the table only and prints its number of functions: to be timed
 */
#include "decode/r2r_name.h"

#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
	int fd;
	struct nt_window *window;
	struct nt_pe pe;
	struct nt_metadata metadata;
	bool ok;
};

static bool read_at(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct file *file = context;
	return pread(file->fd, buf, size, (off_t)offset) == (ssize_t)size;
}

static bool open_file(struct file *file, const char *path, uint64_t base)
{
	struct stat stat;
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0 || fstat(file->fd, &stat) < 0)
		return false;
	const struct nt_window_source source = { .read = read_at, .context = file, .size = (uint64_t)stat.st_size };
	file->window = nt_window_new(&source);
	return nt_pe_read(file->window, base, &file->pe);
}

struct components {
	const struct nt_r2r *r2r;
	const char *path;
	struct file *files; /* by number; opened when they are asked for */
	bool *tried;
};

static const struct nt_metadata *component(void *context, uint32_t number)
{
	struct components *components = context;
	struct file *file = &components->files[number];
	if (!components->tried[number]) {
		components->tried[number] = true;
		char name[256], path[4096];
		nt_r2r_component_name(components->r2r, number, name, sizeof(name));
		const char *slash = strrchr(components->path, '/');
		snprintf(path, sizeof(path), "%.*s%s.dll", slash ? (int)(slash + 1 - components->path) : 0, components->path, name);
		file->ok = open_file(file, path, 0) && nt_metadata_of(&file->pe, &file->metadata);
	}
	return file->ok ? &file->metadata : NULL;
}

static void print_method(const struct nt_r2r *r2r, const struct nt_r2r_components *components, const struct nt_r2r_range *method)
{
	static struct nt_r2r_name name;
	uint64_t begin = 0, end = 0;
	if (nt_pe_offset(&r2r->pe, method->begin, method->end - method->begin, &begin))
		end = begin + (method->end - method->begin);
	if (nt_r2r_name(r2r, method->owner, components, &name) == NT_R2R_NAMED)
		printf("%" PRIx64 " %" PRIx64 " %" PRIx32 " %s\n", begin, end, name.token, name.text);
	else
		printf("%" PRIx64 " %" PRIx64 " 0 ? component %" PRIu32 "\n", begin, end, name.component);
}

static void print_methods(const struct nt_r2r *r2r, const struct nt_r2r_components *components)
{
	struct nt_r2r_range method;
	for (uint32_t number = 0; nt_r2r_next(r2r, &number, &method);)
		print_method(r2r, components, &method);
}

static void print_asked(const struct nt_r2r *r2r, const struct nt_r2r_components *components)
{
	struct nt_r2r_range method;
	uint32_t rva;
	for (uint64_t offset; scanf("%" SCNx64, &offset) == 1;)
		if (nt_pe_rva(&r2r->pe, offset, &rva) && nt_r2r_find(r2r, rva, &method))
			print_method(r2r, components, &method);
}

int main(int argc, char **argv)
{
	bool table = argc == 3 && strcmp(argv[1], "--table") == 0;
	const char *path = table ? argv[2] : argc > 1 ? argv[1] : "";
	struct file file = { 0 };
	if (!open_file(&file, path, argc >= 3 && !table ? strtoull(argv[2], NULL, 0) : 0)) {
		fprintf(stderr, "r2r_dump: %s: no managed image\n", path);
		return 1;
	}
	struct nt_r2r r2r;
	enum nt_r2r_verdict verdict = nt_r2r_read(&file.pe, &r2r);
	if (verdict != NT_R2R_READ) {
		fprintf(stderr, "r2r_dump: %s: verdict %d\n", path, verdict);
		return 2;
	}
	struct components of = { .r2r = &r2r,
				 .path = path,
				 .files = calloc(r2r.component_count + 1, sizeof(struct file)),
				 .tried = calloc(r2r.component_count + 1, sizeof(bool)) };
	const struct nt_r2r_components components = { .of = component, .context = &of };
	if (table)
		printf("%" PRIu32 "\n", r2r.function_count);
	else if (argc == 4 && strcmp(argv[3], "-") == 0)
		print_asked(&r2r, &components);
	else
		print_methods(&r2r, &components);
	for (uint32_t i = 0; i < r2r.component_count; i++)
		nt_window_free(of.files[i].window);
	free(of.files);
	free(of.tried);
	nt_r2r_fini(&r2r);
	nt_window_free(file.window);
	return 0;
}
