// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/cgroup_path.h"

#include "base/alloc.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 64 << 10 };

/* Is `name` one of the controllers, which commas separate? */
static bool has_controller(const char *controllers, size_t length, const char *name)
{
	size_t name_length = strlen(name);
	for (const char *at = controllers, *end = controllers + length; at < end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at)), *stop = comma ? comma : end;
		if ((size_t)(stop - at) == name_length && memcmp(at, name, name_length) == 0)
			return true;
		at = stop + 1;
	}
	return false;
}

static void add(struct nt_cgroup *out, const char *cgroup_root, const char *mount, const char *path, size_t path_length, bool v2)
{
	*out = (struct nt_cgroup){ .folder = nt_format("%s%s%.*s", cgroup_root, mount, (int)path_length, path),
				   .root = strlen(cgroup_root) + strlen(mount),
				   .v2 = v2 };
}

/* A line: "ID:CONTROLLERS:PATH"; no controllers: version 2. */
static size_t of_line(const char *line, size_t length, const char *cgroup_root, const char *controller, struct nt_cgroup *out)
{
	const char *end = line + length, *first = memchr(line, ':', length);
	const char *second = first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;
	if (!second || second + 1 == end || second[1] != '/' || strncmp(second + 1, "/..", 3) == 0)
		return 0;
	const char *path = second + 1;
	size_t path_length = (size_t)(end - path);
	if (second == first + 1) {
		add(&out[0], cgroup_root, "", path, path_length, true);
		add(&out[1], cgroup_root, "/unified", path, path_length, true);
		return 2;
	}
	if (!has_controller(first + 1, (size_t)(second - first - 1), controller))
		return 0;
	char *mount = nt_format("/%s", controller);
	add(&out[0], cgroup_root, mount, path, path_length, false);
	free(mount);
	return 1;
}

size_t nt_cgroups_of(const char *cgroup_text, const char *cgroup_root, const char *controller, struct nt_cgroup out[NT_CGROUPS])
{
	size_t count = 0;
	bool seen[2] = { false };
	for (const char *line = cgroup_text; *line;) {
		size_t length = strcspn(line, "\n");
		struct nt_cgroup found[2];
		size_t more = of_line(line, length, cgroup_root, controller, found);
		bool take = more && !seen[more - 1]; /* a second line of the same kind is none of the kernel's */
		for (size_t i = 0; i < more; i++) {
			if (take)
				out[count++] = found[i];
			else
				nt_cgroup_fini(&found[i]);
		}
		if (more)
			seen[more - 1] = true;
		line += length + (line[length] == '\n');
	}
	return count;
}

void nt_cgroup_fini(struct nt_cgroup *group)
{
	free(group->folder);
	*group = (struct nt_cgroup){ 0 };
}

bool nt_cgroup_up(struct nt_cgroup *group)
{
	char *slash = strrchr(group->folder + group->root, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

char *nt_cgroup_read(const struct nt_cgroup *group, const char *name, size_t *length)
{
	return nt_file_text(group->folder, name, TEXT_BYTES, length);
}
