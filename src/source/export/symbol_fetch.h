/* SPDX-License-Identifier: GPL-2.0-only */
/* Getting the debug file of an image from the servers. */
#ifndef NT_SOURCE_SYMBOL_FETCH_H
#define NT_SOURCE_SYMBOL_FETCH_H

#include "source/export/symbol_servers.h"

#include <stdint.h>

/*
 * Ask one server after the other for the debug file of the image with this build id and put it where `path` says; folders that are missing are made. What comes is written
 * beside that place and only renamed when it is an ELF file of this build with symbols. OK with *size; ABSENT: none of those who answer has it; END: cancelled; UNSUPPORTED:
 * not possible here, for any image; anything else: why this one failed. `cancelled` as in http_get.h.
 */
enum nt_status nt_symbol_fetch(struct nt_symbol_servers *servers, const struct nt_build_id *id, const char *path, bool (*cancelled)(void),
			       uint64_t *size, struct nt_error *err);

#endif
