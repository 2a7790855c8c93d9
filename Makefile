# hinge - builds and installs the programs and the library. `make help` lists the targets; those of tests/tests.mk
# test and measure. CC, CFLAGS, CPPFLAGS, LDFLAGS, OPENMP, STATIC, SHARED, PREFIX and DESTDIR are the user's; the flags
# that the project needs are added to them. V=1 shows the commands.

.DEFAULT_GOAL := all

# All processors, unless -j says how many. A make within a make shares the outer one's processors. `make clean all` must
# not build while it cleans.
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
JOBS := $(JOBS)
ifeq ($(MAKELEVEL)$(filter clean,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(JOBS)
endif

# $(call say,CC,src/base/file.c) begins a recipe line, and shows that text in place of the command.
say = $(if $(V),,@$(if $(brief),,echo '$(1) $(2)' && ))

# -O1 under sanitizers: they multiply the compile time of -O3, and the tests gain little from it. Files in which a
# training spends less than 1 % of its instructions are compiled for size. -O2 makes a third of its files smaller, and
# adds at most 2 % to the instructions of any solver. Inner loops are short functions, and their speed depends on where
# a line of the cache begins: without alignment, any change of the source moved them, and farm-ads took 12 to 20 %
# longer (-s 62, 0).
level = $(if $(filter $(small),$(1)),-Os,$(if $(filter $(medium),$(1)),-O2,-O3 -falign-functions=64))
CFLAGS ?= $(if $(SANITIZE)$(FUZZ),-O1,$(call level,$(@:$(variant)/%.o=%)))
small := $(filter-out base/dictionary base/memory base/sort base/sum learn/class_views learn/costs model/model \
	model/model_value solver/loop/driver solver/loop/forecast solver/loop/joint_as_binary solver/loop/training text/bag \
	text/words cli/convert_rows,$(patsubst src/%.c,%,$(wildcard $(patsubst %,src/%/*.c,\
	base cli learn model report solver/loop text)))) \
	$(addprefix data/,block_file dataset guess paged_reader pages parallel_reader row_words source storage_kinds \
	team_reader token view) $(addprefix problem/,bias paged_order shards) \
	$(addprefix solver/,linear/cost linear/dual_system linear/gathered_rows linear/line_search linear/primal_system \
	newton/newton_continuation newton/subsample passes/descent passes/multiplier passes/smo sparse/elastic_net \
	sparse/interior_features sparse/l1_subproblem sparse/proximal_newton_stage sparse/proximal_newton_start)
medium := cli/convert_rows data/block_convert data/table problem/certificate problem/objective \
	$(addprefix solver/,linear/qr linear/row_factor loop/driver loop/forecast loop/training newton/dual_newton \
	newton/newton newton/newton_bias passes/visits passes/kernel_cache passes/pairs sparse/interior_point \
	sparse/proximal_newton_point sparse/proximal_newton_repair)

ifdef SANITIZE
variant := build/sanitize
bin := build/sanitize/
# The checks null, object-size and pointer-overflow take a quarter of the time of builds and tests. AddressSanitizer
# reports most of what they find when the memory is accessed. The programs of make fuzz have them.
sanitizers := -g1 -fsanitize=address,undefined,float-divide-by-zero -fno-sanitize=null,object-size,pointer-overflow \
	-fno-sanitize-recover=all -fno-omit-frame-pointer
leaks := $(variant)/tests/cli/leaks.o
# Each of 140 programs has the sanitizers' library in it. lld links such a program in half of the processor time of ld.
lld := $(shell probe=$$(mktemp) && echo 'int main(void) { return 0; }' | \
	$(CC) -fuse-ld=lld -x c -o $$probe - 2>/dev/null && echo '-fuse-ld=lld'; rm -f $$probe)
override LDFLAGS += $(lld)
else ifdef FUZZ
variant := build/fuzz
bin := build/fuzz/
sanitizers := -g1 -fsanitize=address,undefined,float-divide-by-zero,fuzzer-no-link -fno-sanitize-recover=all
else
variant := build/plain
bin :=
endif

# -ffp-contract=off: a fused multiply-add rounds once where the source rounds twice. Whether the compiler makes one
# depends on compiler and machine, and models must not.
# -fno-trapping-math -fno-math-errno: the program reads neither errno nor floating-point exceptions, so loops with
# branches or square roots can be vectorised. Results do not change.
# -fno-asynchronous-unwind-tables: C has no exceptions, and the tables for them are 55 KB of train.
# -msse2: the x87 unit of 32-bit x86 would round twice.
sse2 := $(if $(shell echo __i386__ | $(CC) $(CFLAGS) -E - 2>/dev/null | grep '^1'),-msse2 -mfpmath=sse)
warnings := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -pedantic
# Programs have threads if the compiler has OpenMP. OPENMP= and sanitizers build them without: under sanitizers, leaks
# of libomp, and its actions where a file may not grow, would be taken for finds.
comma := ,
openmp_probe := '\#include <omp.h>\nint main(void) { return omp_get_num_procs() < 1; }\n'
OPENMP ?= $(if $(sanitizers),,$(shell probe=$$(mktemp) && printf $(openmp_probe) | \
	$(CC) $(CFLAGS) -fopenmp -x c -o $$probe - $(LDFLAGS) -lm 2>/dev/null && echo yes; rm -f $$probe))
OPENMP := $(OPENMP)
openmp := $(if $(OPENMP),-fopenmp)
# Functions that a program never calls are left out, if compiler and linker can do so.
sections_probe := $(if $(sanitizers),,-ffunction-sections -fdata-sections -Wl$(comma)--gc-sections)
SECTIONS ?= $(if $(sections_probe),$(shell probe=$$(mktemp) && echo 'int main(void) { return 0; }' | \
	$(CC) $(sections_probe) -x c -o $$probe - 2>/dev/null && echo yes; rm -f $$probe))
SECTIONS := $(SECTIONS)
link = $(CC) $(CFLAGS) $(sanitizers) $(openmp) $(if $(SECTIONS),-Wl$(comma)--gc-sections) $(LDFLAGS)

# The shared library is made of the programs' objects, where compiler and linker can make one. Calls inside the
# library cannot be interposed, so they can be inlined. Before version 1.0, structures of hinge.h change with the
# second number of the version, so the soname has two numbers.
version := $(shell sed -n 's/^\#define HINGE_VERSION "\(.*\)"$$/\1/p' include/hinge.h)
soname := libhinge.so.$(basename $(version))
share = $(link) -shared -Wl,-soname,$(soname) -Wl,--version-script=src/hinge.map
position_independent := -fPIC -fno-semantic-interposition
SHARED ?= $(shell probe=$$(mktemp) && echo 'int hinge_probe(void) { return 0; }' | \
	$(share) $(position_independent) -x c -o $$probe - -lm 2>/dev/null && echo yes; rm -f $$probe)
SHARED := $(SHARED)

required := -std=c99 -ffp-contract=off -fno-trapping-math -fno-math-errno -fno-asynchronous-unwind-tables $(sse2) \
	$(warnings) -Iinclude -Isrc -MMD -MP \
	$(if $(filter yes,$(SHARED)),$(position_independent)) $(if $(SECTIONS),-ffunction-sections -fdata-sections) \
	$(sanitizers) $(openmp)
compile = $(CC) $(required) $(CPPFLAGS) $(CFLAGS)

# Programs are linked to the static C library where there is one: they start in half the time, take a megabyte less
# of memory, and can be copied to any machine of the kind. STATIC= links them to the shared one.
# Functions that never run would bring 390 KB of others with them, so abort takes their place. In glibc they are for
# wide output, character sets, languages of messages, names of hosts, cancelled threads, profiles and %a; they run only
# after setlocale, for a cancelled thread, or for a caller that the programs do not have. In libgomp they are for
# devices other than the processor. A function without effect takes the place of four that run: two begin OpenACC, one
# ends threads, for which a program need not wait, and one prepares to look for shared libraries.
ifeq ($(sanitizers),)
replace = -Wl$(comma)--wrap=$(1)$(comma)--defsym=__wrap_$(1)=$(2)
never_run := __vfwprintf_internal __wcsrtombs __wcrtomb __mbsrtowcs __wcsmbs_named_conv _IO_fwide \
	$(addprefix __libio_codecvt_,encoding in length out) \
	$(addprefix __gconv,_btwoc_ascii _transform_ascii_internal _transform_internal_ascii _create_spec _destroy_spec \
	_open _release_step) __gconv __libc_dlopen_mode __libc_dlsym __libc_dlclose \
	_nl_find_domain _nl_load_domain _nl_unload_domain _nl_unload_locale \
	$(addprefix __resolv_conf_,allocate attach get_current put) __res_iclose \
	__pthread_unwind _Unwind_Resume _Unwind_Find_FDE __gcc_personality_v0 _dl_mcount __printf_fphex \
	$(if $(openmp),dlopen gomp_target_task_fn)
no_effect := _dl_init_paths \
	$(if $(openmp),goacc_runtime_initialize goacc_profiling_initialize omp_pause_resource_all)
static := -static $(foreach name,$(never_run),$(call replace,$(name),abort)) \
	$(foreach name,$(no_effect),$(call replace,$(name),abs))
STATIC ?= $(shell probe=$$(mktemp) && printf $(if $(openmp),$(openmp_probe),'int main(void) { return 0; }\n') | \
	$(CC) $(CFLAGS) $(openmp) $(static) -x c -o $$probe - $(LDFLAGS) -lm 2>/dev/null && echo '$(static)'; \
	rm -f $$probe)
STATIC := $(STATIC)
endif

# ---- Programs and library ----

folders := base text report data problem $(addprefix solver/,linear loop passes newton sparse stochastic) model learn
names := train predict scale convert inspect
library_objects := $(patsubst src/%.c,$(variant)/%.o,$(wildcard $(folders:%=src/%/*.c)))
mains := $(patsubst %,src/cli/%.c,$(names) document)
cli_objects := $(patsubst src/%.c,$(variant)/%.o,$(filter-out $(mains),$(wildcard src/cli/*.c)))
library := $(variant)/libhinge.a
cli_library := $(variant)/libcli.a
shared := $(variant)/libhinge.so
programs := $(names:%=$(bin)%)
document := $(variant)/document

all: $(variant)/includes $(programs) ## build the programs train, predict, scale, convert, inspect (the default)

demo: brief := yes
demo: announcement all ## build the programs, train on data/breast-cancer and predict
	@mkdir -p build/demo
	@for command in './$(bin)train data/breast-cancer build/demo/model' \
		'./$(bin)predict data/breast-cancer build/demo/model build/demo/labels'; do \
		echo "$$ $$command" && $$command || exit; done

announcement:
	@echo 'Building; V=1 shows the commands.'

# An include may not point upwards, nor leave the standard library.
$(variant)/includes: $(wildcard include/*.h src/*/*.[ch] src/*/*/*.[ch] tests/lint/*.sh) $(variant)/flags
	@sh tests/lint/includes.sh && sh tests/lint/rooms.sh
	@touch $@

# Only train has threads. The other programs are linked to a copy of parallel.c that is built without OpenMP.
serial := $(if $(openmp),$(variant)/base/serial.o)
$(filter-out $(bin)train,$(programs)): $(serial)
$(serial): src/base/parallel.c $(variant)/flags
	$(call say,CC,$< without threads)$(filter-out -fopenmp,$(compile)) -c -o $@ $<

$(programs): $(bin)%: $(variant)/cli/%.o $(leaks) $(cli_library) $(library)
	$(call say,LD,$@)$(link) $(STATIC) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lm

$(document): $(variant)/%: $(variant)/cli/%.o $(cli_library) $(library)
	$(call say,LD,$@)$(link) -o $@ $(filter %.o %.a,$^) -lm

# The programs' common code is an archive as well, so that a program holds only what it uses.
$(library): $(library_objects)
$(cli_library): $(cli_objects)
$(library) $(cli_library):
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $^

$(shared): $(library_objects) src/hinge.map
	$(call say,LD,$@)$(share) -o $@ $(filter %.o,$^) -lm

$(variant)/%.o: src/%.c $(variant)/flags
	$(call say,CC,$<)$(compile) -c -o $@ $<

# This file changes with the compiler and the flags, so that everything is built again. Its recipe makes the folders.
$(variant)/flags: always
	@mkdir -p $(patsubst src%,$(variant)%,$(sort $(dir $(wildcard src/*/*.c src/*/*/*.c)))) \
		$(sort $(dir $(unit_suites) $(call_test) $(test_support)))
	@echo '$(compile) $(link) $(STATIC)' | cmp -s - $@ || echo '$(compile) $(link) $(STATIC)' > $@

# ---- train-mpi: several processes, by MPI ----

# The compiler of an MPI, Open MPI's or MPICH's, calls CC.
MPICC ?= mpicc
mpi := $(bin)train-mpi
mpi_compiler := OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
mpi_objects := $(patsubst src/%.c,$(variant)/%.o,$(wildcard src/mpi/*.c))
has_mpi := $(shell command -v $(MPICC) >/dev/null 2>&1 && echo yes)

mpi: $(mpi) ## build train-mpi, which needs an MPI

$(mpi): $(mpi_objects) $(cli_library) $(library)
	$(call say,LD,$@)$(mpi_compiler) $(CFLAGS) $(sanitizers) $(openmp) $(LDFLAGS) -o $@ $^ -lm

$(mpi_objects): $(variant)/%.o: src/%.c $(variant)/flags
	$(call say,MPICC,$<)$(mpi_compiler) $(required) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# ---- Manual pages and completion, from the tables of options ----

pages := $(names:%=$(variant)/man/hinge-%.1) $(patsubst src/man/%,$(variant)/man/%,$(wildcard src/man/hinge*.[0-9]))
# Scripts that are installed, each as one file. Their completion is made from their --help.
script_of_hinge-grid := src/scripts/grid.sh
script_of_hinge-compare := src/scripts/compare-liblinear.sh
script_of_hinge-table := src/scripts/table.sh
scripts := hinge-grid hinge-compare hinge-table
whole_scripts := $(scripts:%=$(variant)/scripts/%)
completed := $(names:%=hinge-%) $(scripts)
completions := $(foreach name,$(completed),$(foreach file,$(name) _$(name) $(name).fish,$(variant)/completion/$(file)))

documents: $(pages) $(completions) ## build the manual pages and completions

# mandoc links to these pages because they are in its folder; links to others, such as man:free(3), are the browser's.
html: $(pages) ## build the manual as HTML, build/plain/html/index.html, which needs mandoc
	@rm -rf $(variant)/html && mkdir -p $(variant)/html
	@cd $(variant)/man && for page in $(notdir $(pages)); do \
		mandoc -T html -O 'man=%N.%S.html;man:%N(%S),toc' "$$page" >"../html/$$page.html" || exit; \
	done
	@cp $(variant)/html/hinge.1.html $(variant)/html/index.html
	@echo $(variant)/html/index.html

# A recipe that fails half-way must not leave its target behind.
$(variant)/man/hinge-%.1: src/man/%.1.in $(document)
	@mkdir -p $(@D)
	$(call say,MAN,$@)$(document) man hinge-$* <$< >$@.new && mv $@.new $@

$(whole_scripts): $(variant)/scripts/%: $(wildcard src/scripts/*.sh)
	@mkdir -p $(@D)
	$(call say,SCRIPT,$@)sed -e '/^\. .*\/common.sh"$$/{r src/scripts/common.sh' -e 'd' -e '}' \
		$(script_of_$*) >$@.new && mv $@.new $@

$(variant)/man/%: src/man/%
	@mkdir -p $(@D)
	$(call say,MAN,$@)cp $< $@

define complete
@mkdir -p $(@D)
$(call say,COMPLETION,$@)$(if $(script_of_$*),sh $(script_of_$*) --help | )$(document) $(1) $* >$@.new && mv $@.new $@
endef

$(foreach name,$(scripts),$(filter %$(name) %$(name).fish,$(completions))): \
	$(foreach name,$(scripts),$(script_of_$(name)))

$(variant)/completion/_%: $(document)
	$(call complete,zsh)

$(variant)/completion/%.fish: $(document)
	$(call complete,fish)

$(variant)/completion/%: $(document)
	$(call complete,bash)

# ---- Installing ----

PREFIX ?= /usr/local
# The folder of libraries below PREFIX.
LIBDIR ?= lib
INSTALL ?= install
# INSTALL=no tells make test not to install cmocka. It does not name a program.
install_program := $(if $(filter no,$(INSTALL)),install,$(INSTALL))

# Lists of SOURCE:TARGET, for install and uninstall. train-mpi is installed where it was built.
installed_programs := $(foreach name,$(names),$(bin)$(name):bin/hinge-$(name)) \
	$(if $(wildcard $(mpi)),$(mpi):bin/hinge-train-mpi) \
	$(foreach name,$(scripts),$(variant)/scripts/$(name):bin/$(name))
installed_files := $(library):$(LIBDIR)/libhinge.a $(foreach header,$(wildcard include/*.h),$(header):$(header)) \
	$(variant)/hinge.pc:$(LIBDIR)/pkgconfig/hinge.pc \
	src/packaging/hinge-config.cmake:$(LIBDIR)/cmake/hinge/hinge-config.cmake \
	$(variant)/hinge-config-version.cmake:$(LIBDIR)/cmake/hinge/hinge-config-version.cmake \
	$(foreach page,$(pages),$(page):share/man/man$(patsubst .%,%,$(suffix $(page)))/$(notdir $(page))) \
	$(foreach name,$(completed),$(variant)/completion/$(name):share/bash-completion/completions/$(name) \
	$(variant)/completion/_$(name):share/zsh/site-functions/_$(name) \
	$(variant)/completion/$(name).fish:share/fish/vendor_completions.d/$(name).fish)
ifneq ($(filter install uninstall install-python,$(MAKECMDGOALS)),)
ifeq ($(SHARED),yes)
installed_files += $(shared):$(LIBDIR)/libhinge.so.$(version)
installed_links := $(LIBDIR)/$(soname) $(LIBDIR)/libhinge.so
endif
endif
source_of = $(word 1,$(subst :, ,$(1)))
target_of = $(DESTDIR)$(PREFIX)/$(word 2,$(subst :, ,$(1)))

# Makes the folders of files, and lists the new ones, so that uninstall removes no others.
folders_of = $(sort $(foreach file,$(1),$(patsubst %/,%,$(dir $(word 2,$(subst :, ,$(file)))))) share/hinge)
made_folders = $(DESTDIR)$(PREFIX)/share/hinge/folders
define make_folders
@destdir='$(DESTDIR)'; \
make_it() { \
	test -d "$$1" || { make_it "$$(dirname "$$1")" && mkdir "$$1" && printf '%s\n' "$${1#"$$destdir"}"; } || \
		test -d "$$1"; \
}; \
made=$$(for folder in $(folders_of); do make_it '$(DESTDIR)$(PREFIX)/'"$$folder" || exit; done) && \
	if test -n "$$made"; then printf '%s\n' "$$made" >>'$(made_folders)'; fi

endef

define put
$(call say,INSTALL,$(target_of))$(install_program) -m $(2) $(source_of) '$(target_of)'

endef

define remove
$(call say,RM,$(target_of))rm -f '$(target_of)'

endef

define put_link
$(call say,LN,$(DESTDIR)$(PREFIX)/$(1))ln -sf libhinge.so.$(version) '$(DESTDIR)$(PREFIX)/$(1)'

endef

install: all documents $(whole_scripts) $(wildcard $(mpi)) $(if $(installed_links),$(shared)) $(variant)/hinge.pc
install: $(variant)/hinge-config-version.cmake ## install everything below PREFIX
	$(call make_folders,$(installed_programs) $(installed_files))
	$(foreach file,$(installed_programs),$(call put,$(file),755))
	$(foreach file,$(installed_files),$(call put,$(file),644))
	$(foreach link,$(installed_links),$(call put_link,$(link)))

# The folder below PREFIX where PYTHON finds modules. The module looks for libhinge.so in PREFIX/lib.
PYTHON ?= python3
PYTHON_FOLDER ?= $(shell $(PYTHON) -c 'import site, sys; \
	found = [p for p in [*site.getsitepackages(), site.getusersitepackages()] \
		if p.startswith("$(PREFIX)/lib/")]; \
	print((found or ["$(PREFIX)/lib/python%d.%d/site-packages" % sys.version_info[:2]])[0] \
		[len("$(PREFIX)/"):])' 2>/dev/null)
installed_python = $(if $(PYTHON_FOLDER),$(foreach file,$(wildcard src/python/hinge/*.py),\
	$(file):$(PYTHON_FOLDER)/hinge/$(notdir $(file))))

install-python: ## install the Python module below PREFIX
	$(if $(PYTHON_FOLDER),,$(error $(PYTHON) does not say where modules belong: set PYTHON or PYTHON_FOLDER))
	$(call make_folders,$(installed_python))
	$(foreach file,$(installed_python),$(call put,$(file),644))

uninstall: ## remove what install and install-python have put below PREFIX
	$(foreach file,$(installed_programs) $(installed_files) $(installed_python),$(call remove,$(file)))
	$(foreach link,$(installed_links),$(call remove,$(shared):$(link)))
	@rm -f '$(DESTDIR)$(PREFIX)/bin/hinge-train-mpi'
	@rm -f '$(DESTDIR)$(PREFIX)/$(PYTHON_FOLDER)/hinge/__pycache__'/*.pyc
	@-rmdir '$(DESTDIR)$(PREFIX)/$(PYTHON_FOLDER)/hinge/__pycache__' 2>/dev/null || :
	@if test -f '$(made_folders)'; then \
		made=$$(LC_ALL=C sort -r '$(made_folders)') && rm -f '$(made_folders)' && \
		printf '%s\n' "$$made" | while IFS= read -r folder; do rmdir '$(DESTDIR)'"$$folder" 2>/dev/null || :; done; \
	fi

# PREFIX may change from call to call.
$(variant)/hinge.pc: include/hinge.h $(variant)/flags always
	@printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' 'libdir=$${prefix}/$(LIBDIR)' '' \
		'Name: hinge' 'Description: Linear support vector machines, trained to a certificate' \
		'Version: $(version)' \
		'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lhinge -lm$(if $(filter yes,$(SHARED)),, $(openmp))' \
		'Libs.private: $(openmp)' >$@

# Before version 1.0, only versions with the same first two numbers fit.
$(variant)/hinge-config-version.cmake: include/hinge.h Makefile
	@mkdir -p $(@D)
	@printf '%s\n' 'set(PACKAGE_VERSION $(version))' \
		'if(NOT PACKAGE_FIND_VERSION VERSION_GREATER $(version) AND' \
		'   NOT PACKAGE_FIND_VERSION VERSION_LESS $(basename $(version)))' \
		'    set(PACKAGE_VERSION_COMPATIBLE TRUE)' \
		'endif()' 'if(PACKAGE_FIND_VERSION VERSION_EQUAL $(version))' '    set(PACKAGE_VERSION_EXACT TRUE)' 'endif()' >$@

# ---- Releases ----

release := hinge-$(version)

# The archive has the files and the time of the last commit, so it has the same bytes each time.
dist: ## make build/hinge-VERSION.tar.gz of the last commit
	@mkdir -p build
	@git archive --prefix=$(release)/ HEAD | gzip -n9 >build/$(release).tar.gz
	@echo build/$(release).tar.gz

# DISTCHECK is the target that tests the archive, such as test-all.
DISTCHECK ?= test
distcheck: dist ## build, test, install and uninstall what the archive of dist has, in an empty folder
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	gzip -dc build/$(release).tar.gz | (cd "$$folder" && tar xf -); \
	run() { env -u MAKEFLAGS -u MAKELEVEL $(MAKE) --no-print-directory -C "$$folder/$(release)" "$$@"; }; \
	run all; run $(DISTCHECK); run install install-python PREFIX="$$folder/usr"; \
	"$$folder/usr/bin/hinge-train" -q data/breast-cancer "$$folder/model"; \
	run uninstall PREFIX="$$folder/usr"; \
	left=$$(find "$$folder/usr" 2>/dev/null || :); \
	test -z "$$left" || { printf 'make: uninstall leaves %s\n' "$$left" >&2; exit 1; }; \
	echo '$(release).tar.gz is good'

# dpkg-buildpackage needs debhelper and dh-python.
deb: dist ## make build/deb/*.deb, the packages for Debian
	rm -rf build/deb && mkdir -p build/deb
	cp build/$(release).tar.gz build/deb/hinge_$(version).orig.tar.gz
	gzip -dc build/$(release).tar.gz | (cd build/deb && tar xf -)
	cp -R build/deb/$(release)/src/packaging/debian build/deb/$(release)
	cd build/deb/$(release) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc
	rm -r build/deb/$(release)

# ---- The rest ----

include tests/tests.mk

clean: ## remove everything that make has built
	rm -rf build $(names) train-mpi src/python/build src/python/hinge.egg-info

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1#\2/p' Makefile tests/tests.mk | \
		while IFS='#' read -r target text; do printf '%-20s %s\n' "make $$target" "$$text"; done

.PHONY: all announcement mpi documents install install-python uninstall html dist distcheck deb demo clean help always
# The targets of releases build elsewhere. They may run beside a build, which writes these files.
ifneq ($(filter-out dist distcheck deb,$(or $(MAKECMDGOALS),all)),)
-include $(wildcard $(foreach depth,*/* */*/* */*/*/*,$(variant)/$(depth).d))
endif
