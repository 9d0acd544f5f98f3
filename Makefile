# SPDX-License-Identifier: GPL-2.0-only
# nettop: one Makefile, nothing recursive. `make help` lists what can be made.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

# ---- variants: objects of different builds never mix -------------------------------------------------------------------------------
# SAN=address,undefined  SAN=thread  COV=1  each builds under build/<variant>/.
SAN      ?=
COV      ?=
comma    := ,
VARIANT  := $(if $(SAN),san-$(subst $(comma),-,$(SAN)),$(if $(COV),cov,default))
B        := build/$(VARIANT)
DEPS_DIR ?= build/deps
prefix   ?= /usr/local
V        ?=
Q        := $(if $(V),,@)
say       = $(if $(V),,@printf '  %-8s %s\n' '$(1)' '$(2)')

# ---- dependencies ------------------------------------------------------------------------------------------------------------------
# What the goals need, as groups of src/deps/packages.txt. `check*`, `demo*` and `bench` install what is missing, the others only say it.
GOALS         := $(or $(MAKECMDGOALS),all)
SETS_UP       := $(filter demo% check% soak bench%,$(GOALS))
BUILDS        := $(filter-out deps help lint format uninstall clean distclean,$(GOALS))
DEPS_GROUPS   := build demo $(if $(filter check% soak,$(GOALS)),test) $(if $(filter check-long check-long-database,$(GOALS)),long) $(if $(filter bench%,$(GOALS)),bench)
missing_deps   = $(shell DEPS_DIR='$(DEPS_DIR)' src/deps/check.sh $(1))
install_deps   = DEPS_DIR='$(DEPS_DIR)' src/deps/install.sh
build_libperf  = DEPS_DIR='$(DEPS_DIR)' src/deps/libperf.sh
dry_run       := $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))

ifneq ($(and $(SETS_UP),$(if $(NT_DEPS_TRIED)$(MAKE_RESTARTS)$(dry_run),,first),$(call missing_deps,$(DEPS_GROUPS))),)
# make remakes what it includes before anything else and then starts again, now with pkg-config's right answers.
# Status 3 is "not root": the second time round goes on with what is there.
# It does so only for a file that was not there: a phony one is made without starting again.
$(shell rm -f build/setup.mk)
include build/setup.mk
build/setup.mk:
	@$(install_deps) $(DEPS_GROUPS) || [ $$? -eq 3 ]
	@$(build_libperf)
	@mkdir -p $(@D) && touch $@
else ifneq ($(and $(BUILDS),$(call missing_deps,build)),)
$(shell DEPS_DIR='$(DEPS_DIR)' src/deps/check.sh build >&2)
$(error all of the above is missing: `make deps` gets it (the packages need root))
endif
# For the makes that recipes start: what could not be had now is not tried again.
export NT_DEPS_TRIED := y

.PHONY: deps
deps:
	$(Q)$(install_deps); status=$$?; $(build_libperf) && exit $$status

# ---- tools and libraries -----------------------------------------------------------------------------------------------------------
CC        ?= gcc
ifeq ($(origin CC),default)
CC        := gcc
endif
PKGS      := ncursesw babeltrace2 lttng-ctl libelf liblzma jansson zlib libzstd
PKG_CONFIG ?= pkg-config
# libcurl and libmicrohttpd are loaded by the one command that needs each, libdw by the one process.
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS) libcurl libdw libmicrohttpd 2>/dev/null)
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(PKGS) 2>/dev/null)
pkg_libs    = $(shell $(PKG_CONFIG) --libs $(1) 2>/dev/null)
ifeq ($(shell $(PKG_CONFIG) --exists libperf 2>/dev/null && echo y),y)
PERF_CFLAGS := $(shell $(PKG_CONFIG) --cflags libperf) -DNT_LIBPERF_CUTS
PERF_LIBS   := $(shell $(PKG_CONFIG) --libs libperf)
else
PERF_CFLAGS := -isystem $(DEPS_DIR)/libperf/include
PERF_LIBS   := $(DEPS_DIR)/libperf/lib/libperf.a
endif

WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wformat=2 -Wundef -Wvla \
	-Wcast-qual -Wwrite-strings -Wno-format-nonliteral
# ncursesw.pc carries -D_XOPEN_SOURCE of its own: ours comes first and includes it.
CPPFLAGS_NT := -D_GNU_SOURCE -Iinclude -Isrc -I. -I$(B)/gen $(filter-out -D_XOPEN_SOURCE=600 -D_DEFAULT_SOURCE,$(PKG_CFLAGS)) $(PERF_CFLAGS)
# Against what a mistake of ours could become. The checked functions of libc want an optimizer, and a sanitizer has its own.
machine     := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
FORTIFIED   := $(if $(SAN)$(COV)$(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
CONTROL     := $(if $(filter x86_64,$(machine)),-fcf-protection)
HARDENED    := -fPIE -fstack-protector-strong -fstack-clash-protection $(CONTROL)
CFLAGS_NT   := -std=c11 -O2 -g -fno-omit-frame-pointer $(HARDENED) $(FORTIFIED) $(WARN)
LDFLAGS_NT  := -pie -Wl,--as-needed,-z,now,-z,relro,-z,noexecstack
LIBS_NT     := $(PERF_LIBS) $(PKG_LIBS) -liberty -lpthread -lm
ifneq ($(SAN),)
CFLAGS_NT  += -fsanitize=$(SAN) -fno-sanitize-recover=all -O1
# Shared, the one for undefined behaviour is not told where to write: what it finds in a process whose stderr nobody reads is lost.
LDFLAGS_NT += -fsanitize=$(SAN) $(if $(filter address%,$(SAN)),-static-libasan -static-libubsan)
endif
ifneq ($(COV),)
CFLAGS_NT  += --coverage -O0
LDFLAGS_NT += --coverage
endif

# ---- what is built: one static library per layer, so that the linker holds the walls -------------------------------------------------
# src/rooms says which folders a library is made of, and which libraries lie under it.
rooms      := $(shell awk '/^(include|src|ui)/ { print $$1 "=" $$2 }' src/rooms)
LIBS       := $(shell awk '/^library/ { print $$2 }' src/rooms)
folders_of  = $(patsubst %=$(1),%,$(filter %=$(1),$(rooms)))
src_of      = $(sort $(foreach f,$(call folders_of,$(1)),$(wildcard $(f)/*.c)))
$(foreach l,$(LIBS) main,$(eval $(l)_src := $(call src_of,$(l))))
# ust0 is a library for its unit tests only.
ust0_src   += $(sort $(wildcard src/ust0/*.S))
# under_source: source decode base
$(foreach u,$(shell awk '/^library/ { line = "under_" $$2 ":="; for (i = 2; i <= NF; i++) line = line "," $$i; print line }' src/rooms),$(eval $(subst $(comma), ,$(u))))

obj   = $(patsubst %,$(B)/obj/%.o,$(basename $(1)))
lib   = $(B)/libnt_$(1).a

define library
$(call lib,$(1)): $(call obj,$($(1)_src))
	$(call say,AR,$$@)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach l,$(LIBS),$(eval $(call library,$(l))))

# What else a test of a layer may link.
libs_base   := -lpthread
libs_subject := -lpthread
libs_decode  = $(call pkg_libs,liblzma zlib jansson) -lpthread
libs_model   = $(call pkg_libs,libzstd libdw) -lpthread -lm
libs_source  = $(LIBS_NT)
libs_record  = $(call pkg_libs,libzstd libdw liblzma zlib jansson) -lpthread
libs_output  = $(call pkg_libs,zlib jansson) -lm
libs_ui      = $(call pkg_libs,ncursesw zlib jansson) -lm
libs_serve   = $(LIBS_NT)
libs_translate = $(LIBS_NT)
libs_app     = $(LIBS_NT)
libs_ust0   := -lpthread -ldl

.PHONY: all
all: $(B)/nettop bridge

$(B)/nettop: $(call obj,$(main_src)) $(foreach l,$(under_app),$(call lib,$(l)))
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS_NT)

$(B)/obj/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_NT) $(CPPFLAGS) $(CFLAGS_NT) $(CFLAGS) -MMD -MP -c -o $@ $<
$(B)/obj/%.o: %.S
	$(call say,AS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Wa,--noexecstack -MMD -MP -c -o $@ $<
# What the program knows of where it will be installed: written anew, and compiled, only when that changes.
$(B)/gen/paths.h: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '#define NT_UST0_DIR "%s"\n' '$(ust0dir)' | cmp -s - $@ || printf '#define NT_UST0_DIR "%s"\n' '$(ust0dir)' >$@
$(B)/obj/src/target/process/bridge.o: $(B)/gen/paths.h
# The script in each flame graph, as a text of C.
$(B)/gen/flamegraph_js.h: src/output/stacks/flamegraph.js
	$(Q)mkdir -p $(@D)
	$(Q)sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< >$@
$(B)/obj/src/output/stacks/stacks_flamegraph.o: $(B)/gen/flamegraph_js.h
.PHONY: FORCE
$(B)/obj/src/ust0/%.o: CFLAGS_NT += -fno-strict-aliasing

# ---- the bridge: two libraries for the watched program, not for nettop ---------------------------------------------------------------
# src/ust0 is loaded into other people's processes: no sanitizer, no nettop header, nothing exported but what its version scripts list.
# Only for the machines that it has stubs for.
bridge_libs    := $(if $(filter x86_64 aarch64,$(machine)),liblttng-ust-tracepoint liblttng-ust)
bridge         := $(bridge_libs:%=$(B)/ust0/%.so.0)
bridge_common  := ust1 debug forever pin
bridge_src_liblttng-ust-tracepoint := $(bridge_common) tracepoint callsites mirrors grace target_exit functions readers
bridge_src_liblttng-ust            := $(bridge_common) probe describe describe_fields boxes record event_filter stubs_x86_64 stubs_aarch64
bridge_map_liblttng-ust-tracepoint := src/ust0/tracepoint.map
bridge_map_liblttng-ust            := src/ust0/probe.map
# No _FORTIFY_SOURCE and no stack protector: both end the program where they find something, and the bridge never does.
BRIDGE_CFLAGS  := -D_GNU_SOURCE -std=c11 -O2 -g -fPIC -fvisibility=hidden -fno-strict-aliasing -fstack-clash-protection $(CONTROL) $(WARN)
# Never unloaded: LTTng keeps pointers into it. Its other half is found beside it.
BRIDGE_LDFLAGS := -shared -Wl,-z,nodelete,-z,now,-z,relro,-z,noexecstack,--as-needed,-rpath,'$$ORIGIN'

.PHONY: bridge
bridge: $(bridge)
$(B)/ust0/obj/%.o: src/ust0/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(BRIDGE_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/ust0/obj/%.o: src/ust0/%.S
	$(call say,AS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -MMD -MP -c -o $@ $<
define bridge_library
$(B)/ust0/$(1).so.0: $(bridge_src_$(1):%=$(B)/ust0/obj/%.o) $(bridge_map_$(1))
	$(call say,LD,$$@)
	$$(Q)$$(CC) $$(BRIDGE_LDFLAGS) -Wl,-soname,$$(@F),--version-script=$(bridge_map_$(1)) -o $$@ $$(filter %.o,$$^) -lpthread -ldl
endef
$(foreach l,$(bridge_libs),$(eval $(call bridge_library,$(l))))

# ---- tests -------------------------------------------------------------------------------------------------------------------------
# tests/unit/<layer>/test_x.c links only libnt_<layer> and what lies under it.
unit_src := $(sort $(wildcard tests/unit/*/test_*.c))
unit_bin := $(patsubst %.c,$(B)/%,$(unit_src))
layer_of  = $(word 3,$(subst /, ,$(1)))

define unit_program
$(B)/$(1): $(B)/obj/$(1).o $(foreach l,$(under_$(call layer_of,$(1))),$(call lib,$(l)))
	$(call say,LD,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS_NT) $$(CFLAGS) $$(LDFLAGS_NT) -o $$@ $$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group -lcmocka $$(libs_$(call layer_of,$(1)))
endef
$(foreach t,$(patsubst %.c,%,$(unit_src)),$(eval $(call unit_program,$(t))))

# tests/tools/x.c: programs for trials by hand and for live tests; all layers under the screen.
tool_bin := $(patsubst %.c,$(B)/%,$(filter-out %/man_page.c %/card_doc.c,$(sort $(wildcard tests/tools/*.c))))
$(tool_bin): $(B)/%: $(B)/obj/%.o $(call lib,output) $(call lib,model) $(call lib,subject) $(call lib,source) $(call lib,record) $(call lib,decode) $(call lib,base)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS_NT)
.PHONY: tools
tools: $(tool_bin)

# ---- which files an event passes through ---------------------------------------------------------------------------------------------
# tests/tools/path: one CPU sample and one collection from the bytes to the frame, in a build that counts lines; doc/ARCHITECTURE.md has the list of the files.
# What is played in it, because it needs the kernel or a thread.
PATH_PLAYED := perf_opening_start perf_opening_poll perf_opening_abandon perf_attach_close perf_list_read perf_list_lost hand_do
PATH_BIN := $(B)/tests/tools/path/path
$(PATH_BIN): $(B)/obj/tests/tools/path/path.o $(foreach l,ui output model source subject decode base,$(call lib,$(l)))
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) $(foreach f,$(PATH_PLAYED),-Wl,--wrap=nt_$(f)) -o $@ $(filter %.o,$^) \
		-Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS_NT)
build_path = $(MAKE) --no-print-directory SAN= COV=1 build/cov/tests/tools/path/path
.PHONY: check-path path-update
check-path:
	$(Q)$(build_path)
	$(Q)python3 tests/tools/path/path.py build/cov/tests/tools/path/path
path-update:
	$(Q)$(build_path)
	$(Q)python3 tests/tools/path/path.py build/cov/tests/tools/path/path --update

# What LeakSanitizer finds in the libraries that we cannot change.
export LSAN_OPTIONS ?= suppressions=$(CURDIR)/tests/tools/lsan.supp:print_suppressions=0

.PHONY: unit-programs check-unit
unit-programs: $(unit_bin)
# LAYERS='base source': only those of these layers.
# Those that wait longest begin, so that they do not end alone.
unit_waits   := $(filter $(addprefix $(B)/tests/unit/,source/test_codemap_perfmap source/test_codemap_names app/test_guard),$(unit_bin))
unit_ordered := $(unit_waits) $(filter-out $(unit_waits),$(unit_bin))
unit_run     := $(if $(LAYERS),$(filter $(LAYERS:%=$(B)/tests/unit/%/%),$(unit_ordered)),$(unit_ordered))
# Some of them wait: four more than there are processors.
check-unit: $(unit_run)
	$(Q)JOBS=$$(($$(nproc) + 4)) tests/tools/run-all.sh unit $(unit_run)

# ---- fuzz targets ------------------------------------------------------------------------------------------------------------------
# tests/fuzz/fuzz_<decoder>.c, linked with every layer but the program itself; corpus in tests/data/corpus/<decoder>. `make check` runs the corpus with gcc's sanitizers, `make fuzz` looks for more
# with libFuzzer; what it finds is kept under build/fuzz/finds/<decoder>.
fuzz_names := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
fuzz_lib   := $(base_src) $(subject_src) $(decode_src) $(model_src) $(source_src) $(record_src) $(translate_src) $(output_src) $(ui_src) src/app/common/options.c src/app/common/command_table.c src/app/common/events_choice.c src/app/common/option_values.c src/app/common/sort_option.c src/app/common/triggers.c \
	$(wildcard tests/golden/fixture*.c) tests/golden/rules.c
CORPUS     := build/corpus
FUZZ       := build/fuzz
# Each decoder's turn ends with the first of these. ONLY='nettrace perfmap': only these.
FUZZ_RUNS         ?= 1000000
FUZZ_SECONDS      ?= 60
# Of a long one: `make fuzz-long ONLY=elf_symbols MINUTES=3` twenty times is an hour, and adds up in doc/RESULTS.md.
MINUTES           ?= 60
fuzz_chosen := $(if $(ONLY),$(filter $(ONLY),$(fuzz_names)),$(fuzz_names))
FUZZ_CC    ?= clang
# What clang finds fault with and gcc, which the program is built with, does not; NULL + 0, the end of an empty array, is fine in the next C.
FUZZ_WARN  := -Wno-missing-field-initializers -Wno-string-concatenation -fno-sanitize=pointer-overflow
# What an input costs is counted around the target and in each of our basic blocks (tests/fuzz/steps.c).
COUNTED    := LLVMFuzzerTestOneInput __sanitizer_cov_trace_pc memchr memrchr memmem memcmp strlen strnlen \
	$(foreach f,memcpy memmove memset,$(f) __asan_$(f))
FUZZ_FLAGS := $(filter-out -O2 $(FORTIFIED),$(CFLAGS_NT)) -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize-coverage=trace-pc
FUZZ_LD    := $(LDFLAGS_NT) $(COUNTED:%=-Wl,--wrap=%)

$(CORPUS)/obj/%.o: %.c
	$(call say,CC,$< for the corpora)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS_NT) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<
$(CORPUS)/lib.a: $(patsubst %.c,$(CORPUS)/obj/%.o,$(fuzz_lib))
	$(Q)rm -f $@ && ar rcs $@ $^
$(CORPUS)/fuzz_%: $(CORPUS)/obj/tests/fuzz/fuzz_%.o $(CORPUS)/obj/tests/fuzz/steps.o $(CORPUS)/obj/tests/fuzz/corpus_main.o $(CORPUS)/lib.a
	$(Q)$(CC) $(FUZZ_FLAGS) $(FUZZ_LD) -o $@ $^ $(LIBS_NT)

$(FUZZ)/obj/%.o: %.c
	$(call say,CC,$< for libFuzzer)
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(CPPFLAGS_NT) $(FUZZ_FLAGS) $(FUZZ_WARN) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<
$(FUZZ)/lib.a: $(patsubst %.c,$(FUZZ)/obj/%.o,$(fuzz_lib))
	$(Q)rm -f $@ && ar rcs $@ $^
$(FUZZ)/fuzz_%: $(FUZZ)/obj/tests/fuzz/fuzz_%.o $(FUZZ)/obj/tests/fuzz/steps.o $(FUZZ)/lib.a
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) $(FUZZ_LD) -fsanitize=fuzzer -o $@ $^ $(LIBS_NT)

$(CORPUS)/obj/src/output/stacks/stacks_flamegraph.o $(FUZZ)/obj/src/output/stacks/stacks_flamegraph.o: $(B)/gen/flamegraph_js.h
$(CORPUS)/obj/src/target/process/bridge.o $(FUZZ)/obj/src/target/process/bridge.o: $(B)/gen/paths.h
$(CORPUS)/obj/tests/fuzz/steps.o $(FUZZ)/obj/tests/fuzz/steps.o: FUZZ_FLAGS := $(CFLAGS_NT)
.SECONDARY: $(CORPUS)/obj/tests/fuzz/corpus_main.o $(foreach n,$(fuzz_names),$(CORPUS)/obj/tests/fuzz/fuzz_$(n).o $(FUZZ)/obj/tests/fuzz/fuzz_$(n).o)
.PHONY: check-fuzz fuzz fuzz-long check-builds
# What `make check` builds besides: all of it once more with the corpora's sanitizers, and with its lines counted.
check-builds: $(fuzz_names:%=$(CORPUS)/fuzz_%)
	$(Q)$(build_path)
check-fuzz: $(fuzz_names:%=$(CORPUS)/fuzz_%)
	$(Q)tests/tools/run-all.sh fuzz $^
fuzz: $(fuzz_chosen:%=$(FUZZ)/fuzz_%)
	$(Q)tests/tools/fuzz.sh fuzz $(FUZZ) $(FUZZ_RUNS) $(FUZZ_SECONDS) $(fuzz_chosen)
fuzz-long: $(fuzz_chosen:%=$(FUZZ)/fuzz_%)
	$(Q)tests/tools/fuzz.sh fuzz-long $(FUZZ) -1 $$(($(MINUTES) * 60)) $(fuzz_chosen)

# ---- generated documents -----------------------------------------------------------------------------------------------------------
# Committed, so that they can be read without a build; `make lint` checks that they are what would be made.
$(B)/events_doc: $(B)/obj/tests/tools/events_doc.o $(call lib,decode) $(call lib,base)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) -o $@ $^
.PHONY: doc/EVENTS.md check-doc/EVENTS.md
doc/EVENTS.md: $(B)/events_doc
	$(Q)$(B)/events_doc >$@.new && mv $@.new $@
check-doc/EVENTS.md: $(B)/events_doc
	$(Q)$(B)/events_doc | diff -u doc/EVENTS.md - || { echo 'doc/EVENTS.md: run make doc/EVENTS.md'; exit 1; }
# Marks, keys, and keys of other tools, on a page.
$(B)/card_doc: $(B)/obj/tests/tools/card_doc.o $(call lib,ui) $(call lib,output) $(call lib,subject) $(call lib,base)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) -o $@ $^ $(libs_ui)
.PHONY: doc/CARD.md check-doc/CARD.md
doc/CARD.md: $(B)/card_doc
	$(Q)$(B)/card_doc >$@.new && mv $@.new $@
check-doc/CARD.md: $(B)/card_doc
	$(Q)$(B)/card_doc | diff -u doc/CARD.md - || { echo 'doc/CARD.md: run make doc/CARD.md'; exit 1; }
# The page has what people wrote (doc/nettop.1.in) and what the program's tables say.
$(B)/man_page: $(B)/obj/tests/tools/man_page.o $(call obj,src/app/common/options.c src/app/common/command_table.c src/app/common/option_values.c src/app/common/sort_option.c src/app/common/triggers.c src/app/common/events_choice.c) $(call lib,ui) $(call lib,output) $(call lib,subject) $(call lib,source) $(call lib,decode) $(call lib,base)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) -o $@ $^ $(libs_ui)
.PHONY: doc/nettop.1 check-doc/nettop.1
doc/nettop.1: $(B)/man_page
	$(Q)$(B)/man_page <$@.in >$@.new && mv $@.new $@
check-doc/nettop.1: $(B)/man_page
	$(Q)$(B)/man_page <doc/nettop.1.in | diff -u doc/nettop.1 - || { echo 'doc/nettop.1: run make doc/nettop.1'; exit 1; }
	$(Q)tests/tools/man_lint.sh doc/nettop.1
# The screen in README.md, of a real program (a minute; needs dotnet and tmux). It says how it is kept true.
.PHONY: doc/capture
doc/capture: all
	$(Q)$(PYTEST) tests/tools/capture.py
# How names may differ from dotnet-trace's: the tables that a live test compares by.
.PHONY: doc/NAMES.md check-doc/NAMES.md
doc/NAMES.md:
	$(Q)python3 tests/live/nt_live/method_names.py >$@.new && mv $@.new $@
check-doc/NAMES.md:
	$(Q)python3 tests/live/nt_live/method_names.py | diff -u doc/NAMES.md - || { echo 'doc/NAMES.md: run make doc/NAMES.md'; exit 1; }

# What was on the screen when something went wrong: what tests/long/test_incident_screens.py kept last.
.PHONY: doc/INCIDENTS.md check-doc/INCIDENTS.md
doc/INCIDENTS.md:
	$(Q)python3 tests/long/nt_long/incidents_page.py >$@.new && mv $@.new $@
check-doc/INCIDENTS.md:
	$(Q)python3 tests/long/nt_long/incidents_page.py | diff -u doc/INCIDENTS.md - || { echo 'doc/INCIDENTS.md: run make doc/INCIDENTS.md'; exit 1; }

# ---- the stand-in runtime ----------------------------------------------------------------------------------------------------------
# tests/tools/fakeclr: laid out like a .NET process, so that nettop finds the runtime where it looks for it.
fake_src     := tests/tools/fakeclr
fake_runtime := fakeclr-runtime/shared/Microsoft.NETCore.App/10.0.0
fake_lib     := $(B)/$(fake_runtime)
FAKE_CFLAGS  := -std=gnu11 -D_GNU_SOURCE -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Werror -I$(B)/gen -I$(fake_src)
fake_parts   := $(patsubst %,$(fake_src)/%.c,code compute emit gc jit pool runtime)

.PHONY: fakeclr
fakeclr: $(B)/fakeclr
$(B)/gen/fakeclr/provider.h: $(B)/obj/$(fake_src)/gen_provider.o $(call lib,decode) $(call lib,base)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) -o $(@D)/gen_provider $^
	$(Q)$(@D)/gen_provider >$@.new && mv $@.new $@
$(fake_lib)/libcoreclrtraceptprovider.so: $(fake_src)/provider.c $(B)/gen/fakeclr/provider.h
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(FAKE_CFLAGS) -fPIC -shared -o $@ $< $(call pkg_libs,lttng-ust)
$(fake_lib)/libcoreclr.so: $(fake_parts) $(wildcard $(fake_src)/*.h) $(B)/gen/fakeclr/provider.h
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(FAKE_CFLAGS) -fPIC -shared -o $@ $(fake_parts) -lpthread -ldl
$(B)/fakeclr: $(fake_src)/main.c $(fake_src)/fake.h $(fake_lib)/libcoreclr.so $(fake_lib)/libcoreclrtraceptprovider.so
	$(call say,LD,$@)
	$(Q)$(CC) $(FAKE_CFLAGS) -o $@ $< -L$(fake_lib) -lcoreclr -Wl,-rpath,'$$ORIGIN/$(fake_runtime)'

# Golden screens: the screen's state machine without a terminal.
golden_src := $(sort $(wildcard tests/golden/*.c))
golden_bin := $(B)/tests/golden/golden

$(golden_bin): $(call obj,$(golden_src)) $(foreach l,ui $(under_model) output,$(call lib,$(l)))
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(libs_ui) $(libs_model)

.PHONY: check-golden golden-update recordings
check-golden: $(golden_bin) $(B)/nettop
	$(Q)timeout 60 $(golden_bin) tests/golden
	$(Q)NETTOP=$(B)/nettop timeout 60 tests/golden/recordings/golden.py
golden-update: $(golden_bin) $(B)/nettop
	$(Q)timeout 60 $(golden_bin) --update tests/golden
	$(Q)NETTOP=$(B)/nettop timeout 60 tests/golden/recordings/golden.py --update
# Of a form that is no longer read: programs in which something goes wrong, recorded again (root, dotnet). What is said of them is other figures then.
recordings: all
	$(Q)NETTOP=$(abspath $(B)/nettop) unshare -pf --mount-proc --kill-child tests/golden/recordings/make.py
	$(Q)NETTOP=$(B)/nettop timeout 60 tests/golden/recordings/golden.py --update

# ---- all of it ---------------------------------------------------------------------------------------------------------------------
# The suites of `make check`, each with a closing line of its own; tests/tools/check.sh sums them up.
NETTOP_BIN := $(B)/nettop
PYTEST_S   ?= 500
# Files of tests at a time. One by one: the long ones, and where a sanitizer makes nettop slower than it is.
LANES      ?= $(if $(SAN)$(COV)$(NT_LONG),1,2)
TESTED     := NETTOP=$(abspath $(NETTOP_BIN)) DEPS_DIR='$(DEPS_DIR)'
run_python  = $(TESTED) tests/tools/lanes.py --lanes $(LANES) --seconds $(PYTEST_S) $(1)
# It builds on all processors, unless whoever calls it says on how many.
check_flags = --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: check check-live check-pty check-hostile lint format demo demo-build
check:
	$(Q)$(MAKE) $(if $(V),,-s) $(check_flags) all tools fakeclr unit-programs $(golden_bin)
	$(Q)tests/tools/check.sh $(B)/check \
		'lint=$(MAKE) $(check_flags) lint' \
		'unit=$(MAKE) $(check_flags) check-unit' \
		'install=$(MAKE) $(check_flags) check-install' \
		'golden=$(MAKE) $(check_flags) check-golden' \
		'beside=$(MAKE) $(check_flags) check-builds' \
		'pty=$(MAKE) $(check_flags) check-pty' \
		'hostile=$(MAKE) $(check_flags) check-hostile' \
		together \
		'path=$(MAKE) $(check_flags) check-path' \
		'fuzz=$(MAKE) $(check_flags) check-fuzz' \
		'live=$(MAKE) $(check_flags) check-live'

PTY ?= tests/pty/test_*.py
check-pty: all $(B)/fakeclr $(B)/tests/tools/made_recording
	$(Q)$(call run_python,$(PTY))

HOSTILE ?= tests/hostile/test_*.py
check-hostile: all tools $(B)/fakeclr
	$(Q)$(call run_python,$(HOSTILE))

# LIVE='tests/live/test_live.py': only these files.
LIVE ?= tests/live/test_*.py
check-live: all tools $(B)/fakeclr
	$(Q)$(call run_python,$(LIVE))

# ---- what is too long for `make check` ---------------------------------------------------------------------------------------------
# Each part alone: make check-long-faults. A part is a list of SUITE=COMMAND.
LONG      := faults threads memory hostile valgrind findings healthy incidents doctor bridge deployments truth live browser database
LONG_SEED := $(or $(SEED),1)
LONG_S    := 3600
# Under a sanitizer, on a loaded machine, a unit program may take minutes.
long_make  = SEED=$(LONG_SEED) TEST_TIMEOUT=600 $(MAKE) --no-print-directory PYTEST_S=$(LONG_S)
# Six times ten minutes; seven minutes for what grows, and again for who comes later.
longer_make = $(long_make) PYTEST_S=7200
# The sanitizers write here, because nobody reads the messages or the exit status of a nettop that was killed.
reports    = build/san-$(1)/reports
# In the screen tests and the fault rounds a SIGSEGV is sent by the test: it must kill nettop as it does without them.
killed    := handle_segv=0:handle_abort=0
race_make  = TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tools/tsan.supp:log_path=$(CURDIR)/$(call reports,thread)/tsan:$(1) FAULT_ROUNDS=16 \
	$(long_make) SAN=thread
asan_make  = ASAN_OPTIONS=log_path=$(CURDIR)/$(call reports,address-undefined)/asan:$(1) FAULT_ROUNDS=16 \
	UBSAN_OPTIONS=print_stacktrace=1:log_path=$(CURDIR)/$(call reports,address-undefined)/ubsan $(long_make) SAN=address$(comma)undefined

# The live tests that start and end all threads of nettop's, with each source, and measure no time and no cost, which the sanitizer multiplies.
RACED     := ground_truth live_faults live_names eventpipe perf_map_port decoder keeper run jit jit_eventpipe fakeclr stream_harm together

long_faults   := 'rounds=$(long_make) check-live LIVE=tests/long/test_fault_rounds.py' 'recorder=NT_ROUNDS=200 $(long_make) check-unit LAYERS=record'
long_threads  := 'unit=$(call race_make) check-unit LAYERS="base source app"' \
	'live=$(call race_make) check-live LIVE="$(patsubst %,tests/live/test_%.py,$(RACED))"' \
	'pty=$(call race_make,$(killed)) check-pty' \
	'rounds=$(call race_make,$(killed)) check-live LIVE=tests/long/test_fault_rounds.py' \
	'reports=tests/tools/no-reports.sh $(call reports,thread)'
long_memory   := 'unit=$(call asan_make) check-unit' 'golden=$(call asan_make) check-golden' 'pty=$(call asan_make,$(killed)) check-pty' 'live=$(call asan_make) check-live' \
	'rounds=$(call asan_make,$(killed)) check-live LIVE=tests/long/test_fault_rounds.py' \
	'reports=tests/tools/no-reports.sh $(call reports,address-undefined)'
# What a stranger does to root's nettop, which is built to see what it should not do then; and for longer than in make check that nothing is left open.
long_hostile  := 'hostile=RACE_S=60 $(call asan_make) check-hostile HOSTILE="$(filter-out %/test_memory.py,$(wildcard tests/hostile/test_*.py))"' \
	'descriptors=DESCRIPTORS_S=20 $(long_make) check-hostile HOSTILE=tests/hostile/test_descriptors.py' \
	'reports=tests/tools/no-reports.sh $(call reports,address-undefined)'
long_valgrind := 'batch=$(long_make) check-live LIVE=tests/long/test_valgrind.py'
long_incidents := 'screens=$(longer_make) check-live LIVE=tests/long/test_incident_screens.py'
long_doctor   := 'doctor=$(long_make) check-live LIVE=tests/long/test_doctor.py'
long_findings := 'findings=$(long_make) check-live LIVE=tests/long/test_findings.py'
long_healthy  := 'healthy=$(longer_make) check-live LIVE=tests/long/test_healthy.py'
long_deployments := 'ps=$(long_make) check-live LIVE=tests/long/test_deployments.py'
long_truth    := 'truth=$(long_make) check-live LIVE=tests/long/test_truth.py' 'covered=$(long_make) check-live LIVE=tests/long/test_truth_covered.py'
long_database := 'postgres=$(long_make) check-live LIVE=tests/long/test_database.py'
long_browser  := 'browser=$(long_make) check-live LIVE=tests/long/test_browser.py'
# What `make check` leaves out of its files.
long_live     := 'live=NT_LONG=1 $(long_make) check-live LIVE="$(shell grep -l '^@long_test' tests/live/test_*.py)"' \
	'hostile=NT_LONG=1 $(long_make) check-hostile HOSTILE="$(shell grep -l '^@long_test' tests/hostile/test_*.py)"' \
	'pty=NT_LONG=1 $(long_make) check-pty PTY="$(shell grep -l '^@long_test' tests/pty/test_*.py)"'
long_bridge   := 'runtimes=$(long_make) check-live LIVE=tests/long/test_bridge_runtimes.py' 'soak=$(long_make) check-live LIVE=tests/long/test_bridge_soak.py'

# The targets of `make soak`, side by side.
SOAKED := memory_and a_screen compiling_66 compiling_1000 events_20000
.PHONY: check-long soak $(SOAKED:%=soak-%) $(LONG:%=check-long-%)
check-long:
	$(Q)tests/tools/check.sh $(B)/check-long $(foreach part,$(LONG),'$(part)=$(MAKE) --no-print-directory check-long-$(part)')
$(LONG:%=check-long-%): check-long-%: all tools
	$(Q)rm -rf build/san-*/reports && mkdir -p $(call reports,thread) $(call reports,address-undefined)
	$(Q)tests/tools/long.sh $(B)/long $@ $(long_$*)
# Without faults, for SOAK_MINUTES=13.
soak: LONG_S := 100000
soak: all tools
	$(Q)tests/tools/long.sh $(B)/long $@ 'soak=$(long_make) -k -j5 $(SOAKED:%=soak-%)'
$(SOAKED:%=soak-%): soak-%:
	$(Q)$(TESTED) timeout $(PYTEST_S) python3 tests/long/test_soak.py --only $*

lint:
	$(Q)tests/tools/lint.sh doc/CARD.md doc/EVENTS.md doc/NAMES.md doc/INCIDENTS.md doc/nettop.1

format:
	$(Q)git ls-files '*.c' '*.h' | xargs clang-format -i

# The runtime's own events, as its base library on this machine has them.
.PHONY: clr-shapes
clr-shapes:
	$(Q)dotnet "$$(tests/tools/nuget-program.sh clr_shapes)" >src/decode/eventpipe/clr_shapes.def

# The main job on a real workload, after all the set-up.
demo: all $(if $(shell command -v dotnet),,$(B)/fakeclr)
	$(Q)DEPS_DIR='$(DEPS_DIR)' tests/tools/demo.sh $(NETTOP_BIN) $(B)

# ---- how it compares ---------------------------------------------------------------------------------------------------------------
# tests/bench/bench_x.c measures a part of nettop from inside; tests/bench/bench.py nettop and its peers from outside, on a real target.
bench_bin := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/bench/*.c)))
$(bench_bin): $(B)/%: $(B)/obj/%.o $(foreach l,model source subject decode base,$(call lib,$(l)))
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_NT) $(CFLAGS) $(LDFLAGS_NT) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS_NT)

# The records that it replays come to the perf source in place of the kernel's.
$(B)/tests/bench/bench_growth: LDFLAGS_NT += -Wl,--wrap=nt_perf_list_read -Wl,--wrap=nt_perf_list_control

QUICK ?=
run_bench = NETTOP=$(abspath $(NETTOP_BIN)) DEPS_DIR='$(DEPS_DIR)' timeout 3600 python3 tests/bench/bench.py --programs $(B)/tests/bench \
	--keep $(B)/$(2).md --group $(1) $(if $(QUICK),--quick) $(BENCH_ARGS)
.PHONY: bench bench-eventpipe bench-events bench-waits bench-calls bench-requests bench-heap bench-processes
bench: all $(bench_bin)
	$(Q)status=0; $(call run_bench,peers,bench) || status=1; $(call run_bench,servers,bench-servers) || status=1; exit $$status
bench-eventpipe: all $(B)/tests/tools/nettrace_dump
	$(Q)$(call run_bench,eventpipe,bench-eventpipe)
bench-events: all
	$(Q)$(call run_bench,events,bench-events)
bench-waits: all
	$(Q)$(call run_bench,waits,bench-waits)

bench-calls: all
	$(Q)$(call run_bench,calls,bench-calls)

bench-requests: all
	$(Q)$(call run_bench,requests,bench-requests)

bench-heap: all
	$(Q)$(call run_bench,heap,bench-heap)

bench-processes: all
	$(Q)$(call run_bench,processes,bench-processes)

# ---- installation ------------------------------------------------------------------------------------------------------------------
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
mandir ?= $(prefix)/share/man
# Where the three shells look for what completes a command.
bashdir ?= $(prefix)/share/bash-completion/completions
zshdir  ?= $(prefix)/share/zsh/site-functions
fishdir ?= $(prefix)/share/fish/vendor_completions.d
ust0dir = $(libdir)/nettop/ust0
# Of root's rights what nettop needs for the programs of its own user; README.md says it, too.
OWN_RIGHTS := cap_perfmon,cap_bpf,cap_sys_ptrace,cap_checkpoint_restore,cap_syslog

.PHONY: install uninstall check-install
install: all
	$(call say,INSTALL,$(DESTDIR)$(bindir)/nettop)
	$(Q)install -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man1'
	$(Q)install -m 755 $(NETTOP_BIN) '$(DESTDIR)$(bindir)/nettop'
	$(Q)install -m 644 doc/nettop.1 '$(DESTDIR)$(mandir)/man1/nettop.1'
	$(Q)install -d '$(DESTDIR)$(bashdir)' '$(DESTDIR)$(zshdir)' '$(DESTDIR)$(fishdir)'
	$(Q)$(NETTOP_BIN) completion bash >'$(DESTDIR)$(bashdir)/nettop'
	$(Q)$(NETTOP_BIN) completion zsh >'$(DESTDIR)$(zshdir)/_nettop'
	$(Q)$(NETTOP_BIN) completion fish >'$(DESTDIR)$(fishdir)/nettop.fish'
	$(Q)chmod 644 '$(DESTDIR)$(bashdir)/nettop' '$(DESTDIR)$(zshdir)/_nettop' '$(DESTDIR)$(fishdir)/nettop.fish'
	$(call say,INSTALL,$(DESTDIR)$(ust0dir))
	$(Q)install -d '$(DESTDIR)$(ust0dir)'
	$(Q)install -m 644 $(bridge) src/ust0/LICENSE '$(DESTDIR)$(ust0dir)'
	@echo '  In place of sudo, for the programs of whoever runs it (README.md, "Without sudo"):'
	@echo '  sudo setcap $(OWN_RIGHTS)=ep $(DESTDIR)$(bindir)/nettop'
uninstall:
	$(call say,REMOVE,$(DESTDIR)$(bindir)/nettop)
	$(Q)rm -f '$(DESTDIR)$(bindir)/nettop' '$(DESTDIR)$(mandir)/man1/nettop.1'
	$(Q)rm -f '$(DESTDIR)$(bashdir)/nettop' '$(DESTDIR)$(zshdir)/_nettop' '$(DESTDIR)$(fishdir)/nettop.fish'
	$(call say,REMOVE,$(DESTDIR)$(ust0dir))
	$(Q)rm -f $(patsubst %,'$(DESTDIR)$(ust0dir)/%',$(notdir $(bridge)) LICENSE)
	$(Q)rmdir '$(DESTDIR)$(ust0dir)' '$(DESTDIR)$(libdir)/nettop' 2>/dev/null || true
check-install: all
	$(Q)tests/tools/test_install.sh

.PHONY: help
help:
	@sed -n 's/^#: //p' Makefile
#: make                build build/default/nettop, and the bridge for its targets in build/default/ust0
#: make deps           install the Debian packages, build libperf (root for the packages)
#: make check          all set-up, all tests (at most 20 minutes on 2 cores)
#: make demo           all set-up, then nettop on a real workload
#: make check-unit     unit tests only; check-golden check-path check-fuzz check-pty check-hostile check-live likewise
#: make recordings     the recordings of tests/data/recordings anew (root, dotnet; two minutes), and what nettop says of them
#: make check-long     what is too long for that: two hours; one part: check-long-faults -threads -memory -hostile -valgrind -findings -healthy -incidents -doctor -bridge -deployments -truth -browser -database
#: make soak           memory and descriptors of nettop over SOAK_MINUTES=13
#: make fuzz           look for inputs that break a decoder: FUZZ_RUNS=1000000 or FUZZ_SECONDS=60 for each, ONLY='nettrace perfmap' (clang); fuzz-long: MINUTES=60 each, which add up
#: make fakeclr        the stand-in for a .NET process (tests/tools/fakeclr)
#: make bench          compare with perf, babeltrace2 and top on a real target; what watching costs real servers; writes doc/RESULTS.md (50 minutes; QUICK=1: a trial)
#: make bench-calls    each call of a server counted, against strace -c -f; likewise (6 minutes)
#: make bench-heap     the objects of a heap told, against dotnet-gcdump; likewise (5 minutes)
#: make bench-processes  fifty processes in one list: CPU and memory; likewise (5 minutes)
#: make bench-events   each event of a program that writes 20 000 a second, against dotnet-trace, and babeltrace2 over LTTng; likewise (25 minutes)
#: make bench-requests each request of a web application told, against dotnet-trace; likewise (5 minutes)
#: make bench-waits    each switch of a server's threads told, against perf sched and bpftrace; likewise (6 minutes)
#: make bench-eventpipe  decoding against TraceEvent, the target's price against dotnet-trace; likewise (10 minutes)
#: make install        DESTDIR= prefix=/usr/local bindir= libdir= mandir=; uninstall likewise
#: make doc/nettop.1   the manual page from doc/nettop.1.in and the program's tables; doc/EVENTS.md, doc/CARD.md likewise
#: make doc/capture    the screen in README.md, of a real program; path-update: the lists of files in doc/ARCHITECTURE.md
#: make clr-shapes     names and fields of the runtime's events, from the base library here
#: make lint, format   walls between folders, layout, scripts; apply the layout
#: make clean          remove what was built; distclean: also the dependencies
#: Variables: SAN=address,undefined  SAN=thread  COV=1  V=1  DEPS_DIR=build/deps  CFLAGS  LDFLAGS

-include $(shell find $(B)/obj $(B)/ust0/obj $(CORPUS)/obj $(FUZZ)/obj -name '*.d' 2>/dev/null)

.PHONY: clean distclean
clean:
	rm -rf $(filter-out $(DEPS_DIR),$(wildcard build/*))
distclean:
	rm -rf build
