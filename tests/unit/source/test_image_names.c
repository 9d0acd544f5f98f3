// SPDX-License-Identifier: GPL-2.0-only
/* Names in image files: what is kept, and for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/image/image_names.h"
#include "source/image/image_precompiled.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { METHOD = 0xa00 }; /* where tests/data/corpus/image_r2r/small has code */

/* Its folder stands for the target's root. */
struct image {
	char root[PATH_MAX];
	struct nt_image_place place;
};

static void find_image(struct image *image, const char *folder, const char *path)
{
	char whole[sizeof(image->root) + 64];
	struct stat stat_of;
	assert_non_null(realpath(folder, image->root));
	snprintf(whole, sizeof(whole), "%s%s", image->root, path);
	assert_int_equal(stat(whole, &stat_of), 0);
	image->place = (struct nt_image_place){ .root_dir = image->root, .path = path, .inode = (uint64_t)stat_of.st_ino, .uid = getuid() };
}

static void expect_method(struct nt_image_names *names, const struct image *image)
{
	struct nt_image_answer answer;
	nt_image_names_answer(names, &image->place, METHOD, &answer);
	assert_int_equal(answer.kind, NT_CODE_R2R);
	assert_string_equal(answer.name, "instance void [shop] Shop.Cart::Add(int32,string)");
}

/* Who asks again finds the same; what nobody asks for any more gives its memory back. */
static void test_an_image_is_dropped_when_nobody_asks(void **state)
{
	(void)state;
	struct image image;
	find_image(&image, "tests/data/corpus/image_r2r", "/small");
	struct nt_image_names *names = nt_image_names_new();
	expect_method(names, &image);
	assert_true(nt_image_names_rest(names)); /* it was read */
	for (int i = 0; i < 2 * NT_IMAGE_RESTS_MAX; i++) {
		expect_method(names, &image);
		assert_false(nt_image_names_rest(names)); /* and is kept while somebody asks */
	}
	for (int i = 0; i < NT_IMAGE_RESTS_MAX - 1; i++)
		assert_false(nt_image_names_rest(names));
	assert_true(nt_image_names_rest(names));
	assert_false(nt_image_names_rest(names));
	expect_method(names, &image);
	assert_true(nt_image_names_rest(names)); /* it was read again */
	nt_image_names_free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_image_is_dropped_when_nobody_asks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
