/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpacking .xz data that came from outside (section .gnu_debugdata), by liblzma: a few bytes can stand for gigabytes. */
#ifndef NT_DECODE_XZ_H
#define NT_DECODE_XZ_H

#include <stddef.h>
#include <stdint.h>

#include "nettop/status.h"

/*
 * The unpacked bytes, at most limit_bytes, into *out, which is the caller's. Anything but OK: *out is NULL, and the sentence in `err` lacks its subject ("unpacks to more than 64 MB").
 * What follows the stream is left alone.
 */
enum nt_status nt_xz_unpack(const uint8_t *bytes, size_t size, size_t limit_bytes, uint8_t **out, size_t *out_size, struct nt_error *err);

#endif
