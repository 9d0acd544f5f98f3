/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions to the code map source for names in images, with this test program as the target or with files that the test puts into the fixture's root. Include it after
 * cmocka.h.
 */
#ifndef NT_TESTS_CODEMAP_QUESTIONS_H
#define NT_TESTS_CODEMAP_QUESTIONS_H

#include "codemap_fixture.h"

static inline bool questions_has_names(const struct fixture *f, size_t from, const void *what)
{
	return fixture_count(f, from, NT_EV_NAME) >= *(const size_t *)what;
}

static inline bool questions_has_vdso(const struct fixture *f, size_t from, const void *what)
{
	(void)what;
	for (size_t i = from; i < f->seen_count; i++)
		if (f->seen[i].event.kind == NT_EV_MAP && strcmp(f->seen[i].text[0], "[vdso]") == 0)
			return true;
	return false;
}

/* The one answer to the one question. */
static inline const struct seen *ask(struct fixture *f, const struct nt_question *question)
{
	size_t seen = f->seen_count, one = 1;
	assert_int_equal(nt_source_codemap.ask(f->source, question, 1), 1);
	fixture_wait(f, seen, questions_has_names, &one);
	const struct seen *answer = fixture_last(f, seen, NT_EV_NAME);
	assert_string_equal(answer->text[0], question->image);
	assert_int_equal(answer->event.u.name.inode, question->inode);
	if (answer->event.u.name.end != UINT64_MAX)
		assert_true(answer->event.u.name.start <= question->offset && question->offset < answer->event.u.name.end);
	assert_true((answer->text[1][0] == '\0') != (answer->text[2][0] == '\0')); /* a name or a reason */
	return answer;
}

/* This process as the target. */
static inline struct fixture *watch_self(void)
{
	struct fixture *f = fixture_new();
	free(f->target.proc_dir);
	free(f->target.root_dir);
	f->target.proc_dir = nt_strdup("/proc/self");
	f->target.root_dir = nt_strdup("/proc/self/root");
	fixture_start(f);
	fixture_wait(f, 0, questions_has_vdso, NULL);
	return f;
}

static inline const struct nt_ev_map *map_of(const struct fixture *f, uintptr_t address, const char **image)
{
	for (size_t i = 0; i < f->seen_count; i++) {
		const struct nt_ev_map *map = &f->seen[i].event.u.map;
		if (f->seen[i].event.kind == NT_EV_MAP && address >= map->start && address - map->start < map->length) {
			*image = f->seen[i].text[0];
			return map;
		}
	}
	fail_msg("no mapping for %#lx", (unsigned long)address);
	return NULL;
}

static inline struct nt_question question_for(const struct fixture *f, uintptr_t address)
{
	const char *image = NULL;
	const struct nt_ev_map *map = map_of(f, address, &image);
	return (struct nt_question){ .pid = FIXTURE_PID,
				     .inode = map->inode,
				     .offset = address - map->start + map->file_offset,
				     .map_start = map->start,
				     .map_end = map->start + map->length,
				     .image = image };
}

/* The question for an offset in a file of the target's root. */
static inline struct nt_question question_of_file(const struct fixture *f, const char *image, uint64_t offset)
{
	char path[192];
	snprintf(path, sizeof(path), "%s/root%s", f->dir, image);
	struct stat stat;
	assert_int_equal(lstat(path, &stat), 0);
	return (struct nt_question){ .pid = FIXTURE_PID, .inode = stat.st_ino, .offset = offset, .image = image };
}

#endif
