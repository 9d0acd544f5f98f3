/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that reads a core dump: nettop executed as itself, as the decoder is (source/decoder/decoder_process.h), with nothing but the descriptors that it is handed: the core, and files that were mapped. It can tell nettop, and
 * write nowhere else.
 */
#ifndef NT_SOURCE_CORE_PROCESS_H
#define NT_SOURCE_CORE_PROCESS_H

#include <stdbool.h>

/* Is this process started as that? To be asked before anything else is done. */
bool nt_core_is_meant(int argc, char **argv);

/* Confines itself and answers until the socket is closed. Returns the exit status. */
int nt_core_serve(void);

#endif
