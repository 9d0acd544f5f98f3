// SPDX-License-Identifier: GPL-2.0-only
#include "decode/common/xz.h"

#include "base/alloc.h"

#include <lzma.h>
#include <stdlib.h>

/* Memory of the decoder, most of it the dictionary: what `xz -9` asks for and a little more. */
enum { DECODER_LIMIT_BYTES = 80 << 20, FIRST_BYTES = 64 << 10 };

static enum nt_status refuse(lzma_ret result, size_t limit_bytes, struct nt_error *err)
{
	switch (result) {
	case LZMA_OK: /* it would go on */
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "unpacks to more than %zu MB", limit_bytes >> 20);
	case LZMA_MEMLIMIT_ERROR:
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "takes more than %d MB to be unpacked", DECODER_LIMIT_BYTES >> 20);
	case LZMA_OPTIONS_ERROR:
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "is packed in a way that liblzma does not know");
	case LZMA_FORMAT_ERROR:
		return nt_error_set(err, NT_ERR_MALFORMED, "is not in the xz format");
	case LZMA_BUF_ERROR:
		return nt_error_set(err, NT_ERR_MALFORMED, "ends too early");
	default:
		return nt_error_set(err, NT_ERR_MALFORMED, "is damaged");
	}
}

enum nt_status nt_xz_unpack(const uint8_t *bytes, size_t size, size_t limit_bytes, uint8_t **out, size_t *out_size, struct nt_error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	uint8_t *unpacked = NULL;
	size_t capacity = 0;
	lzma_ret result = lzma_stream_decoder(&stream, DECODER_LIMIT_BYTES, 0);
	stream.next_in = bytes;
	stream.avail_in = size;
	while (result == LZMA_OK && capacity <= limit_bytes) {
		/* One byte more than is allowed shows that it is too much. */
		size_t grown = capacity ? 2 * capacity : FIRST_BYTES;
		capacity = grown <= limit_bytes ? grown : limit_bytes + 1;
		unpacked = nt_realloc(unpacked, capacity, 1);
		stream.next_out = unpacked + stream.total_out;
		stream.avail_out = capacity - stream.total_out;
		do
			result = lzma_code(&stream, LZMA_FINISH);
		while (result == LZMA_OK && stream.avail_out);
	}
	*out_size = stream.total_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END && *out_size <= limit_bytes) {
		*out = unpacked;
		return NT_OK;
	}
	free(unpacked);
	*out = NULL;
	*out_size = 0;
	return refuse(result == LZMA_STREAM_END ? LZMA_OK : result, limit_bytes, err);
}
