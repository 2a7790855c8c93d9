# hinge - make, make demo, make install, make install-python, make uninstall, make test,
# make mpi, make test SANITIZE=1, make lint, make drop-in MOST=all, make fuzz, make portability,
# make bench, make bench-large, make bench-grid, make bench-smo, make bench-mpi, make bench-path,
# make costs, make paper, make clean
# CC, CFLAGS, CPPFLAGS, LDFLAGS, OPENMP, STATIC, PREFIX, DESTDIR are the user's; what the project itself needs is
# added to them.

# Sanitizers multiply what -O3 takes to compile, and the tests gain little from it.
CFLAGS ?= $(if $(SANITIZE)$(FUZZ),-O1,-O3)
HINGE_DATA ?= data
HINGE_PEERS ?= $(HINGE_DATA)/../peers

ifdef SANITIZE
variant := build/sanitize
bin := build/sanitize/
sanitizers := -g1 -fsanitize=address,undefined,float-divide-by-zero -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifdef FUZZ
variant := build/fuzz
bin := build/fuzz/
sanitizers := -g1 -fsanitize=address,undefined,float-divide-by-zero,fuzzer-no-link -fno-sanitize-recover=all
else
variant := build/plain
bin :=
endif

# -ffp-contract=off: a fused multiply-add rounds once where the source rounds twice, and whether
# there is one depends on compiler and machine; models shall not.
# -fno-trapping-math -fno-math-errno: nobody asks whether an operation overflowed or divided by zero,
# nor a root for errno, so loops with a choice or a root may be vector code; no result is another one.
# Neither shall results be rounded twice, as by the x87 unit of 32-bit x86: that one takes SSE2.
sse2 := $(if $(shell echo __i386__ | $(CC) $(CFLAGS) -E - 2>/dev/null | grep '^1'),-msse2 -mfpmath=sse)
warnings := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -pedantic
comma := ,
# Threads where the compiler has OpenMP; OPENMP= asks for none.
openmp_probe = '\#include <omp.h>\nint main(void) { return omp_get_num_procs() < 1; }\n'
OPENMP ?= $(shell probe=$$(mktemp) && printf $(openmp_probe) | \
	$(CC) $(CFLAGS) $(sanitizers) -fopenmp -x c -o $$probe - $(LDFLAGS) -lm 2>/dev/null && echo -fopenmp; rm -f $$probe)
OPENMP := $(OPENMP)
openmp := $(if $(OPENMP),-fopenmp)
link = $(CC) $(CFLAGS) $(sanitizers) $(openmp) $(LDFLAGS)

# The shared library, where compiler and linker can make one: of the objects that the programs are made
# of. No other library shall take the place of a function within it, so that all can be inlined. Until
# version 1.0 structures of hinge.h change with the second number, which its name therefore has.
version := $(shell sed -n 's/^\#define HINGE_VERSION "\(.*\)"$$/\1/p' include/hinge.h)
soname := libhinge.so.$(basename $(version))
share = $(link) -shared -Wl,-soname,$(soname) -Wl,--version-script=src/hinge.map
position_independent := -fPIC -fno-semantic-interposition
SHARED ?= $(shell probe=$$(mktemp) && echo 'int hinge_probe(void) { return 0; }' | \
	$(share) $(position_independent) -x c -o $$probe - -lm 2>/dev/null && echo yes; rm -f $$probe)
SHARED := $(SHARED)

required := -std=c99 -ffp-contract=off -fno-trapping-math -fno-math-errno $(sse2) $(warnings) -Iinclude -Isrc -MMD -MP \
	$(if $(filter yes,$(SHARED)),$(position_independent)) $(sanitizers) $(openmp)
compile = $(CC) $(required) $(CPPFLAGS) $(CFLAGS)

# Where there is a static C library the programs stand alone: they start in half the time, take a
# megabyte less of memory, and can be copied to any machine of the kind. STATIC= asks for shared ones.
# libgomp calls dlopen only for other devices than the processor, and the linker warns of that in static
# programs.
ifeq ($(sanitizers),)
static := -static$(if $(openmp), -Wl$(comma)--wrap=dlopen$(comma)--defsym=__wrap_dlopen=abort)
STATIC ?= $(shell probe=$$(mktemp) && printf $(if $(openmp),$(openmp_probe),'int main(void) { return 0; }\n') | \
	$(CC) $(CFLAGS) $(openmp) $(static) -x c -o $$probe - $(LDFLAGS) -lm 2>/dev/null && echo '$(static)'; \
	rm -f $$probe)
STATIC := $(STATIC)
endif

folders := base data problem solver solver/linear model learn
library_objects := $(patsubst src/%.c,$(variant)/%.o,$(wildcard $(folders:%=src/%/*.c)))
mains := $(patsubst %,src/cli/%.c,train predict scale convert inspect document)
cli_objects := $(patsubst src/%.c,$(variant)/%.o,$(filter-out $(mains),$(wildcard src/cli/*.c)))
library := $(variant)/libhinge.a
shared := $(variant)/libhinge.so
programs := $(bin)train $(bin)predict $(bin)scale $(bin)convert $(bin)inspect
document := $(variant)/document
test_support := $(patsubst tests/%.c,$(variant)/tests/%.o,$(wildcard tests/support/*.c))
faulty := $(patsubst %,$(variant)/faulty/%,train predict scale convert inspect)
unit_tests := $(patsubst tests/%.c,$(variant)/tests/%,\
	$(wildcard $(patsubst %,tests/%/test_*.c,$(folders) library)))

all: $(variant)/includes $(programs)

# No include points upwards, none leaves the standard library.
$(variant)/includes: $(wildcard include/*.h src/*/*.[ch] src/*/*/*.[ch]) tests/lint/includes.sh
	@mkdir -p $(@D)
	sh tests/lint/includes.sh
	@touch $@

$(programs): $(bin)%: $(variant)/cli/%.o $(cli_objects) $(library)
	$(link) $(STATIC) -o $@ $^ -lm

$(document): $(variant)/%: $(variant)/cli/%.o $(cli_objects) $(library)
	$(link) -o $@ $^ -lm

# ---- train-mpi: several processes, by MPI ----

# MPICC is the compiler of an MPI, Open MPI's or MPICH's, which is told to call CC. Nothing else needs it.
MPICC ?= mpicc
mpi := $(bin)train-mpi
mpi_compiler := OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
mpi_objects := $(patsubst src/%.c,$(variant)/%.o,$(wildcard src/mpi/*.c))
has_mpi := $(shell command -v $(MPICC) >/dev/null 2>&1 && echo yes)

mpi: $(mpi)

$(mpi): $(mpi_objects) $(cli_objects) $(library)
	$(mpi_compiler) $(CFLAGS) $(sanitizers) $(openmp) $(LDFLAGS) -o $@ $^ -lm

$(mpi_objects): $(variant)/%.o: src/%.c $(variant)/flags
	@mkdir -p $(@D)
	$(mpi_compiler) $(required) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(library): $(library_objects)
	rm -f $@
	$(AR) rcs $@ $^

$(variant)/%.o: src/%.c $(variant)/flags
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<

$(shared): $(library_objects) src/hinge.map
	$(share) -o $@ $(filter %.o,$^) -lm

# Changes, and so makes everything anew, when compiler or flags do.
$(variant)/flags: always
	@mkdir -p $(@D)
	@echo '$(compile) $(link) $(STATIC)' | cmp -s - $@ || echo '$(compile) $(link) $(STATIC)' > $@

# ---- Manual pages and completion, from the programs' tables of options ----

pages := $(addprefix $(variant)/man/,hinge-train.1 hinge-predict.1 hinge-scale.1 hinge-convert.1 \
	hinge-inspect.1) $(patsubst src/man/%,$(variant)/man/%,$(wildcard src/man/hinge*.[0-9]))
completions := $(foreach name,hinge-train hinge-predict hinge-scale hinge-convert hinge-inspect,\
	$(variant)/completion/$(name) $(variant)/completion/_$(name))

documents: $(pages) $(completions)

# What fails half-way must not stand there.
$(variant)/man/hinge-%.1: src/man/%.1.in $(document)
	@mkdir -p $(@D)
	$(document) man hinge-$* <$< >$@.new && mv $@.new $@

$(variant)/man/%: src/man/%
	@mkdir -p $(@D)
	cp $< $@

$(variant)/completion/_%: $(document)
	@mkdir -p $(@D)
	$(document) zsh $* >$@.new && mv $@.new $@

$(variant)/completion/%: $(document)
	@mkdir -p $(@D)
	$(document) bash $* >$@.new && mv $@.new $@

# ---- Installing ----

PREFIX ?= /usr/local
INSTALL ?= install
# make test INSTALL=no is no name of a program.
install_program := $(if $(filter no,$(INSTALL)),install,$(INSTALL))

# Where each file goes, SOURCE:TARGET; install and uninstall go by these lists.
installed_programs := $(foreach name,train predict scale convert inspect,$(bin)$(name):bin/hinge-$(name)) \
	src/scripts/grid.sh:bin/hinge-grid src/scripts/compare-liblinear.sh:bin/hinge-compare
# train-mpi where it was built.
installed_programs += $(if $(wildcard $(mpi)),$(mpi):bin/hinge-train-mpi)
installed_files := $(library):lib/libhinge.a include/hinge.h:include/hinge.h \
	$(variant)/hinge.pc:lib/pkgconfig/hinge.pc \
	$(foreach page,$(pages),$(page):share/man/man$(patsubst .%,%,$(suffix $(page)))/$(notdir $(page))) \
	$(foreach name,hinge-train hinge-predict hinge-scale hinge-convert hinge-inspect,\
	$(variant)/completion/$(name):share/bash-completion/completions/$(name) \
	$(variant)/completion/_$(name):share/zsh/site-functions/_$(name))
ifneq ($(filter install uninstall install-python,$(MAKECMDGOALS)),)
ifeq ($(SHARED),yes)
installed_files += $(shared):lib/libhinge.so.$(version)
installed_links := lib/$(soname) lib/libhinge.so
endif
endif
source_of = $(word 1,$(subst :, ,$(1)))
target_of = '$(DESTDIR)$(PREFIX)/$(word 2,$(subst :, ,$(1)))'

define put
@mkdir -p "$$(dirname $(call target_of,$(2)))"
$(install_program) -m $(1) $(call source_of,$(2)) $(call target_of,$(2))

endef

define remove
rm -f $(call target_of,$(1))

endef

define put_link
ln -sf libhinge.so.$(version) '$(DESTDIR)$(PREFIX)/$(1)'

endef

install: all documents $(wildcard $(mpi)) $(variant)/hinge.pc $(if $(installed_links),$(shared))
	$(foreach file,$(installed_programs),$(call put,755,$(file)))
	$(foreach file,$(installed_files),$(call put,644,$(file)))
	$(foreach link,$(installed_links),$(call put_link,$(link)))

# Where PYTHON finds modules below PREFIX/lib, without PREFIX. hinge.py looks for libhinge.so in that lib.
PYTHON ?= python3
PYTHON_FOLDER ?= $(shell $(PYTHON) -c 'import site, sys; \
	found = [p for p in [*site.getsitepackages(), site.getusersitepackages()] \
		if p.startswith("$(PREFIX)/lib/")]; \
	print((found or ["$(PREFIX)/lib/python%d.%d/site-packages" % sys.version_info[:2]])[0] \
		[len("$(PREFIX)/"):])' 2>/dev/null)
installed_python = $(if $(PYTHON_FOLDER),src/python/hinge.py:$(PYTHON_FOLDER)/hinge.py)

install-python:
	$(if $(PYTHON_FOLDER),,$(error $(PYTHON) does not say where modules belong: set PYTHON or PYTHON_FOLDER))
	$(call put,644,$(installed_python))

uninstall:
	$(foreach file,$(installed_programs) $(installed_files) $(installed_python),$(call remove,$(file)))
	$(foreach link,$(installed_links),$(call remove,$(shared):$(link)))
	rm -f '$(DESTDIR)$(PREFIX)/bin/hinge-train-mpi'
	rm -f '$(DESTDIR)$(PREFIX)/$(PYTHON_FOLDER)/__pycache__'/hinge.*.pyc

# PREFIX may change from call to call.
$(variant)/hinge.pc: include/hinge.h always
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' 'libdir=$${prefix}/lib' '' \
		'Name: hinge' 'Description: Linear support vector machines, trained to a certificate' \
		'Version: $(version)' \
		'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lhinge -lm$(if $(filter yes,$(SHARED)),, $(openmp))' \
		'Libs.private: $(openmp)' >$@

# ---- Trying it ----

demo: all
	@mkdir -p build/demo
	./$(bin)train data/breast-cancer build/demo/model
	./$(bin)predict data/breast-cancer build/demo/model build/demo/labels

# ---- Tests ----

# JOBS suites at a time, default one a processor; V=1 shows all that they print; INSTALL=no does without
# cmocka where it is missing. SUBJECTS: those of tests/cli to run, default all but WITHOUT.
# tested, tested_tools: where what the tests start is, other than built where that is for another machine
# and runs in an emulator.
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
parallel = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))
# Processor minutes, as measured: alone, with the large data sets, under sanitizers.
minutes = $(shell echo $$(((6 + $(if $(wildcard $(HINGE_DATA)/a9a),4,0) + $(if $(SANITIZE),8,0)) / $(JOBS) + 1)))
SUBJECTS ?= $(filter-out lib run $(WITHOUT),$(patsubst tests/cli/%.sh,%,$(wildcard tests/cli/*.sh)))
tested ?= $(bin).
tested_tools ?= $(variant)
run_suites = HINGE_BIN='$(abspath $(tested))' HINGE_DATA='$(HINGE_DATA)' \
	HINGE_SYNTH='$(abspath $(tested_tools)/synth)' HINGE_PROBE='$(abspath $(tested_tools)/probe)' \
	HINGE_FAULTY='$(abspath $(tested_tools)/faulty)' HINGE_SLOW='$(or $(HINGE_SLOW),$(SANITIZE))' \
	HINGE_OPENMP='$(openmp)' \
	HINGE_OBJECTIVE='$(abspath $(variant)/grid_gap)' MOST='$(MOST)' \
	HINGE_PEERS='$(HINGE_PEERS)' HINGE_PEERS_BUILT='$(abspath build/peers)' \
	JOBS='$(JOBS)' V='$(V)' sh tests/run.sh
# train-mpi's, where there is an MPI.
mpi_suites := $(if $(has_mpi),$(patsubst tests/mpi/%.sh,mpi/%,$(filter-out %/lib.sh %/run.sh,$(wildcard tests/mpi/*.sh))))
mpi_skipped := train-mpi is not built and its tests are skipped: there is no $(MPICC)
unit_suites := $(unit_tests) $(variant)/tests/library/example
# Those that install write into the same files of $(variant): one after the other, as one suite.
installing := install python
program_suites := $(addprefix cli/,$(filter-out $(installing),$(SUBJECTS)) \
	$(subst $() $(),$(comma),$(strip $(filter $(installing),$(SUBJECTS)))))
peer_suites := $(addprefix peers/,farm-ads w8a covtype-93k imdb 20news a9a letter rcv1-1k svmlight-ex1 digits \
	breast-cancer rings free one_class libsvm glmnet)
program_test_tools := $(variant)/synth $(variant)/probe $(faulty)

test:
	@echo 'About $(minutes) minutes with JOBS=$(JOBS), building included; V=1 shows all that is printed.'
	@$(MAKE) --no-print-directory $(if $(V),,-s) $(parallel) all $(unit_suites) $(program_test_tools) $(variant)/grid_gap \
		$(variant)/costs $(if $(filter yes,$(SHARED)),$(shared)) $(if $(has_mpi),mpi)
	@$(run_suites) $(unit_suites) $(program_suites) $(mpi_suites) $(peer_suites) peers/drop_in data/get
	$(if $(has_mpi),,@echo '$(mpi_skipped)')

unit-tests: $(unit_suites)
	@$(run_suites) $(unit_suites)

program-tests: all $(program_test_tools)
	@$(run_suites) $(program_suites)

mpi-tests: all $(if $(has_mpi),mpi)
	$(if $(has_mpi),@$(run_suites) $(mpi_suites),@echo '$(mpi_skipped)')

peer-tests: all $(variant)/grid_gap
	@$(run_suites) $(peer_suites)

# The command lines of LIBLINEAR's usage text, with at most MOST options, or all. Of the release that
# HINGE_PEERS/build.sh builds, or of the one in PATH.
MOST ?= 2
drop-in: all
	@HINGE_BIN='$(abspath $(bin).)' HINGE_PEERS='$(HINGE_PEERS)' HINGE_PEERS_BUILT='$(abspath build/peers)' \
		sh tests/peers/drop_in.sh $(MOST)

data-tests:
	@$(run_suites) data/get

# What takes time is the library's: of a test's own file the compiler has less to do.
test_level := $(if $(filter file,$(origin CFLAGS)),$(if $(SANITIZE),-O0,-O1))
# The folder $(cmocka) is empty but where there is no cmocka: then it has the small one.
cmocka := $(variant)/small
$(unit_tests): $(variant)/tests/%: tests/%.c $(test_support) $(wildcard tests/support/*.h) $(library) \
	$(variant)/flags
	@mkdir -p $(@D)
	$(compile) $(test_level) -Itests/support -I$(cmocka) -o $@ $< $(test_support) $(library) -pthread -L$(cmocka) \
		$(LDFLAGS) -lcmocka -lm

# One rank of several runs out of memory; one allocation fails.
$(patsubst %,$(variant)/tests/%,learn/test_team solver/test_driver data/test_pages): override LDFLAGS += -Wl,--wrap=array_new,--wrap=array_resize

$(variant)/tests/support/%.o: tests/support/%.c $(variant)/flags $(variant)/cmocka
	@mkdir -p $(@D)
	$(compile) -Itests/support -I$(cmocka) -c -o $@ $<

$(variant)/tests/library/example: tests/library/example.c $(library) $(variant)/flags
	@mkdir -p $(@D)
	$(compile) -o $@ $< $(library) $(LDFLAGS) -lm

$(variant)/grid_gap: tests/bench/grid_gap.c $(library) $(variant)/flags
	$(compile) -o $@ $< $(library) $(LDFLAGS) -lm

$(variant)/reading: tests/bench/reading.c $(library) $(variant)/flags
	$(compile) -o $@ $< $(library) $(LDFLAGS) -lm

$(variant)/costs: tests/bench/costs.c $(library) $(variant)/flags
	$(compile) -o $@ $< $(library) $(LDFLAGS) -lm

# Certificates against exact arithmetic: build/plain/oracle COUNT SEED.
oracle_objects := $(patsubst %,$(variant)/tests/support/%.o,certificate exact nasty)
$(variant)/oracle: tests/fuzz/oracle.c $(oracle_objects) $(library) $(variant)/flags
	$(compile) -Itests/support -o $@ $< $(oracle_objects) $(library) $(LDFLAGS) -lm

$(variant)/probe: tests/cli/probe.c $(variant)/flags
	$(compile) -o $@ $< $(LDFLAGS)

$(variant)/synth: tests/bench/synth.c $(variant)/flags
	$(compile) -o $@ $< $(LDFLAGS)

# The programs over a C library that refuses what it is told to, where the linker can do that;
# faulty_compile is for compilers whose own cannot.
faulty_compile ?= $(compile)
wraps := -Wl,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=fopen,--wrap=tmpfile,--wrap=rename \
	-Wl,--wrap=stdin,--wrap=stdout,--wrap=printf,--wrap=puts,--wrap=putchar

$(faulty): $(variant)/faulty/%: tests/cli/faults.c $(variant)/cli/%.o $(cli_objects) $(library)
	@mkdir -p $(@D)
	-$(faulty_compile) $(wraps) -o $@ $^ $(LDFLAGS) -lm

$(variant)/cmocka:
	@mkdir -p $(cmocka)
	@CC='$(CC)' INSTALL='$(INSTALL)' sh tests/cmocka.sh $(cmocka)
	@touch $@

# Each fuzzer of tests/fuzz for FUZZ_SECONDS, after what the tests and earlier finds have seen; then the
# oracle. Other inputs each time, but for those of FUZZ_SEED.
FUZZ_SECONDS ?= 60
seeding_tests := $(filter $(variant)/tests/data/% $(variant)/tests/model/%,$(unit_tests))
fuzz: all $(seeding_tests) $(variant)/oracle
	@$(MAKE) --no-print-directory CC=clang FUZZ=1 fuzzers
	HINGE_BIN='$(abspath $(bin).)' FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_SEED='$(FUZZ_SEED)' HINGE_ORACLE='$(variant)/oracle' \
		HINGE_SEEDING_TESTS='$(seeding_tests)' sh tests/fuzz/run.sh

fuzzers: $(patsubst tests/fuzz/%.c,$(variant)/%,$(wildcard tests/fuzz/fuzz_*.c))

slow := tests/support/slow_reader.c tests/support/slow_table.c
$(variant)/fuzz_%: tests/fuzz/fuzz_%.c $(slow) $(cli_objects) $(library)
	$(compile) -fsanitize=fuzzer -Itests/support -o $@ $< $(slow) $(cli_objects) $(library) \
		$(LDFLAGS) -lm

$(variant)/fuzz_scale: LDFLAGS += -Wl,--wrap=array_new,--wrap=array_resize,--wrap=memory_ask

# Other compilers, C libraries, word sizes and byte orders.
portability: all
	HINGE_DATA='$(HINGE_DATA)' sh tests/portability/run.sh

lint: $(pages)
	CC='$(CC)' HINGE_PAGES='$(pages)' sh tests/lint/run.sh

# Against LIBLINEAR, into tests/bench/RESULTS.md; on data of gigabytes, into LARGE.md beside it.
bench: all $(variant)/synth
	HINGE_DATA='$(HINGE_DATA)' HINGE_PEERS='$(HINGE_PEERS)' HINGE_PEERS_BUILT='$(abspath build/peers)' \
		sh tests/bench/run.sh

bench-large: all $(variant)/synth
	sh tests/bench/large.sh

# Against LIBSVM, the free bias and probabilities, into tests/bench/SMO.md.
bench-smo: all
	HINGE_DATA='$(HINGE_DATA)' sh tests/bench/smo.sh

# Certified at any C: a grid of problems, into tests/bench/GRID.md.
bench-grid: all $(variant)/synth
	HINGE_DATA='$(HINGE_DATA)' sh tests/bench/grid.sh

# Several processes, against MPI LIBLINEAR's kin, into tests/bench/MPI.md.
bench-mpi: all mpi $(variant)/synth
	HINGE_DATA='$(HINGE_DATA)' HINGE_PEERS='$(HINGE_PEERS)' sh tests/bench/ranks.sh

# Paths of L1-regularised models against glmnet: a table.
bench-path: all $(variant)/grid_gap
	@HINGE_DATA='$(HINGE_DATA)' HINGE_BIN='$(abspath $(bin).)' HINGE_OBJECTIVE='$(abspath $(variant)/grid_gap)' \
		sh tests/bench/path.sh

# The rates of src/solver/cost.c, measured again: a table.
costs: $(variant)/costs
	@$(variant)/costs

# The experiments of the papers, into tests/bench/PAPER.md.
paper: all
	HINGE_DATA='$(HINGE_DATA)' sh tests/bench/paper.sh

clean:
	rm -rf build train train-mpi predict scale convert inspect

.PHONY: all mpi documents install install-python uninstall demo test unit-tests program-tests mpi-tests peer-tests drop-in data-tests fuzz \
	fuzzers portability lint bench bench-large bench-grid bench-smo bench-mpi bench-path costs paper clean always
-include $(wildcard $(foreach depth,*/* */*/* */*/*/*,$(variant)/$(depth).d))
