/* SPDX-License-Identifier: GPL-2.0-only */
/* A folder that LTTng has recorded into (CTF 1.8), as a recording: of the process in it that the runtime's events tell most of. */
#ifndef NT_TRANSLATE_CTF_FOLDER_H
#define NT_TRANSLATE_CTF_FOLDER_H

#include "translate/translator.h"

/* Load babeltrace2, which reads it: before the process gives up its rights. */
enum nt_status nt_ctf_folder_prepare(struct nt_error *err);

/* As struct nt_translator says it; `folder` is a descriptor of a folder. */
enum nt_status nt_ctf_folder_translate(int folder, const struct nt_translation_wish *wish, struct nt_recorder *out, struct nt_error *err);

#endif
