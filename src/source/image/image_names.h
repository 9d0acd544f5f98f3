/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/image: files that hold code, read: functions, methods, debug information. */
/*
 * Names in image files: file and offset -> name of the function there and the range for which the answer holds, or the reason why there is none. Tables are read at
 * the first question for an image and kept. Reads a stranger's bytes by libraries: the decoder does it (decoder_process.h), nettop asks it (decoder.h).
 */
#ifndef NT_SOURCE_IMAGE_NAMES_H
#define NT_SOURCE_IMAGE_NAMES_H

#include "nettop/code_event.h"
#include "source/image/image_symbols.h"

enum { NT_IMAGE_ANSWER_TEXT = 4096 };

struct nt_image_answer {
	uint64_t start, end; /* offsets in the file to which it applies */
	enum nt_code_kind kind;
	const char *name;   /* as in the image, of managed code (R2R) as the perf map would have it; NULL: reason says why there is none */
	const char *reason; /* more precisely than the words of `naming`; NULL = they are enough */
	enum nt_naming naming;
};

struct nt_image_names;

struct nt_image_names *nt_image_names_new(void);
void nt_image_names_free(struct nt_image_names *names); /* NULL is allowed */

/* Fills *out; its texts are borrowed until the next call. */
void nt_image_names_answer(struct nt_image_names *names, const struct nt_image_place *place, uint64_t offset, struct nt_image_answer *out);

/*
 * There are no more questions at present: close files, and drop the images that nobody has asked for in the last NT_IMAGE_RESTS_MAX rests. True: memory was freed, now or
 * since the last time, by an image that was read.
 */
bool nt_image_names_rest(struct nt_image_names *names);

/* The answer for a place in this ELF image. `text` holds what the answer refers to. */
struct nt_image_answer nt_image_answer_of(struct nt_image_symbols *image, const char *path, uint64_t offset,
					  char text[NT_IMAGE_ANSWER_TEXT]);

/* What kind of code an image holds, from its name: the runtime's own libraries, or other native code. */
enum nt_code_kind nt_image_kind(const char *image);

#endif
