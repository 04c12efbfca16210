#!/usr/bin/env python3
"""Makes packages that install without a compiler, and tries each: install, play, remove.

    scripts/package.py deb      target/dist/tabiya_VERSION-1_amd64.deb, by cargo-deb
    scripts/package.py wheel    target/dist/tabiya-VERSION-…whl, by maturin
    scripts/package.py npm      target/dist/tabiya-VERSION.tgz, by npm; needs the build of web/

The program in the first two is that of the release for Linux: for every x86-64 processor since
x86-64-v2, with its C library inside. `deb` installs with dpkg as root, or with sudo if that works
without a password; otherwise it unpacks the package into a folder and says so. cargo-deb and maturin
are installed below target/ if they are missing.
"""

import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

import release
from release import DIST, ROOT, SYSTEMS, TARGET, run, version

NAME = "linux"
TOOLS = ROOT / "target/tools"
PACKAGE = ROOT / "target/package"
# What every package with the program must have.
LICENCES = {"LICENSE", "THIRD-PARTY.txt", "RUST-LICENCES.html"}


def tool(name, version_):
    """Path of a program of crates.io, installed below target/ if it is missing."""
    if found := shutil.which(name):
        return found
    path = TOOLS / "bin" / name
    if not path.exists():
        # Quick to compile; without its default features, cargo-deb calls the system's xz.
        options = ["--root", str(TOOLS), "--debug", "--no-default-features"]
        run("cargo", "install", name, "--locked", "--version", version_, *options)
    return str(path)


def succeeds(*command):
    """Whether a program is there and succeeds; what it prints is not shown."""
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def python():
    """A Python environment below target/, with maturin and python-chess."""
    environment = TOOLS / "python"
    interpreter = environment / "bin/python"
    # Also where an earlier installation has failed.
    if not succeeds(str(interpreter), "-c", "import chess, maturin"):
        run(sys.executable, "-m", "venv", str(environment))
        run(str(interpreter), "-m", "pip", "install", "--quiet", "maturin>=1.7,<2", "chess>=1.11,<2")
    return str(interpreter)


def talk(program, *words):
    """The answers of a program to a short UCI session: it must find a mate in one and quit."""
    session = "uci\nisready\nposition fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo depth 3\n"
    with subprocess.Popen([program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(session)
        process.stdin.flush()
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith("bestmove"):
                break
        process.stdin.write("quit\n")
        process.stdin.flush()
        process.stdin.close()
        if process.wait(10) != 0:
            sys.exit(f"{program} exits with {process.returncode}")
    if "uciok" not in lines or "readyok" not in lines or lines[-1] != "bestmove d1d8":
        sys.exit(f"{program} answers {lines}")


def prepare():
    """Writes the files of the package below target/package."""
    program = release.compile_program(NAME)
    release.check_program(NAME, program)
    shutil.rmtree(PACKAGE, ignore_errors=True)
    (PACKAGE / "man").mkdir(parents=True)
    (PACKAGE / "completions").mkdir()
    shutil.copy(program, PACKAGE / "tabiya")
    run(str(program), "man", "man", cwd=PACKAGE)
    # Without a time in the head, so that the same content gives the same bytes.
    for page in (PACKAGE / "man").glob("*.1"):
        page.with_name(page.name + ".gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
        page.unlink()
    changelog = (ROOT / "CHANGELOG.md").read_bytes()
    (PACKAGE / "changelog.gz").write_bytes(gzip.compress(changelog, 9, mtime=0))
    for shell, file in release.SHELLS.items():
        (PACKAGE / "completions" / file).write_text(run(str(program), "completions", shell), encoding="utf-8")
    release.write_licences(PACKAGE, SYSTEMS[NAME][0])
    return program


def files_of(archive):
    """The files of a Debian package, as absolute paths."""
    lines = run("dpkg-deb", "--contents", str(archive)).splitlines()
    paths = [line.split()[5].removeprefix(".") for line in lines if line.startswith("-")]
    return [pathlib.Path(path) for path in paths]


def deb():
    prepare()
    DIST.mkdir(parents=True, exist_ok=True)
    cargo_deb = tool("cargo-deb", "3.8.0")
    archive = pathlib.Path(run(cargo_deb, "--no-build", "--no-strip", "--output", str(DIST)).splitlines()[-1])
    files = files_of(archive)
    pages = len(list((PACKAGE / "man").glob("*.gz")))
    if sum("man1" in str(path) for path in files) != pages or pages < 15:
        sys.exit(f"{archive} lacks manual pages")
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if root and not succeeds(*root, "true"):
        with tempfile.TemporaryDirectory() as folder:
            run("dpkg-deb", "--extract", str(archive), folder)
            talk(f"{folder}/usr/bin/tabiya")
        print(f"{archive.name}: unpacked, it plays; not installed, because that needs root")
        return
    if succeeds("dpkg-query", "--status", "tabiya"):
        sys.exit("a package tabiya is installed already: remove it first")
    run(*root, "dpkg", "--install", str(archive))
    try:
        missing = [path for path in files if not path.exists() and "/man/" not in str(path) and "/doc/" not in str(path)]
        if missing:
            sys.exit(f"not installed: {missing}")
        talk("/usr/bin/tabiya")
        run("/usr/bin/tabiya", "--version")
    finally:
        run(*root, "dpkg", "--purge", "tabiya")
    left = [path for path in files if path.exists()]
    if left:
        sys.exit(f"left behind: {left}")
    print(f"{archive.name}: {archive.stat().st_size:,} bytes, {len(files)} files; installed, played, removed")


def wheel():
    interpreter = python()
    target = SYSTEMS[NAME][0][0]
    # maturin takes the licences from the folder of pyproject.toml only, and reads that file only
    # without `--manifest-path`.
    shutil.copy(ROOT / "LICENSE", ROOT / "packaging")
    release.write_licences(ROOT / "packaging", [target])
    with tempfile.TemporaryDirectory() as folder:
        run(
            interpreter, "-m", "maturin", "build", "--release", "--locked", "--target", target, "--target-dir", str(TARGET),
            "--compatibility", "linux", "--out", folder,
            cwd=ROOT / "packaging", **release.build_environment(target),
        )  # fmt: skip
        built = next(pathlib.Path(folder).glob("tabiya-*.whl"))
        DIST.mkdir(parents=True, exist_ok=True)
        archive = pathlib.Path(shutil.copy(built, DIST / built.name))
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "venv", folder)
        own = f"{folder}/bin/python"
        run(own, "-m", "pip", "install", "--quiet", "--no-index", str(archive))
        release.check_program(NAME, f"{folder}/bin/tabiya")
        talk(f"{folder}/bin/tabiya")
        run(interpreter, "tests/smoke.py", f"{folder}/bin/tabiya")
        licences = {path.name for path in pathlib.Path(folder).rglob("tabiya-*.dist-info/licenses/*")}
        if licences != LICENCES:
            sys.exit(f"{archive.name} has these licences: {licences}")
        run(own, "-m", "pip", "uninstall", "--quiet", "--yes", "tabiya")
        left = [path for path in pathlib.Path(folder).rglob("*tabiya*")]
        if left:
            sys.exit(f"left behind: {left}")
    print(f"{archive.name}: {archive.stat().st_size:,} bytes; installed, played, removed")


def npm():
    package = release.json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    if "bin" not in package:
        sys.exit("web/package.json has no program for Node.js yet ('bin'), so npx has nothing to start")
    if not (ROOT / "web/dist/index.js").exists():
        sys.exit("web/dist is missing: run 'npm ci && npm run build' in web/")
    DIST.mkdir(parents=True, exist_ok=True)
    file = run("npm", "pack", "--silent", "--pack-destination", str(DIST), cwd=ROOT / "web").split()[-1]
    archive = DIST / file
    if missing := LICENCES - {path.rsplit("/", 1)[-1] for path in run("tar", "--list", "--file", str(archive)).split()}:
        sys.exit(f"{archive.name} lacks {missing}")
    with tempfile.TemporaryDirectory() as folder:
        # A cache of its own, so that nothing of the package stays.
        os.environ["npm_config_cache"] = f"{folder}/cache"
        shutil.copy(archive, folder)
        os.chdir(folder)
        talk("npx", "--yes", f"./{file}")
    print(f"{archive.name}: {archive.stat().st_size:,} bytes; npx started it, played, and kept nothing")


def main():
    commands = {"deb": deb, "wheel": wheel, "npm": npm}
    if not sys.argv[1:] or any(word not in commands for word in sys.argv[1:]):
        sys.exit(__doc__)
    release.check()
    for word in sys.argv[1:]:
        commands[word]()


if __name__ == "__main__":
    main()
