/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/ctf: files of the Common Trace Format, as far as a library may not be left alone with them. */
/*
 * The packets of a file `metadata` (CTF 1.8.3, 7.1 "Metadata stream"): what they say is read by babeltrace2, which reads on for ever when the last one is cut. A file of plain text has no packets, and may end anywhere.
 */
#ifndef NT_DECODE_CTF_METADATA_H
#define NT_DECODE_CTF_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_ctf_metadata {
	bool is_text;      /* it has no packets */
	size_t packets;    /* whole ones, one behind the other from the begin */
	size_t whole_size; /* bytes of these; of a text all */
};

/* Never fails: what is no packet is where it ends. */
struct nt_ctf_metadata nt_ctf_metadata_look(const uint8_t *bytes, size_t length);

#endif
