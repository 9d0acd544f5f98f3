// SPDX-License-Identifier: GPL-2.0-only
/*
 * A main for the fuzz targets without libFuzzer: runs the committed corpus, each file whole and cut at every length, so that a decoder that reads past its
 * input is caught by AddressSanitizer.  usage: fuzz_NAME [FILE...]; without files: tests/data/corpus/NAME, from the top of the repository.
 */
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A target that takes long defines it: an input of this size is cut at every so many bytes only. */
size_t fuzz_cut_step(size_t size);

__attribute__((weak)) size_t fuzz_cut_step(size_t size)
{
	(void)size;
	return 1;
}

enum { INPUT_MAX = 1 << 20, CUT_MAX = 8192 /* longer files are not cut everywhere: quadratic */ };

/* In memory of exactly its size. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *exact = malloc(size ? size : 1);
	memcpy(exact, data, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

static int run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return 1;
	}
	uint8_t *data = malloc(INPUT_MAX);
	size_t size = fread(data, 1, INPUT_MAX, file);
	fclose(file);
	for (size_t cut = 0; cut < size && size <= CUT_MAX; cut += fuzz_cut_step(size))
		run(data, cut);
	run(data, size);
	free(data);
	return 0;
}

static int run_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir) {
		fprintf(stderr, "%s: %s\n", folder, strerror(errno));
		return 1;
	}
	int failed = 0;
	unsigned count = 0;
	for (struct dirent *entry; (entry = readdir(dir));) {
		char path[4096];
		if (entry->d_name[0] == '.' || snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >= (int)sizeof(path))
			continue;
		failed |= run_file(path);
		count++;
	}
	closedir(dir);
	if (!count)
		fprintf(stderr, "%s: no corpus\n", folder);
	return failed || !count;
}

int main(int argc, char **argv)
{
	int failed = 0;
	for (int i = 1; i < argc; i++)
		failed |= run_file(argv[i]);
	if (argc > 1)
		return failed;
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	if (strncmp(name, "fuzz_", 5) == 0)
		name += 5;
	char folder[4096];
	snprintf(folder, sizeof(folder), "tests/data/corpus/%s", name);
	return run_folder(folder);
}
