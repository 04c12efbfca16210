# OpenBench calls `make EXE=name`, which builds ./name for this machine.
# EVALFILE=path builds that network in, instead of the one in assets/ (build.rs reads the variable).

EXE ?= tabiya
CARGO ?= cargo

# FEATURES=tune makes the parameters of the search UCI options. OpenBench cannot pass features, so a
# branch for SPSA changes this line.
FEATURES ?=

# On Windows, Cargo's binary has the suffix .exe.
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

ifdef EVALFILE
    export EVALFILE := $(abspath $(EVALFILE))
endif

# RUSTFLAGS replaces the flags of .cargo/config.toml. Unless it names a processor, build for this one.
ifdef RUSTFLAGS
ifeq ($(findstring target-cpu,$(RUSTFLAGS)),)
    export RUSTFLAGS := $(RUSTFLAGS) -C target-cpu=native
endif
endif

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

all: $(EXE)

$(EXE): FORCE
	$(CARGO) build --release --locked --features "$(FEATURES)"
	cp "$(TARGET_DIR)/release/tabiya$(SUFFIX)" "$(EXE)$(SUFFIX)"

# The same program, compiled with a profile of `bench`: it needs `rustup component add llvm-tools`. Flags
# with --target do not reach build scripts, which would write profiles too.
PGO_DIR = $(abspath $(TARGET_DIR))/pgo
PGO_HOST = $(shell rustc -vV | sed -n 's/^host: //p')
PGO_FLAGS = $(or $(RUSTFLAGS),-C target-cpu=native)
PGO_BUILD = $(CARGO) build --release --locked --features "$(FEATURES)" --target $(PGO_HOST)
PGO_BINARY = $(PGO_DIR)/$(PGO_HOST)/release/tabiya$(SUFFIX)

profile-build: FORCE
	rm -rf "$(PGO_DIR)/profiles"
	RUSTFLAGS="$(PGO_FLAGS) -C profile-generate=$(PGO_DIR)/profiles" $(PGO_BUILD) --target-dir "$(PGO_DIR)"
	"$(PGO_BINARY)" bench
	"$(shell rustc --print target-libdir)/../bin/llvm-profdata" merge -o "$(PGO_DIR)/bench.profdata" "$(PGO_DIR)/profiles"
	RUSTFLAGS="$(PGO_FLAGS) -C profile-use=$(PGO_DIR)/bench.profdata" $(PGO_BUILD) --target-dir "$(PGO_DIR)"
	cp "$(PGO_BINARY)" "$(EXE)$(SUFFIX)"

bench: $(EXE)
	./$(EXE)$(SUFFIX) bench

clean:
	$(CARGO) clean

FORCE:

.PHONY: all bench clean profile-build FORCE
