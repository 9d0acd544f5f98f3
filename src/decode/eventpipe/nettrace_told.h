/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of a payload as fields of an event that is told: by whatever it came, they read alike. */
#ifndef NT_DECODE_NETTRACE_TOLD_H
#define NT_DECODE_NETTRACE_TOLD_H

#include "decode/eventpipe/nettrace_fields.h"
#include "nettop/told_event.h"

/* Of a payload at most so many bytes of text become of each byte, ends included. */
enum { NT_NETTRACE_TEXT_PER_BYTE = 5 };

/*
 * Fill as many fields as there are values of one payload, in their order. What they have as text is put at `texts`, where there is room for that of the whole payload (NT_NETTRACE_TEXT_PER_BYTE) and an end; field->text
 * points there. Returns the bytes of text, ends included. Names are borrowed from the values. Pure.
 */
size_t nt_nettrace_told(const struct nt_nettrace_value *values, size_t count, struct nt_told_field *fields, char *texts);

#endif
