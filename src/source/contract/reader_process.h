/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader's own side (nettop's is contract_reader.h): nettop executed as itself, as the decoder is (source/decoder/decoder_process.h), with nothing but the descriptors that it is handed. It can read the
 * target's memory, and tell nettop; it can write nowhere else.
 */
#ifndef NT_SOURCE_READER_PROCESS_H
#define NT_SOURCE_READER_PROCESS_H

#include <stdbool.h>

/* Is this process started as the reader? To be asked before anything else is done. */
bool nt_reader_is_meant(int argc, char **argv);

/* Confines itself and answers until the socket is closed. Returns the exit status. */
int nt_reader_serve(void);

#endif
