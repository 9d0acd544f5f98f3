/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Single-file programs: where their files lie in the executable (dotnet/designs, single-file/bundler.md; versions 2 and 6 of the format). Pure functions on
 * bytes that somebody else read.
 */
#ifndef NT_DECODE_BUNDLE_H
#define NT_DECODE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/common/window.h"

/* A header is shorter than this as far as it is read here. */
enum { NT_BUNDLE_HEADER_BYTES = 256 };

/*
 * The host has a place for the offset of the bundle's header in its data, before a signature. Finds it in those data: the offset in the file; 0 = there is
 * none, or the host has no bundle.
 */
uint64_t nt_bundle_find(const uint8_t *data, size_t length);

struct nt_bundle_part {
	uint64_t offset, length; /* in the file */
};

/* The part with runtimeconfig.json, from the first bytes of the header. False: it has none, or is not of the format. */
bool nt_bundle_config(const uint8_t *header, size_t length, struct nt_bundle_part *out);

/* The list of all files, in the order of the header. */
struct nt_bundle_files {
	struct nt_window *window; /* borrowed */
	uint64_t at;              /* of the next entry */
	uint32_t left;
	uint32_t major; /* version */
};

enum nt_bundle_type {
	NT_BUNDLE_ASSEMBLY = 1,
	NT_BUNDLE_LIBRARY = 2,
	NT_BUNDLE_DEPS = 3,
	NT_BUNDLE_RUNTIMECONFIG = 4,
	NT_BUNDLE_SYMBOLS = 5
};

enum { NT_BUNDLE_NAME = 256 };

struct nt_bundle_file {
	struct nt_bundle_part part; /* as it lies in the executable */
	bool compressed;            /* so it is mapped nowhere: the host unpacks it into memory of its own */
	uint32_t type;              /* enum nt_bundle_type, or one that is not known */
	char name[NT_BUNDLE_NAME];  /* its path in the program's folder, whatever bytes the file has for that; "" = a longer one */
};

/* The list that begins in the header at `header` of the file. False: not of the format. */
bool nt_bundle_files(struct nt_window *window, uint64_t header, struct nt_bundle_files *files);

/* The next file. False: that was the last one, or the list is broken there. */
bool nt_bundle_files_next(struct nt_bundle_files *files, struct nt_bundle_file *file);

#endif
