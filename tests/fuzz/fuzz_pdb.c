// SPDX-License-Identifier: GPL-2.0-only
/* Input: a portable PDB, or an assembly that may have one embedded. The points and documents of all methods are read. */
#include "fuzz.h"

#include "decode/assembly/pe_debug.h"
#include "window.h"

enum { POINTS_MAX = 20000 };

static void see_points(const struct nt_pdb *pdb, uint32_t rid, unsigned *left)
{
	char path[64];
	struct nt_pdb_points points;
	struct nt_pdb_point point, last = { 0 };
	if (!nt_pdb_points_of(pdb, rid, &points))
		return;
	for (bool first = true; *left && nt_pdb_points_next(&points, &point); first = false, --*left) {
		FUZZ_CHECK(first || point.il_offset > last.il_offset);
		last = point;
	}
	size_t length = nt_pdb_document(pdb, last.document, path, sizeof(path));
	FUZZ_CHECK(length < sizeof(path) && strlen(path) == length);
}

static void see(struct fuzz_bytes *bytes)
{
	struct nt_window *window = fuzz_window(bytes);
	struct nt_pdb pdb;
	unsigned left = POINTS_MAX;
	if (nt_pdb_read(window, &pdb))
		for (uint32_t rid = 1; left && rid <= pdb.metadata.tables[NT_TABLE_METHOD_DEBUG].count; rid++, left--)
			see_points(&pdb, rid, &left);
	nt_window_free(window);
}

static void see_embedded(struct fuzz_bytes *bytes)
{
	struct nt_window *window = fuzz_window(bytes);
	struct nt_pe pe;
	struct nt_pe_debug debug;
	struct fuzz_bytes unpacked = { 0 };
	uint8_t *pdb = NULL;
	if (nt_pe_read(window, 0, &pe) && nt_pe_debug_read(&pe, &debug))
		pdb = nt_pe_debug_unpack(window, &debug.embedded, &unpacked.size);
	nt_window_free(window);
	unpacked.data = pdb;
	if (pdb)
		see(&unpacked);
	free(pdb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { .data = data, .size = size };
	see(&bytes);
	see_embedded(&bytes);
	return 0;
}
