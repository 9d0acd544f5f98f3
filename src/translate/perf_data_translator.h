/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of `perf record` (translator.h). */
#ifndef NT_TRANSLATE_PERF_DATA_TRANSLATOR_H
#define NT_TRANSLATE_PERF_DATA_TRANSLATOR_H

#include "translate/translator.h"

bool nt_perf_data_is_meant(const uint8_t *begin, size_t size);
enum nt_status nt_perf_data_translate(int fd, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err);

#endif
