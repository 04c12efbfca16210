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
    export EVALFILE
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
	$(CARGO) build --release --locked --features "$(FEATURES)" --target-dir "$(TARGET_DIR)"
	cp "$(TARGET_DIR)/release/tabiya$(SUFFIX)" "$(EXE)$(SUFFIX)"

bench: $(EXE)
	"$(abspath $(EXE))$(SUFFIX)" bench

clean:
	$(CARGO) clean

FORCE:

.PHONY: all bench clean FORCE
