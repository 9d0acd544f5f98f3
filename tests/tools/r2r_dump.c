// SPDX-License-Identifier: GPL-2.0-only
/*
 * The methods of a precompiled image, one line each: `BEGIN END TOKEN NAME`, offsets in the file. Of a composite image, too, whose components lie beside it, and
 * of a single-file program, whose assemblies lie in it.
 *
 * usage: r2r_dump FILE            all methods
 *        r2r_dump FILE -          only those that the hexadecimal offsets on standard input lie in
 *        r2r_dump --table FILE    makes the table only and prints its bytes: to be timed
 */
#include "source/image/image_bundle.h"
#include "source/image/image_r2r.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct nt_image_r2r_answer answer; /* large */

/* Of the file: one, or as many as a single-file program carries. */
struct assembly {
	struct nt_bundle_part part;
	struct nt_image_r2r *image; /* NULL: not read yet, or without precompiled code */
	char reason[NT_IMAGE_R2R_REASON];
};

struct file {
	struct nt_image_place place;
	struct assembly *assemblies;
	size_t count;
};

static void find_assemblies(struct file *file)
{
	struct nt_image_bundle bundle;
	nt_image_bundle_read(&bundle, &file->place);
	file->count = bundle.count ? bundle.count : 1;
	file->assemblies = calloc(file->count, sizeof(*file->assemblies));
	file->assemblies[0].part.length = UINT64_MAX;
	for (size_t i = 0; i < bundle.count; i++)
		file->assemblies[i].part = bundle.assemblies[i];
	nt_image_bundle_fini(&bundle);
}

static struct nt_image_r2r *image_of(const struct file *file, struct assembly *assembly)
{
	if (!assembly->image && !assembly->reason[0])
		assembly->image = nt_image_r2r_new(&file->place, assembly->part.offset, assembly->reason);
	return assembly->image;
}

static void print_answer(void)
{
	bool named = answer.what == NT_IMAGE_R2R_METHOD;
	printf("%" PRIx64 " %" PRIx64 " %" PRIx32 " %s\n", answer.start, answer.end, named ? answer.name.token : 0,
	       named ? answer.name.text : answer.reason);
}

static void print_all(const struct file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		struct nt_image_r2r *image = image_of(file, &file->assemblies[i]);
		for (uint32_t number = 0; image && nt_image_r2r_next(image, &number, &answer);)
			print_answer();
	}
}

static void print_asked(const struct file *file)
{
	for (uint64_t offset; scanf("%" SCNx64, &offset) == 1;)
		for (size_t i = 0; i < file->count; i++) {
			struct assembly *assembly = &file->assemblies[i];
			if (offset - assembly->part.offset >= assembly->part.length || !image_of(file, assembly))
				continue;
			nt_image_r2r_find(assembly->image, offset, &answer);
			if (answer.what != NT_IMAGE_R2R_THUNK)
				print_answer();
		}
}

static int dump(const char *path, bool table, bool asked)
{
	struct stat stat_of_file;
	if (stat(path, &stat_of_file) != 0) {
		perror(path);
		return 1;
	}
	struct file file = { .place = { .root_dir = "/", .path = path, .inode = stat_of_file.st_ino, .uid = geteuid() } };
	find_assemblies(&file);
	if (table)
		printf("%zu\n", image_of(&file, file.assemblies) ? nt_image_r2r_bytes(file.assemblies->image) : 0);
	else if (asked)
		print_asked(&file);
	else
		print_all(&file);
	size_t read = 0;
	for (size_t i = 0; i < file.count; i++) {
		read += file.assemblies[i].image != NULL;
		nt_image_r2r_free(file.assemblies[i].image);
	}
	if (!read)
		fprintf(stderr, "r2r_dump: %s: %s\n", path, file.assemblies->reason);
	free(file.assemblies);
	return !read;
}

int main(int argc, char **argv)
{
	bool table = argc == 3 && strcmp(argv[1], "--table") == 0, asked = argc == 3 && strcmp(argv[2], "-") == 0;
	if (argc == 2 || table || asked)
		return dump(table ? argv[2] : argv[1], table, asked);
	fprintf(stderr, "usage: r2r_dump [--table] FILE [-]\n");
	return 2;
}
