/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Single-file programs: where their runtimeconfig.json lies in the executable (dotnet/designs, single-file/bundler.md; versions 2 and 6 of the format). Pure
 * functions on bytes that somebody else read.
 */
#ifndef NT_DECODE_BUNDLE_H
#define NT_DECODE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
