/* SPDX-License-Identifier: GPL-2.0-only */
/* The assemblies that a single-file program carries in its executable. */
#ifndef NT_SOURCE_IMAGE_BUNDLE_H
#define NT_SOURCE_IMAGE_BUNDLE_H

#include "decode/assembly/bundle.h"
#include "source/image/image_file.h"

struct nt_image_bundle {
	struct nt_bundle_part *assemblies; /* owned; as they lie in the file; without those that are compressed */
	size_t count;
};

/* Where the bundle's header lies in the file at `place`; 0 = it is no single-file program, or cannot be read. Run it by a hand (hand.h). */
uint64_t nt_image_bundle_header(const struct nt_image_place *place);

/* The assembly of this name, from the list at `header`. False: there is none, or it is compressed. */
bool nt_image_bundle_named(struct nt_window *window, uint64_t header, const char *name, struct nt_bundle_part *out);

/* What is in the file at `place`; nothing when it is no single-file program or cannot be read. Run it by a hand (hand.h). End with nt_image_bundle_fini(). */
void nt_image_bundle_read(struct nt_image_bundle *bundle, const struct nt_image_place *place);
void nt_image_bundle_fini(struct nt_image_bundle *bundle);

/* The assembly that `offset` of the file lies in; NULL = none. */
const struct nt_bundle_part *nt_image_bundle_at(const struct nt_image_bundle *bundle, uint64_t offset);

#endif
