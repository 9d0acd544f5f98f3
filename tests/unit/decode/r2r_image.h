/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small precompiled assembly, `shop`, made byte by byte: two types with generic instances and a funclet. One section, at RVA 0x1000, offset 0x200.
 */
#ifndef TEST_R2R_IMAGE_H
#define TEST_R2R_IMAGE_H

#include "decode/assembly/pe.h"

#include <string.h>

enum { IMAGE_BYTES = 0x1000, IMAGE_TEXT_AT = 0x200, IMAGE_TEXT_RVA = 0x1000, IMAGE_CODE_RVA = 0x1800 };

struct image {
	uint8_t bytes[IMAGE_BYTES];
	uint32_t at; /* where the next byte goes */
};

static inline void image_put(struct image *image, const void *bytes, size_t size)
{
	memcpy(image->bytes + image->at, bytes, size);
	image->at += (uint32_t)size;
}

static inline void image_16(struct image *image, uint16_t value)
{
	image_put(image, &value, sizeof(value));
}

static inline void image_32(struct image *image, uint32_t value)
{
	image_put(image, &value, sizeof(value));
}

static inline void image_poke(struct image *image, uint32_t at, uint32_t value)
{
	memcpy(image->bytes + at, &value, sizeof(value));
}

static inline uint32_t image_rva(const struct image *image)
{
	return image->at - IMAGE_TEXT_AT + IMAGE_TEXT_RVA;
}

#define IMAGE_PUT(image_, bytes_) image_put(image_, bytes_, sizeof(bytes_) - 1)

/* ---- metadata ---- */

#define IMAGE_STRINGS "\0Shop\0Cart\0List`1\0Entry\0Add\0Sum\0Take\0Next\0System\0Guid\0<Module>\0shop\0shop.dll"

/* Offset of a text in the heap. */
static inline uint16_t image_string(const char *text)
{
	static const char heap[] = IMAGE_STRINGS;
	const char *found = memmem(heap, sizeof(heap), text, strlen(text) + 1);
	return (uint16_t)(found - heap);
}

static inline void image_method(struct image *image, const char *name, uint16_t signature)
{
	image_32(image, 0);
	image_32(image, 0);
	image_16(image, image_string(name));
	image_16(image, signature);
	image_16(image, 1);
}

static inline void image_type(struct image *image, const char *space, const char *name, uint16_t methods)
{
	image_32(image, 0);
	image_16(image, image_string(name));
	image_16(image, space ? image_string(space) : 0);
	image_16(image, 0);
	image_16(image, 1);
	image_16(image, methods);
}

static inline void image_tables(struct image *image)
{
	static const uint64_t present = 1 << 0x00 | 1 << 0x01 | 1 << 0x02 | 1 << 0x06 | UINT64_C(1) << 0x20 | UINT64_C(1) << 0x29;
	static const uint32_t counts[] = { 1, 1, 4, 4, 1, 1 };
	IMAGE_PUT(image, "\0\0\0\0\2\0\0\1");
	image_put(image, &present, sizeof(present));
	IMAGE_PUT(image, "\0\0\0\0\0\0\0\0");
	image_put(image, counts, sizeof(counts));
	image_16(image, 0); /* Module */
	image_16(image, image_string("shop.dll"));
	image_16(image, 1);
	image_32(image, 0);
	image_16(image, 0); /* TypeRef: System.Guid */
	image_16(image, image_string("Guid"));
	image_16(image, image_string("System"));
	image_type(image, NULL, "<Module>", 1);
	image_type(image, "Shop", "Cart", 1);
	image_type(image, "Shop", "List`1", 3);
	image_type(image, NULL, "Entry", 4);
	image_method(image, "Add", 1);
	image_method(image, "Sum", 7);
	image_method(image, "Take", 19);
	image_method(image, "Next", 27);
	IMAGE_PUT(image, "\4\x80\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0"); /* Assembly: version, flags, key */
	image_16(image, image_string("shop"));
	image_16(image, 0);
	image_16(image, 4); /* NestedClass: Entry in List`1 */
	image_16(image, 3);
}

static inline void image_metadata(struct image *image)
{
	uint32_t root = image->at, headers[4];
	IMAGE_PUT(image, "BSJB\1\0\1\0\0\0\0\0\4\0\0\0v1\0\0\0\0\4\0");
	static const char names[4][12] = { "#~\0", "#Strings\0\0\0", "#Blob\0\0", "#GUID\0\0" };
	static const uint8_t name_bytes[4] = { 4, 12, 8, 8 };
	for (unsigned i = 0; i < 4; i++) {
		headers[i] = image->at;
		image_32(image, 0);
		image_32(image, 0);
		image_put(image, names[i], name_bytes[i]);
	}
	for (unsigned i = 0; i < 4; i++) {
		uint32_t start = image->at;
		if (i == 0)
			image_tables(image);
		else if (i == 1)
			image_put(image, IMAGE_STRINGS, sizeof(IMAGE_STRINGS));
		else if (i == 2)
			IMAGE_PUT(image, "\0"
					 "\x05\x20\x02\x01\x08\x0e"                         /* 1: instance void (int32,string) */
					 "\x0b\x00\x02\x0a\x12\x05\x1d\x15\x12\x0c\x01\x08" /* 7: int64 (System.Guid,List`1<int32>[]) */
					 "\x07\x20\x01\x13\x00\x10\x13\x00"                 /* 19: instance !0 (!0&) */
					 "\x03\x20\x00\x02");                               /* 27: instance bool () */
		else
			IMAGE_PUT(image, "0123456789abcdef");
		image_poke(image, headers[i], start - root);
		image_poke(image, headers[i] + 4, image->at - start);
	}
}

/* ---- precompiled code ---- */

static inline void image_functions(struct image *image)
{
	static const uint32_t functions[][3] = {
		{ 0x1800, 0x1818, 0 }, /* Cart.Add */
		{ 0x1820, 0x1830, 0 }, /* its funclet */
		{ 0x1840, 0x1850, 0 }, /* Cart.Sum */
		{ 0x1860, 0x1870, 0 }, /* List<string>.Take */
		{ 0x1880, 0x1890, 0 }, /* List<int>.Entry.Next */
	};
	image_put(image, functions, sizeof(functions));
}

/* Methods 1 and 2: functions 0 and 2. */
static inline void image_entries(struct image *image)
{
	IMAGE_PUT(image, "\x10\x01\x02\x02\x02\x16\x00\x08");
}

/* One bucket with two instances: List`1<string>::Take is function 3, List`1+Entry<int32>::Next function 4. */
static inline void image_instances(struct image *image)
{
	IMAGE_PUT(image, "\x00\x02\x06"
			 "\xaa\x06\xbb\x12"
			 "\x40\x15\x12\x0c\x01\x0e\x03\x0c"
			 "\x40\x15\x12\x10\x01\x08\x04\x10");
}

static inline void image_section(struct image *image, uint32_t header, uint32_t type, void (*put)(struct image *image))
{
	uint32_t start = image->at, rva = image_rva(image);
	put(image);
	image_poke(image, header, type);
	image_poke(image, header + 4, rva);
	image_poke(image, header + 8, image->at - start);
}

static inline void image_make(struct image *image)
{
	enum { PE_AT = 0x40, OPTIONAL_AT = PE_AT + 24, OPTIONAL_BYTES = 240, SECTION_AT = OPTIONAL_AT + OPTIONAL_BYTES };
	memset(image, 0, sizeof(*image));
	IMAGE_PUT(image, "MZ");
	image_poke(image, 0x3c, PE_AT);
	image->at = PE_AT;
	IMAGE_PUT(image, "PE\0\0");
	image_16(image, NT_PE_LINUX_AMD64);
	image_16(image, 1);
	image->at = PE_AT + 20;
	image_16(image, OPTIONAL_BYTES);
	image_16(image, 0);
	image_16(image, 0x20b);
	image_poke(image, SECTION_AT + 8, IMAGE_BYTES - IMAGE_TEXT_AT);
	image_poke(image, SECTION_AT + 12, IMAGE_TEXT_RVA);
	image_poke(image, SECTION_AT + 16, IMAGE_BYTES - IMAGE_TEXT_AT);
	image_poke(image, SECTION_AT + 20, IMAGE_TEXT_AT);
	image->at = IMAGE_TEXT_AT; /* CLI header */
	image_poke(image, OPTIONAL_AT + 112 + 14 * 8, image_rva(image));
	image_poke(image, OPTIONAL_AT + 112 + 14 * 8 + 4, 72);
	image->at += 72;
	uint32_t start = image->at;
	image_poke(image, IMAGE_TEXT_AT + 8, image_rva(image));
	image_metadata(image);
	image_poke(image, IMAGE_TEXT_AT + 12, image->at - start);
	image_poke(image, IMAGE_TEXT_AT + 64, image_rva(image));
	IMAGE_PUT(image, "RTR\0\x10\0\0\0\0\0\0\0\3\0\0\0");
	uint32_t sections = image->at;
	image->at += 3 * 12;
	image_section(image, sections, 102, image_functions);
	image_section(image, sections + 12, 103, image_entries);
	image_section(image, sections + 24, 109, image_instances);
}

#endif
