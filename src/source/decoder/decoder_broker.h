/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens files for the decoder (decoder.h), which can open none. What it may be given is decided here, whatever it asks for: the image that nettop asked about; an
 * assembly in that image's folder; a debug file in one of the known places; for a question for source lines the PDB that is called as the image is; for one for an executable that one
 * alone, which is open already. And only a file that begins as a program does and is no core dump, or as a portable PDB does: so a decoder that was taken over gets nobody's
 * passwords.
 */
#ifndef NT_SOURCE_DECODER_BROKER_H
#define NT_SOURCE_DECODER_BROKER_H

#include "source/decoder/decoder.h"

/*
 * A descriptor that the caller closes, for reading only, and *out; -1: *out has the refusal. May take NT_FILES_TIMEOUT_NS. NT_END: we are closing. `asked` is the question
 * that the decoder is at; *debug changes when it is a debug file.
 */
enum nt_status nt_decoder_broker_open(const struct nt_files_target *target, struct nt_hand *hand, const struct nt_decoder_request *asked,
				      const struct nt_decoder_open *wanted, struct nt_decoder_opened *out, int *fd,
				      struct nt_decoder_debug *debug);

#endif
