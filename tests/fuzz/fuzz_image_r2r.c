// SPDX-License-Identifier: GPL-2.0-only
/* Input: a precompiled image as a file. A composite image's components are looked for beside it, where it lies itself under the name of one. */
#include "fuzz.h"

#include "file.h"
#include "source/image/image_r2r.h"

enum { METHODS = 500 };

size_t fuzz_cut_step(size_t size)
{
	return size / 256 + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct nt_image_r2r_answer method, found;
	char reason[NT_IMAGE_R2R_REASON] = "";
	struct nt_image_il il;
	struct nt_frame_rule rule;
	uint64_t start, end;
	struct stat stat;
	const char *root = fuzz_file("shop.dll", data, size, &stat);
	const struct nt_image_place place = { .root_dir = root, .path = "/shop.dll", .inode = (uint64_t)stat.st_ino, .uid = getuid() };
	struct nt_image_r2r *image = nt_image_r2r_new(&place, 0, reason);
	FUZZ_CHECK(image || *reason);
	uint32_t number = 0;
	for (unsigned i = 0; image && i < METHODS && nt_image_r2r_next(image, &number, &method); i++) {
		FUZZ_CHECK(method.start < method.end); /* the file may have been cut */
		nt_image_r2r_find(image, method.start, &found);
		FUZZ_CHECK(found.what == NT_IMAGE_R2R_METHOD ? found.name.length > 0 : true);
		FUZZ_CHECK(found.start <= method.start && method.start < found.end);
		if (nt_image_r2r_il(image, method.start, &il))
			FUZZ_CHECK(il.start < il.end);
		free(il.places);
		if (nt_image_r2r_rule(image, method.start, &start, &end, &rule))
			FUZZ_CHECK(start <= method.start && method.start < end);
	}
	if (image)
		nt_image_r2r_rest(image);
	nt_image_r2r_free(image);
	return 0;
}
