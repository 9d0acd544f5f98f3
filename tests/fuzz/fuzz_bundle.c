// SPDX-License-Identifier: GPL-2.0-only
/* Input: a host's data section, and as such the header of a bundle, and a file with the header's list of files behind its first byte. */
#include "fuzz.h"

#include "decode/assembly/bundle.h"
#include "window.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_bundle_part part;
	nt_bundle_find(data, size);
	if (nt_bundle_config(data, size, &part))
		FUZZ_CHECK(part.offset && part.length && size > 32);
	struct fuzz_bytes bytes = { .data = data, .size = size };
	struct nt_window *window = fuzz_window(&bytes);
	struct nt_bundle_files files;
	struct nt_bundle_file file;
	if (nt_bundle_files(window, 1, &files))
		while (nt_bundle_files_next(&files, &file))
			FUZZ_CHECK(file.part.offset <= size && file.part.length <= size - file.part.offset);
	nt_window_free(window);
	return 0;
}
