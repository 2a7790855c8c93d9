# tests.mk - the part of the Makefile that tests, measures and checks. README.md beside it says what each target does.
#
# HINGE_DATA: the folder of the real data sets, of which each may be missing. HINGE_PEERS: the folder of build.sh,
# which builds the peers that no package has. JOBS: the number of suites that run at a time. INSTALL=no: a missing
# cmocka is not installed. SUITE_SECONDS: the time after which a suite is killed. SUBJECTS: the scripts of tests/cli to
# run; WITHOUT: those of them to leave out.

HINGE_DATA ?= data
HINGE_PEERS ?= $(HINGE_DATA)/../peers

# ---- What the suites are made of ----

test_support := $(patsubst tests/%.c,$(variant)/tests/%.o,$(wildcard tests/support/*.c))
# The tests that take longest under sanitizers come first: at the end, each would keep one processor while others idle.
longest_tests := $(patsubst %,$(variant)/tests/%,learn/test_team solver/newton/test_newton \
	solver/newton/test_newton_classes solver/sparse/test_proximal_newton solver/stochastic/test_stochastic \
	solver/loop/test_policy library/test_raw_tables)
unit_tests := $(patsubst tests/%.c,$(variant)/tests/%,\
	$(wildcard $(patsubst %,tests/%/test_*.c,$(folders) library)))
unit_tests := $(filter $(longest_tests),$(unit_tests)) $(filter-out $(longest_tests),$(unit_tests))
faulty := $(names:%=$(variant)/faulty/%)
test_tools := $(variant)/synth $(variant)/probe $(faulty)

# Most of a test's time is spent in the library, so the test's own file is compiled with little optimisation.
test_level := $(if $(filter file,$(origin CFLAGS)),$(if $(SANITIZE),-O0,-O1))
# The folder $(cmocka) is empty if cmocka is installed. Otherwise it has the small cmocka of tests/portability.
cmocka := $(variant)/small
compile_test = $(compile) $(test_level) -Itests/support -I$(cmocka)

$(filter-out %/cli/test_calls,$(unit_tests)): $(variant)/tests/%: tests/%.c $(test_support) \
	$(wildcard tests/support/*.h) $(library)
	$(call say,CC,$<)$(compile_test) -o $@ $< $(test_support) $(library) -pthread -L$(cmocka) $(LDFLAGS) -lcmocka -lm

# These tests spend their time in slow references, most of which are in support, or include a file of src/. Under
# sanitizers, test_smo takes 21 s without optimisation and 5 s with it; with support optimised, test_certificate takes
# 3.5 s instead of 7.8 s.
slow_tests := passes/test_descent passes/test_smo sparse/test_proximal_newton stochastic/test_proximal \
	stochastic/test_stochastic
$(test_support) $(slow_tests:%=$(variant)/tests/solver/%): test_level := $(if $(test_level),-O1)

# These tests let one rank of several run out of memory, or one allocation fail.
$(patsubst %,$(variant)/tests/%,learn/test_team solver/loop/test_driver data/test_pages): \
	override LDFLAGS += -Wl,--wrap=array_new,--wrap=array_resize
# This test counts searches.
$(variant)/tests/learn/test_costs: override LDFLAGS += -Wl,--wrap=labels_find,--wrap=labels_number

$(variant)/tests/support/%.o: tests/support/%.c $(variant)/cmocka $(variant)/flags
	$(call say,CC,$<)$(compile_test) -c -o $@ $<

$(variant)/cmocka: $(variant)/flags
	@mkdir -p $(cmocka)
	@CC='$(CC)' INSTALL='$(INSTALL)' sh tests/cmocka.sh $(cmocka)
	@touch $@

# Programs of one file, with the library or without it.
$(variant)/tests/library/example: tests/library/example.c $(library) $(variant)/flags
	$(call say,CC,$<)$(compile) -o $@ $< $(library) $(LDFLAGS) -lm

bench_tools := $(patsubst %,$(variant)/%,grid_gap reading costs bounds floor paper_reference)
$(bench_tools): $(variant)/%: tests/bench/%.c $(library) $(variant)/flags
	$(call say,CC,$<)$(compile) -o $@ $< $(library) $(LDFLAGS) -lm

$(variant)/synth: tests/bench/synth.c $(variant)/flags
	$(call say,CC,$<)$(compile) -o $@ $< $(LDFLAGS)

$(variant)/probe: tests/cli/probe.c $(variant)/flags
	$(call say,CC,$<)$(compile) -o $@ $< $(LDFLAGS)

$(variant)/tests/cli/leaks.o: tests/cli/leaks.c $(variant)/flags
	$(call say,CC,$<)$(compile) -c -o $@ $<

# Compares certificates with exact arithmetic: build/plain/oracle COUNT SEED.
oracle_objects := $(patsubst %,$(variant)/tests/support/%.o,certificate exact nasty)
$(variant)/oracle: tests/fuzz/oracle.c $(oracle_objects) $(library) $(variant)/flags
	$(call say,CC,$<)$(compile) -Itests/support -o $@ $< $(oracle_objects) $(library) $(LDFLAGS) -lm

# The programs over a C library that refuses calls. Not every linker can make them. faulty_compile is set for compilers
# whose own linker cannot.
faulty_compile ?= $(compile)
wraps := -Wl,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=fopen,--wrap=tmpfile,--wrap=rename \
	-Wl,--wrap=stdin,--wrap=stdout,--wrap=printf,--wrap=puts,--wrap=putchar

$(faulty): $(variant)/faulty/%: tests/cli/faults.c tests/cli/faults_process.c $(variant)/cli/%.o \
	$(cli_library) $(library)
	@mkdir -p $(@D)
	-$(call say,LD,$@)$(faulty_compile) $(wraps) -o $@ $(filter %.c %.o,$^) $(filter %.a,$^) $(LDFLAGS) -lm

# A test that calls the programs as functions, over files in memory. It runs with all unit tests.
call_test := $(variant)/tests/cli/test_calls
$(call_test): $(patsubst %,tests/cli/%.c,test_calls in_process faults) $(variant)/tests/support/support.o \
	$(cli_library) $(library) $(wildcard tests/cli/*.h tests/support/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(faulty_compile) $(CPPFLAGS) -Iinclude -Isrc $(test_level) -Itests/support -I$(cmocka) $(wraps) \
		-Wl,--wrap=stderr,--wrap=remove,--wrap=signal,--wrap=__sysv_signal,--wrap=raise -o $@ \
		$(filter %.c %.o,$^) $(filter %.a,$^) -pthread -L$(cmocka) $(LDFLAGS) -lcmocka -lm

# ---- Suites ----

# A suite is a program of unit tests, a script of tests/cli, tests/mpi or tests/peers, or data/get: see run.sh.
unit_suites := $(if $(filter file,$(origin unit_tests)),$(call_test)) $(unit_tests) $(variant)/tests/library/example
SUBJECTS ?= $(filter-out lib run $(WITHOUT),$(patsubst tests/cli/%.sh,%,$(wildcard tests/cli/*.sh)))
# Subjects that install write the same files of $(variant): they run one after the other, as one suite.
installing := install python
subjects = $(addprefix cli/,$(filter-out $(installing),$(1)) \
	$(subst $() $(),$(comma),$(strip $(filter $(installing),$(1)))))
program_suites := $(call subjects,$(SUBJECTS))
mpi_suites := $(if $(has_mpi),\
	$(patsubst tests/mpi/%.sh,mpi/%,$(filter-out %/lib.sh %/run.sh,$(wildcard tests/mpi/*.sh))))
mpi_skipped := $(if $(has_mpi),,@echo 'train-mpi is not built and its tests are skipped: there is no $(MPICC)')
small_peers := $(addprefix peers/,digits breast-cancer rings free one_class)
large_peers := $(addprefix peers/,farm-ads w8a covtype-93k imdb 20news a9a letter rcv1-1k svmlight-ex1 libsvm \
	glmnet drop_in)

# The subjects that only make test-all runs. It also sets HINGE_ALL, so that suites run tests that take long.
long_subjects := browser compilers install kill python
test_suites = $(call subjects,$(filter-out $(long_subjects),$(SUBJECTS))) $(small_peers) $(unit_suites)
# Suites that take a minute come first: at the end, each of them would keep one processor while the others are idle.
long_suites = $(call subjects,$(filter $(long_subjects),$(SUBJECTS))) peers/drop_in $(mpi_suites) \
	$(filter-out peers/drop_in,$(large_peers)) data/get
# The suites of which make test runs a part: those in which grep finds one of these words.
partial_suites = $(patsubst tests/%.c,$(variant)/tests/%,\
	$(shell grep -l -w -e repeats -e methods.h -e HINGE_ALL $(unit_tests:$(variant)/%=%.c) tests/cli/test_calls.c)) \
	$(call subjects,$(filter $(patsubst tests/cli/%.sh,%,$(shell grep -l is_complete tests/cli/*.sh)),$(SUBJECTS)))
# The subjects that make test-all repeats under sanitizers. The subjects left out are about texts and scripts, or
# repeat unit tests: signals repeats cli/calls, which runs under sanitizers.
sanitized_subjects := $(filter-out advice bias blocks compilers crammer determinism documents habits install kill \
	l1 logistic metrics pairs probabilities python scripts signals smo starts suites synth usage validation,$(SUBJECTS))
SANITIZER ?= $(if $(shell command -v clang),clang,$(CC))

# tested, tested_tools: the folders of the programs and tools that the suites start. If the built programs are for
# another machine, these folders have scripts that start them in an emulator.
tested ?= $(bin).
tested_tools ?= $(variant)
# A make that a suite or a benchmark calls must not look for the job server of this make.
without_server = MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))'
run_suites = $(without_server) MOST='$(MOST)' JOBS='$(JOBS)' V='$(V)' \
	HINGE_BIN='$(abspath $(tested))' HINGE_DATA='$(HINGE_DATA)' \
	HINGE_SYNTH='$(abspath $(tested_tools)/synth)' HINGE_PROBE='$(abspath $(tested_tools)/probe)' \
	HINGE_FAULTY='$(abspath $(tested_tools)/faulty)' HINGE_SLOW='$(or $(HINGE_SLOW),$(SANITIZE))' \
	HINGE_OPENMP='$(openmp)' HINGE_OBJECTIVE='$(abspath $(variant)/grid_gap)' \
	HINGE_PEERS='$(HINGE_PEERS)' HINGE_PEERS_BUILT='$(abspath build/peers)' sh tests/run.sh
build = +@$(MAKE) --no-print-directory $(if $(V),,-s brief=yes)
# $(call minutes,60) is the time that 60 processor seconds take with $(JOBS) processors, in minutes, rounded up.
minutes = $(shell echo $$((($(1) + 59 * $(JOBS)) / 60 / $(JOBS))))
# $(call lasts,270,580): the tests take 270 processor seconds on a fast machine, 580 on a slow one.
lasts = @echo 'About $(call minutes,$(1)) to $(call minutes,$(2)) minutes with JOBS=$(JOBS), building included;' \
	'V=1 shows all that is printed.'

built_for_tests := all $(unit_suites) $(test_tools) $(variant)/grid_gap $(variant)/costs \
	$(if $(filter yes,$(SHARED)),$(shared))

test: ## run the tests that a user runs; installs cmocka by the package manager if it is missing
	$(call lasts,270,580)
	$(build) $(built_for_tests)
	@$(run_suites) $(filter-out $(if $(filter test-all,$(MAKECMDGOALS)),$(partial_suites)),$(test_suites))

# make test test-all runs each suite once: test leaves partial_suites to test-all.
test-all: $(filter test,$(MAKECMDGOALS)) ## run the long tests too: failing calls, peers on all data, MPI, sanitizers
	$(call lasts,1100,2200)
	$(build) $(built_for_tests) $(if $(has_mpi),mpi)
	@HINGE_ALL=yes $(run_suites) $(long_suites) $(if $(filter test,$(MAKECMDGOALS)),$(partial_suites),$(test_suites))
	$(mpi_skipped)
	@echo 'Under sanitizers, by $(SANITIZER):'
	$(build) CC='$(SANITIZER)' SANITIZE=1 SUBJECTS='$(sanitized_subjects)' unit-tests program-tests

unit-tests: $(unit_suites) ## run the unit tests alone
	@$(run_suites) $(unit_suites)

program-tests: all $(test_tools) ## run the tests of the programs alone: SUBJECTS='usage files'
	@$(run_suites) $(program_suites)

mpi-tests: all $(if $(has_mpi),mpi) ## run the tests of train-mpi alone
	$(or $(mpi_skipped),@$(run_suites) $(mpi_suites))

peer-tests: all $(variant)/grid_gap ## compare models with those of other programs
	@$(run_suites) $(small_peers) $(large_peers)

data-tests: ## test the script that fetches data
	@$(run_suites) data/get

MOST ?= 2
drop-in: all ## run LIBLINEAR's command lines of at most MOST options (all: of any number) by both programs
	@HINGE_BIN='$(abspath $(bin).)' HINGE_PEERS='$(HINGE_PEERS)' HINGE_PEERS_BUILT='$(abspath build/peers)' \
		sh tests/peers/drop_in.sh $(MOST)

# The inputs differ from run to run, unless FUZZ_SEED chooses them.
FUZZ_SECONDS ?= 60
seeding_tests := $(filter $(variant)/tests/data/% $(variant)/tests/model/%,$(unit_tests))
fuzz: all $(seeding_tests) $(variant)/oracle ## run each fuzzer for FUZZ_SECONDS, then the oracle of certificates
	@$(MAKE) --no-print-directory CC=clang FUZZ=1 fuzzers
	HINGE_BIN='$(abspath $(bin).)' FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_SEED='$(FUZZ_SEED)' \
		HINGE_ORACLE='$(variant)/oracle' HINGE_SEEDING_TESTS='$(seeding_tests)' sh tests/fuzz/run.sh

fuzzers: $(patsubst tests/fuzz/%.c,$(variant)/%,$(wildcard tests/fuzz/fuzz_*.c))

slow := tests/support/slow_reader.c tests/support/slow_table.c
$(variant)/fuzz_%: tests/fuzz/fuzz_%.c $(slow) $(cli_library) $(library)
	$(call say,CC,$<)$(compile) -fsanitize=fuzzer -Itests/support -o $@ $< $(slow) $(cli_library) $(library) $(LDFLAGS) -lm

$(variant)/fuzz_scale: LDFLAGS += -Wl,--wrap=array_new,--wrap=array_resize,--wrap=memory_ask

portability: all ## test with other compilers, C libraries, word sizes and byte orders
	HINGE_DATA='$(HINGE_DATA)' sh tests/portability/run.sh

lint: $(pages) ## check the source by the tools that are installed
	@CC='$(CC)' HINGE_PAGES='$(pages)' sh tests/lint/run.sh

# ---- Benchmarks, which write pages of tests/bench ----

bench_environment = $(without_server) HINGE_BIN='$(abspath $(bin).)' \
	HINGE_DATA='$(HINGE_DATA)' HINGE_PEERS='$(HINGE_PEERS)' HINGE_PEERS_BUILT='$(abspath build/peers)' \
	HINGE_OBJECTIVE='$(abspath $(variant)/grid_gap)'

bench: all $(variant)/synth ## compare with LIBLINEAR: RESULTS.md, RESULTS.html
	@$(bench_environment) sh tests/bench/run.sh

bench-large: all $(variant)/synth ## the same with gigabytes of data: LARGE.md
	@$(bench_environment) sh tests/bench/large.sh

bench-smo: all ## compare the free bias and probabilities with LIBSVM: SMO.md
	@$(bench_environment) sh tests/bench/smo.sh

bench-grid: all $(variant)/synth ## train a grid of problems, each certified: GRID.md
	@$(bench_environment) sh tests/bench/grid.sh

bench-mpi: all mpi $(variant)/synth ## measure several processes: MPI.md
	@$(bench_environment) sh tests/bench/ranks.sh

bench-path: all $(variant)/grid_gap ## compare paths of sparse models with glmnet: a table
	@$(bench_environment) sh tests/bench/path.sh

costs: $(variant)/costs ## measure the rates of src/solver/linear/cost.c again: a table
	@$(variant)/costs

paper: all ## repeat the experiments of the papers: PAPER.md
	@$(bench_environment) sh tests/bench/paper.sh

.PHONY: test test-all unit-tests program-tests mpi-tests peer-tests drop-in data-tests fuzz fuzzers portability lint \
	bench bench-large bench-smo bench-grid bench-mpi bench-path costs paper
