/* SPDX-License-Identifier: GPL-2.0-only */
/* .gcdump files have no time in them that could be played: whoever wants to play one is told which command reads it. */
#ifndef NT_TRANSLATE_GCDUMP_FILE_H
#define NT_TRANSLATE_GCDUMP_FILE_H

#include "translate/translator.h"

bool nt_gcdump_file_is(const uint8_t *begin, size_t size);
enum nt_status nt_gcdump_file_translate(int fd, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err);

#endif
