/* SPDX-License-Identifier: GPL-2.0-only */
/* The process that translates: nettop executed as itself, as the decoder is (source/decoder/decoder_process.h), with the file, the recording that it writes, and no right. */
#ifndef NT_TRANSLATE_PROCESS_H
#define NT_TRANSLATE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "nettop/status.h"
#include "translate/translator.h"

/* What it is asked, with two descriptors: the file, and an empty one for the recording; and with a third one, if there is a file with names. */
struct nt_translation_order {
	uint32_t translator; /* its place in nt_translators */
	char process[NT_TRANSLATION_PROCESS];
};

/* What it answers, and ends. */
struct nt_translation_answer {
	int32_t status; /* enum nt_status */
	char sentence[NT_ERROR_TEXT];
};

/* Of a recording that is made so. It is in memory. */
#define NT_TRANSLATED_MAX (UINT64_C(1) << 30)

/* Is this process started as that? To be asked before anything else is done. */
bool nt_translation_is_meant(int argc, char **argv);

/* Confines itself, and does what it is asked. Returns the exit status. */
int nt_translation_serve(void);

#endif
