# OpenBench calls `make EXE=name`, which builds ./name for this machine.
# EVALFILE=path builds that network in, instead of the one in assets/ (build.rs reads the variable).

EXE ?= tabiya
CARGO ?= cargo

# On Windows, Cargo's binary has the suffix .exe.
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
