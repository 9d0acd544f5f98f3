/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The methods of a Native AOT executable: what it carries for the stack traces of its own exceptions, whether or not it is stripped.
 * Found as its runtime finds it: section __modules leads to the ReadyToRun header, whose rows lead to the metadata and to the table of
 * methods. Of a stranger's file: for the decoder (decoder_process.h).
 */
#ifndef NT_SOURCE_IMAGE_AOT_H
#define NT_SOURCE_IMAGE_AOT_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/elf/eh_frame.h"

struct nt_image_aot;

/*
 * `frame`: its unwind table, NULL = it has none. NULL: it has no code of Native AOT's compiler. Its metadata may be missing
 * (StackTraceSupport=false) or of a form that is not known: then nothing has a name.
 */
struct nt_image_aot *nt_image_aot_load(Elf *elf, const struct nt_eh_frame *frame);
void nt_image_aot_free(struct nt_image_aot *aot); /* NULL is allowed */

/* Was the code at this virtual address made of a method, or for one? False for NULL. */
bool nt_image_aot_holds(const struct nt_image_aot *aot, uint64_t address);

/*
 * What the method is called whose code, or a handler of which, begins at this address, as the perf map would have it; NULL = that is not
 * told. Borrowed until the next call.
 */
const char *nt_image_aot_name(struct nt_image_aot *aot, uint64_t address);

/* Memory that it takes; 0 for NULL. */
size_t nt_image_aot_bytes(const struct nt_image_aot *aot);

#endif
