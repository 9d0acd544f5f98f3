/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * .nettrace files, as dotnet-trace and the runtime itself (DOTNET_EnableEventPipe) write them: a stream of EventPipe (decode/eventpipe/nettrace.h) from its begin to its end. They are told as the EventPipe source
 * tells a session with everything in it. The names of methods come last in a file: it is read twice.
 */
#ifndef NT_TRANSLATE_NETTRACE_TRANSLATE_H
#define NT_TRANSLATE_NETTRACE_TRANSLATE_H

#include "translate/translator.h"

bool nt_nettrace_is(const uint8_t *begin, size_t size);
enum nt_status nt_nettrace_translate(int fd, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err);

#endif
