// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_traces.h"

#include "base/file.h"
#include "decode/ctf/ctf_metadata.h"
#include "source/lttng/lttng_graph.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FILES "/proc/self/fd/"

enum { METADATA_BYTES_MAX = 64 << 20 };

/* ---- which there are ---- */

static void look_into(struct nt_lttng_traces *traces, int folder, const char *way, unsigned depth);

static void add(struct nt_lttng_traces *traces, const char *way)
{
	traces->more |= traces->count == NT_LTTNG_TRACES_MAX;
	if (traces->count < NT_LTTNG_TRACES_MAX)
		snprintf(traces->names[traces->count++], NT_LTTNG_TRACE_NAME, "%s", way);
}

/* One entry of a folder: what is a folder itself is gone into. */
static void look_at(struct nt_lttng_traces *traces, int folder, const char *way, unsigned depth, const char *name)
{
	char next[NT_LTTNG_TRACE_NAME];
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	bool fits = snprintf(next, sizeof(next), "%s/%s", way, name) < (int)sizeof(next);
	if (fits && depth < NT_LTTNG_TRACES_DEPTH && traces->count < NT_LTTNG_TRACES_MAX)
		look_into(traces, fd, next, depth + 1);
	else
		traces->more = true;
	close(fd);
}

static void look_into(struct nt_lttng_traces *traces, int folder, const char *way, unsigned depth)
{
	struct stat st;
	if (fstatat(folder, "metadata", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode)) {
		add(traces, way);
		return;
	}
	int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = own >= 0 ? fdopendir(own) : NULL;
	if (!dir && own >= 0)
		close(own);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (entry->d_name[0] != '.')
			look_at(traces, folder, way, depth, entry->d_name);
	if (dir)
		closedir(dir);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

void nt_lttng_traces_find(int folder, struct nt_lttng_traces *out)
{
	out->folder = folder;
	out->count = 0;
	out->more = false;
	look_into(out, folder, ".", 0);
	qsort(out->names, out->count, sizeof(out->names[0]), by_name);
}

/* ---- the graph ---- */

/* There once they were found, and for ever: whoever reads what lies in a folder can open no library any more. Its process has one thread that does. */
static struct plugins {
	const bt_component_class_source *files;
	const bt_component_class_filter *muxer;
} plugins;

enum nt_status nt_lttng_traces_prepare(struct nt_error *err)
{
	const bt_plugin *ctf = nt_lttng_graph_plugin("ctf", err), *utils = ctf ? nt_lttng_graph_plugin("utils", err) : NULL;
	if (!utils)
		return err->status;
	plugins.files = nt_bt.plugin_borrow_source_component_class_by_name_const(ctf, "fs");
	plugins.muxer = nt_bt.plugin_borrow_filter_component_class_by_name_const(utils, "muxer");
	if (plugins.files && plugins.muxer)
		return NT_OK;
	return nt_error_set(err, NT_ERR_ABSENT, "babeltrace2's plug-ins cannot read traces in files (no ctf.fs, or no utils.muxer)");
}

/* The library reads on for ever where the last packet of a file is cut. */
static enum nt_status check_metadata(const struct nt_lttng_traces *traces, size_t place, struct nt_error *err)
{
	char way[NT_LTTNG_TRACE_NAME + 16], *bytes;
	size_t length;
	snprintf(way, sizeof(way), "%s/metadata", traces->names[place]);
	int reason = nt_file_read(traces->folder, way, METADATA_BYTES_MAX + 1, &bytes, &length);
	if (reason)
		return nt_error_errno(err, NT_ERR_FAILED, reason, "its metadata cannot be read");
	const struct nt_ctf_metadata found = nt_ctf_metadata_look((const uint8_t *)bytes, length);
	free(bytes);
	if (length > METADATA_BYTES_MAX)
		return nt_error_set(err, NT_ERR_MALFORMED, "its metadata has more than %d MB", METADATA_BYTES_MAX >> 20);
	if (found.whole_size < length)
		return nt_error_set(err, NT_ERR_MALFORMED,
				    "its metadata, without which nothing can be read, is cut or damaged at byte %zu of %zu",
				    found.whole_size, length);
	return NT_OK;
}

/* The library opens whatever lies in a trace: at a FIFO it would wait for ever. Links lead nowhere but below the folder. */
static enum nt_status check_files(const struct nt_lttng_traces *traces, size_t place, struct nt_error *err)
{
	int folder = openat(traces->folder, traces->names[place], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = folder >= 0 ? fdopendir(folder) : NULL;
	enum nt_status status = dir ? NT_OK : nt_error_errno(err, NT_ERR_FAILED, errno, "it cannot be read");
	struct stat st;
	for (struct dirent *entry; status == NT_OK && (entry = readdir(dir));)
		if (fstatat(folder, entry->d_name, &st, 0) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			status = nt_error_set(err, NT_ERR_MALFORMED, "%s in it is no file", entry->d_name);
	if (dir)
		closedir(dir);
	else if (folder >= 0)
		close(folder);
	return status;
}

/* In a sentence of the library's: files are named from the folder on. */
static enum nt_status hide_way(struct nt_error *err)
{
	char *way = strstr(err->cause[0], OPEN_FILES), *after = way ? way + strlen(OPEN_FILES) : NULL;
	if (way) {
		after += strspn(after, "0123456789/.");
		memmove(way, after, strlen(after) + 1);
	}
	return err->status;
}

/* One trace, whose channels are connected with the muxer, which makes a port for the next one each time. */
static enum nt_status add_trace(struct nt_lttng_viewer *viewer, const bt_component_filter *muxer, uint64_t *ports, const char *path,
				struct nt_error *err)
{
	const bt_component_source *source = NULL;
	char name[32];
	snprintf(name, sizeof(name), "trace at %llu", (unsigned long long)*ports);
	bt_value *params = nt_lttng_graph_input(path);
	bt_graph_add_component_status added =
		nt_bt.graph_add_source_component(viewer->graph, plugins.files, name, params, BT_LOGGING_LEVEL_NONE, &source);
	nt_bt.value_put_ref(params);
	if (added != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		nt_lttng_graph_error(err, "it cannot be read");
		return hide_way(err);
	}
	uint64_t count = nt_bt.component_source_get_output_port_count(source);
	for (uint64_t i = 0; i < count; i++)
		if (nt_bt.graph_connect_ports(viewer->graph, nt_bt.component_source_borrow_output_port_by_index_const(source, i),
					      nt_bt.component_filter_borrow_input_port_by_index_const(muxer, (*ports)++),
					      NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return nt_lttng_graph_error(err, "cannot connect the reader of the trace");
	return NT_OK;
}

static enum nt_status build(struct nt_lttng_viewer *viewer, const struct nt_lttng_traces *traces, const size_t *places, size_t count,
			    struct nt_error *err)
{
	const bt_component_filter *muxer = NULL;
	uint64_t ports = 0;
	if (nt_bt.graph_add_filter_component(viewer->graph, plugins.muxer, "order", NULL, BT_LOGGING_LEVEL_NONE, &muxer) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return nt_lttng_graph_error(err, "cannot make a muxer");
	for (size_t i = 0; i < count; i++) {
		/* The library wants a path: this one needs no right to what lies above the folder. */
		char path[NT_LTTNG_TRACE_NAME + 32];
		snprintf(path, sizeof(path), OPEN_FILES "%d/%s", traces->folder, traces->names[places[i]]);
		enum nt_status status = check_files(traces, places[i], err);
		if (status == NT_OK)
			status = check_metadata(traces, places[i], err);
		if (status == NT_OK)
			status = add_trace(viewer, muxer, &ports, path, err);
		if (status != NT_OK)
			return status;
	}
	if (!ports)
		return nt_error_set(err, NT_ERR_ABSENT, "it has no events");
	return nt_lttng_graph_end_in_sink(viewer, nt_bt.component_filter_borrow_output_port_by_index_const(muxer, 0), err);
}

enum nt_status nt_lttng_traces_open(const struct nt_lttng_traces *traces, const size_t *places, size_t count,
				    const struct nt_lttng_viewer_sink *sink, struct nt_lttng_viewer **out, struct nt_error *err)
{
	*out = NULL;
	nt_assert(plugins.files);
	struct nt_lttng_viewer *viewer = nt_lttng_graph_new(sink, "it is damaged");
	enum nt_status status = build(viewer, traces, places, count, err);
	if (status == NT_OK)
		*out = viewer;
	else
		nt_lttng_viewer_free(viewer);
	return status;
}
