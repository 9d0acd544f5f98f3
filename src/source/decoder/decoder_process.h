/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decoder's own side (nettop's is decoder.h): a process that nettop starts by executing itself, so that it has none of nettop's memory, and that reads
 * a stranger's bytes in its place, without any right.
 */
#ifndef NT_SOURCE_DECODER_PROCESS_H
#define NT_SOURCE_DECODER_PROCESS_H

#include <stdbool.h>

/*
 * The one argument with which it is started; no option, and of no use to a person. The second one reads machine code, and nothing else does: its library can only be loaded
 * before it is confined, and takes memory.
 */
#define NT_DECODER_WORD      "(decoder)"
#define NT_DECODER_CODE_WORD "(code-decoder)"
/* Call frame information is read by this one alone, likewise. */
#define NT_DECODER_CFI_WORD "(cfi-decoder)"
/* The reader of the runtime's data (source/contract/reader_process.h), which is started and confined in the same way. */
#define NT_READER_WORD "(reader)"
/* The same of a core dump (source/core/core_process.h). */
#define NT_CORE_WORD "(core-reader)"
/* What reads the files of other tools (src/translate/translate_process.h). */
#define NT_TRANSLATOR_WORD "(translator)"
/* What speaks HTTP with whoever connects to `nettop serve` (serve/web_process.h). */
#define NT_WEB_WORD "(web)"
/* What sends to a collector (serve/sender_process.h). */
#define NT_SENDER_WORD "(sender)"
/* What hands that one pages of memory that may be read but not opened (source/decoder/memory_lender.h). It is a fork of ours, and main() knows no such word: whoever could have it executed, by a file that has rights, would have
 * the memory of any process. */
#define NT_LENDER_WORD "(lender)"

/* Its end of the socket; below it nothing but /dev/null. */
enum { NT_DECODER_FD = 3 };

/* Is this process started as a decoder? To be asked before anything else is done. */
bool nt_decoder_is_meant(int argc, char **argv);

/* Confines itself and answers until the socket is closed. Returns the exit status. `word`: the argument. */
int nt_decoder_serve(const char *word);

#endif
