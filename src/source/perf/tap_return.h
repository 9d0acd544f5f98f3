/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who called a function that is probed at its first instruction: there the frame pointer is still the caller's own, so by frame pointers its caller's caller comes next, and the one whom
 * everybody asks about is missing. His address lies on top of the stack, and the program at the probe sends it along, behind the call chain (PERF_SAMPLE_RAW).
 */
#ifndef NT_SOURCE_TAP_RETURN_H
#define NT_SOURCE_TAP_RETURN_H

#include "decode/kernel/perf_record.h"

enum { NT_TAP_RAW_BYTES = 16 /* of such a record, at its end: a size, eight bytes, padding */ };

/* The sample record at `bytes` as one without that, its caller in the chain unless the kernel had put him there (Linux 6.10, some functions). `at_entry` false: it is the
 * return that is probed, where the chain is right. Returns its length; 0: it is none. */
size_t nt_tap_mend(const uint8_t *bytes, size_t length, bool at_entry, uint8_t out[NT_PERF_REPLACED_MAX]);

#endif
