#!/usr/bin/env python3
"""Makes the files of a release: one archive per system. `.github/workflows/release.yml` calls this.

    scripts/release.py check [TAG]     compares the versions in all files, the changelog and the tag,
                                       and follows the links of the documents in the archives
    scripts/release.py build NAME...   writes target/dist/tabiya-VERSION-NAME.tar.gz or .zip
    scripts/release.py verify NAME...  unpacks archives in target/dist and runs their programs
    scripts/release.py sums            writes target/dist/SHA256SUMS
    scripts/release.py notes           prints the section of CHANGELOG.md
    scripts/release.py licences FOLDER PACKAGE...
                                       writes the licences of the crates in these packages of the
                                       workspace, as built for WebAssembly

NAME is linux, linux-arm64, windows or macos. macos needs a Mac; the others need a machine that can
run the program, by qemu-aarch64 (Debian: qemu-user) or by wine 8.13 or later if necessary. `build`
compares the bench signature and the version of each program before it packs it. It needs Python
3.10, rustup, and for windows and linux a linker (Debian: gcc-mingw-w64-x86-64, gcc).
"""

import gzip
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
DIST = ROOT / "target/dist"
# The version of Rust that builds all files.
RUST = "1.95.0"
# Name: targets, and the command that runs a file of another system. The files for Linux are static.
# On x86-64 they have glibc, because musl copies memory slowly there (4 % of the search).
SYSTEMS = {
    "linux": (["x86_64-unknown-linux-gnu"], ""),
    "linux-arm64": (["aarch64-unknown-linux-musl"], "qemu-aarch64"),
    "windows": (["x86_64-pc-windows-gnu"], "env LC_ALL=C.UTF-8 WINEDEBUG=-all wine"),
    "macos": (["aarch64-apple-darwin", "x86_64-apple-darwin"], ""),
}
# The processor that files for x86-64 need.
LEVEL = "x86-64-v2"
SHELLS = {"bash": "tabiya.bash", "zsh": "_tabiya", "fish": "tabiya.fish", "powershell": "_tabiya.ps1"}
# Files of the repository that go into each archive, in the same folders: what players read.
PAGES = "strength|options|levels|referee|dead|compatibility|reliability".split("|")
DOCUMENTS = [
    *("README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", *(f"docs/{page}.md" for page in PAGES)),
    *("docs/board.svg", "docs/ladder.svg", "docs/memory.svg", "docs/web-analysis.png", "docs/web-phone.png", "book/src/guide/*.md", "book/src/img/board.svg", "book/src/img/*.png"),
    *("assets/logo.*", "assets/icon.*", "assets/tabiya.desktop"),
]
# What pages say before the first release, and these pages.
PUBLISHED = ["*.md", "docs/*.md", "book/src/**/*.md", "web/README.md"]
WAITING = re.compile(r"no release|[Nn]o public|has an address|not have it yet|release will|has not run yet")
# The version of Tabiya in a Cargo.lock.
PACKAGE = r'^name = "tabiya"\nversion = "(.+)"'
# A link of a Markdown page, and the source of a picture.
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)]*)\)")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]*)\)|src=\"([^\"]*)\"")
# Licences of packages that bring no text. Other packages bring it, LICENSE has the GPL, and the BSL
# asks for none in compiled programs.
KNOWN_LICENCES = "Apache-2.0|MIT|GPL-3.0|BSL-1.0"
# Debian's and Ubuntu's list of the authors and licences of the C library.
GLIBC = pathlib.Path("/usr/share/doc/libc6/copyright")
# The same for the C runtime of programs for Windows.
MINGW = pathlib.Path("/usr/share/doc/mingw-w64-common/copyright")
MUSL = "Copyright © 2005-2020 Rich Felker, et al."


def run(*command, cwd=ROOT, **environment):
    """The output of a command that must succeed."""
    ran = subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, stdout=subprocess.PIPE)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))} exits with {ran.returncode}")
    return ran.stdout.decode().replace("\r\n", "\n")


def version():
    return re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.M)[1]


def section():
    """Date and text of this version in the changelog."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{re.escape(version())}\] - (.*)\n((?:(?!## ).*\n?)*)", text, re.M)
    if not found:
        sys.exit(f"CHANGELOG.md has no section [{version()}]")
    return found[1], found[2].strip() + "\n"


def check(tag=None):
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    package = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    versions = [("web/package.json", package["version"]), ("web/package-lock.json", lock["version"])]
    # The names of files in the documents, and the versions that Cargo has written down.
    for path, pattern in {
        "Cargo.lock": PACKAGE,
        "fuzz/Cargo.lock": PACKAGE,
        "book/src/guide/install.md": r"\btabiya[-_](\d+\.\d+\.\d+)",
    }.items():
        found = re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"), re.M)
        versions += [(path, other) for other in found or ["none"]]
    for path, other in versions:
        if other != version():
            sys.exit(f"{path} has version {other}, Cargo.toml {version()}")
    date, _ = section()
    if tag and tag != f"v{version()}":
        sys.exit(f"the tag is {tag}, the version {version()}")
    if tag and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        sys.exit(f"CHANGELOG.md: version {version()} has no date")
    documents = packed_documents()
    if tag:
        check_published()
    if dead := dead_links(documents):
        sys.exit("the archives have dead links:\n" + "\n".join(dead))
    print(f"{len(documents)} documents for an archive, without a dead link")


def check_published():
    """A release has its addresses, and no page waits for it or for them."""
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    if not re.search(r"^repository = ", manifest, re.M):
        sys.exit("Cargo.toml has no `repository`: see RELEASE.md")
    if "@invalid>" in manifest:
        sys.exit("Cargo.toml: the maintainer of the Debian package has no address: see RELEASE.md")
    if "/OWNER/" in (ROOT / "docs/openbench.json").read_text(encoding="utf-8"):
        sys.exit("docs/openbench.json: `source` is not the repository: see RELEASE.md")
    pages = [path for pattern in PUBLISHED for path in sorted(ROOT.glob(pattern))]
    if early := [str(path.relative_to(ROOT)) for path in pages if WAITING.search(path.read_text(encoding="utf-8"))]:
        sys.exit(f"these pages still wait for a release or an address: {', '.join(early)}")


def packed_documents():
    """Each document of an archive, by its path. A link that would lead out of it becomes plain text."""
    paths = {path.relative_to(ROOT) for pattern in DOCUMENTS for path in ROOT.glob(pattern)}

    def target(page, link):
        """The path in the archive that a link leads to. The book includes the pages of docs/."""
        path = pathlib.Path(os.path.normpath(page.parent / link.split("#")[0]))
        return pathlib.Path("docs") / path.name if path.parent == pathlib.Path("book/src/reference") else path

    def rewritten(page, text, link):
        place = target(page, link)
        if "://" in link or link.startswith("#"):
            return f"[{text}]({link})"
        if place not in paths:
            return text
        anchor = "#" + link.split("#")[1] if "#" in link else ""
        return f"[{text}]({pathlib.Path(os.path.relpath(place, page.parent)).as_posix()}{anchor})"

    documents = {}
    for path in sorted(paths):
        documents[path] = (ROOT / path).read_bytes()
        if path.suffix == ".md":
            text = documents[path].decode()
            text = LINK.sub(lambda match: rewritten(path, match[1], match[2]), text)
            documents[path] = text.encode()
    return documents


def dead_links(documents):
    """Links and pictures of an archive's pages that lead to no file of it."""
    dead = []
    for page, content in documents.items():
        if page.suffix != ".md":
            continue
        text = content.decode()
        links = [match[2] for match in LINK.finditer(text)] + [match[1] or match[2] for match in PICTURE.finditer(text)]
        for link in links:
            path = pathlib.Path(os.path.normpath(page.parent / link.split("#")[0]))
            if "://" not in link and not link.startswith("#") and path not in documents:
                dead.append(f"{page}: {link}")
    return dead


def start(name, program):
    """The command that runs a program of this system on this machine."""
    targets, runner = SYSTEMS[name]
    machine = platform.machine().lower().replace("arm64", "aarch64").replace("amd64", "x86_64")
    is_native = name.split("-")[0] in platform.system().lower().replace("darwin", "macos") and any(
        target.startswith(machine) for target in targets
    )
    return [str(program)] if is_native else [*runner.split(), str(program)]


def check_program(name, program):
    """Compares bench signature and version."""
    source = (ROOT / "tests/it/bench.rs").read_text(encoding="utf-8")
    signature = re.search(r"SIGNATURE: u64 = ([0-9_]+)", source)[1].replace("_", "")
    bench = run(*start(name, program), "bench").splitlines()[-1]
    if not bench.startswith(f"{signature} nodes "):
        sys.exit(f"{program}: the signature is not {signature}: {bench}")
    if run(*start(name, program), "-V").split() != ["tabiya", version()]:
        sys.exit(f"{program} is not version {version()}")
    print(f"{name}: {bench}")


def build_environment(target):
    """Variables for a build of the released program. .cargo/config.toml has no effect on its flags."""
    home = os.environ.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
    # No folder of this machine stays in the file.
    flags = [f"--remap-path-prefix={home}=cargo", f"--remap-path-prefix={ROOT}=tabiya"]
    environment = {"RUSTUP_TOOLCHAIN": RUST, "CARGO_PROFILE_RELEASE_STRIP": "symbols"}
    if target.startswith("x86_64"):
        flags.append(f"-Ctarget-cpu={LEVEL}")
    if "linux" in target:
        flags.append("-Ctarget-feature=+crt-static")
    if target == "aarch64-unknown-linux-musl":
        environment["CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER"] = "rust-lld"
    return environment | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags)}


def compile_program(name):
    """Path of the program, built for all targets of the system."""
    targets, _ = SYSTEMS[name]
    # An installed toolchain stays as it is: others may be using it.
    if not any(line.startswith(RUST) for line in run("rustup", "toolchain", "list").splitlines()):
        run("rustup", "toolchain", "install", RUST, "--profile", "minimal", "--no-self-update")
    run("rustup", "target", "add", "--toolchain", RUST, *targets)
    built = []
    for target in targets:
        command = ["cargo", "build", "--release", "--locked", "--target", target, "--target-dir", TARGET]
        run(*command, **build_environment(target))
        built.append(TARGET / f"{target}/release/tabiya{'.exe' * (name == 'windows')}")
    if len(built) == 1:
        return built[0]
    universal = TARGET / "tabiya-universal"
    run("lipo", "-create", "-output", universal, *built)
    return universal


def write_licences(folder, targets, packages=("tabiya",), toolchain=f"+{RUST}"):
    """Writes the licences of all that others wrote in these packages of this workspace."""
    (folder / "THIRD-PARTY.txt").write_text(licences(targets, packages), encoding="utf-8")
    sysroot = run(*f"rustc {toolchain} --print sysroot".split()).strip()
    shutil.copy(pathlib.Path(sysroot) / "share/doc/rust/COPYRIGHT-library.html", folder / "RUST-LICENCES.html")


def parts(target, packages):
    """Cargo's descriptions of the packages of others in these packages."""
    words = f"cargo tree --locked --target {target} --edges normal --prefix none --format".split()
    tree = run(*words, "{p}", *(f"--package={package}" for package in packages))
    # Such as "serde v1.0.229 (*)".
    names = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    metadata = json.loads(run("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target))
    others = [package for package in metadata["packages"] if package["source"]]
    return {package["id"]: package for package in others if (package["name"], "v" + package["version"]) in names}


def licences(targets, own):
    """The licences of all packages of others in these packages, each text once."""
    packages = {}
    for target in targets:
        packages |= parts(target, own)
    texts = {}
    lines = ["Tabiya contains these packages. Their licences follow.\n"]
    for package in sorted(packages.values(), key=lambda package: package["name"]):
        name = f"{package['name']} {package['version']}"
        lines.append(f"{name}: {package['license']}")
        folder = pathlib.Path(package["manifest_path"]).parent
        files = [path for path in sorted(folder.iterdir()) if re.match("LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE", path.name)]
        if not files:
            if not re.search(KNOWN_LICENCES, package["license"]):
                sys.exit(f"{name} has no file with its licence")
            lines[-1] += f", by {', '.join(package['authors']) or 'its authors'}"
        for path in files:
            text = path.read_text(encoding="utf-8").strip()
            texts.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    if any("musl" in target for target in targets):
        lines.append("musl, the C library: MIT")
        mit = next(text for text, _ in texts.values() if text.startswith("Permission is hereby granted"))
        texts["musl"] = (f"{MUSL}\n\n{mit}", ["musl"])
    if any("linux-gnu" in target for target in targets):
        if not GLIBC.exists():
            sys.exit(f"{GLIBC} is missing: make the file for Linux on Debian or Ubuntu")
        # Section 3 of the LGPL allows this. Parts of the library have other licences.
        name = " ".join(platform.libc_ver())
        lines.append(f"{name}, the C library: LGPL-2.1-or-later, here under the GNU General Public License, version 3")
        texts[name] = (GLIBC.read_text(encoding="utf-8").strip(), [name])
    if any("windows-gnu" in target for target in targets):
        if not MINGW.exists():
            sys.exit(f"{MINGW} is missing: make the file for Windows on Debian or Ubuntu")
        lines.append("mingw-w64, the C runtime: the licences below")
        texts["mingw-w64"] = (MINGW.read_text(encoding="utf-8").strip(), ["mingw-w64"])
    lines.append("The standard library of Rust: see RUST-LICENCES.html. GPL: see LICENSE.")
    for text, names in texts.values():
        lines += ["", "=" * 80, ", ".join(names), "=" * 80, "", text]
    return "\n".join(lines) + "\n"


def pack(name, folder):
    """Packs a folder. The same content gives the same archive: all times are the commit's."""
    time = int(run("git", "log", "-1", "--format=%ct"))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    DIST.mkdir(parents=True, exist_ok=True)

    def mode(path):
        return 0o755 if path.stem == "tabiya" and path.suffix in ("", ".exe") else 0o644

    if name == "windows":
        archive = DIST / f"{folder.name}.zip"
        date = tuple(map(int, run("git", "log", "-1", "--format=%cd", "--date=format:%Y %m %d %H %M %S").split()))
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in files:
                info = zipfile.ZipInfo(str(path.relative_to(folder.parent).as_posix()), date)
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, mode(path) << 16
                packed.writestr(info, path.read_bytes())
        return archive
    archive = DIST / f"{folder.name}.tar.gz"
    with open(archive, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=time) as zipped:
        with tarfile.open(fileobj=zipped, mode="w") as packed:
            for path in files:
                info = tarfile.TarInfo(str(path.relative_to(folder.parent)))
                info.size, info.mode, info.mtime = path.stat().st_size, mode(path), time
                packed.addfile(info, io.BytesIO(path.read_bytes()))
    return archive


def build(name):
    targets, _ = SYSTEMS[name]
    program = compile_program(name)
    check_program(name, program)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / f"tabiya-{version()}-{name}"
        folder.mkdir()
        shutil.copy(program, folder / f"tabiya{program.suffix}")
        for path, content in packed_documents().items():
            copy = folder / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
        write_licences(folder, targets)
        (folder / "man").mkdir()
        run(*start(name, program), "man", "man", cwd=folder)
        (folder / "completions").mkdir()
        for shell, file in SHELLS.items():
            (folder / "completions" / file).write_text(run(*start(name, program), "completions", shell), encoding="utf-8")
        archive = pack(name, folder)
    print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size:,} bytes")


def verify(name):
    """Runs the program of an archive in a folder with a blank and an umlaut in its name."""
    archive = next(DIST.glob(f"tabiya-{version()}-{name}.[tz]*"), None)
    if not archive:
        sys.exit(f"{DIST} has no archive for {name}: run scripts/release.py build {name} first")
    with tempfile.TemporaryDirectory(prefix="Tabiya für ") as temporary:
        # `unpack_archive` drops the executable bits of a zip, which only Windows needs.
        shutil.unpack_archive(archive, temporary)
        check_program(name, next(pathlib.Path(temporary).glob("*/tabiya*")))


def sums():
    archives = sorted(path for path in DIST.glob(f"tabiya[-_]{version()}*"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives]
    (DIST / "SHA256SUMS").write_text("".join(lines))


def main():
    match sys.argv[1:]:
        case ["check", *tag] if len(tag) < 2:
            check(*tag)
        case ["build" | "verify" as command, *names] if names and all(name in SYSTEMS for name in names):
            check()
            for name in names:
                build(name) if command == "build" else verify(name)
        case ["sums"]:
            sums()
        case ["licences", folder, *packages] if packages:
            write_licences(pathlib.Path(folder), ["wasm32-unknown-unknown"], packages, toolchain="")
        case ["notes"]:
            print(section()[1], end="")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
