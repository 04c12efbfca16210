# What OpenBench calls: `make EXE=name` puts a binary for this machine at ./name.
# EVALFILE=path: that network is built in instead of the one in assets/ (build.rs reads the variable).

EXE ?= tabiya
CARGO ?= cargo

# Cargo's dynamic name of the binary: .exe on Windows.
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

ifdef EVALFILE
    export EVALFILE := $(abspath $(EVALFILE))
endif

all: $(EXE)

$(EXE): FORCE
	$(CARGO) build --release --locked
	cp target/release/tabiya$(SUFFIX) $(EXE)$(SUFFIX)

bench: $(EXE)
	./$(EXE)$(SUFFIX) bench

clean:
	$(CARGO) clean

FORCE:

.PHONY: all bench clean FORCE
