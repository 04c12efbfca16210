#!/usr/bin/env bash
# Builds the interactive figures of the book in target/pictures, and puts them into a built book.
#   scripts/pictures.sh [BOOK]      BOOK is the folder that `mdbook build` wrote
# Needs web/dist, which `npm ci && npm run build` in web/ makes. Without the pictures, the book shows
# the drawings that its chapters hold.
set -euo pipefail
[[ ${1-} != -h && ${1-} != --help ]] || { sed -n 2,5p "$0" | cut -c3-; exit; }
cd "$(dirname "$0")/.."
[[ -f web/dist/rules.js ]] || { echo "web/dist is missing: run 'npm ci && npm run build' in web/" >&2; exit 1; }
target=wasm32-unknown-unknown
bindgen=target/bindgen/debug/tabiya-web-bindgen
(cd web && node build.js --tools)
cargo build --release --locked --target $target --target-dir target -p tabiya-pictures
rm -rf target/pictures target/pictures-types
mkdir -p target/pictures target/pictures-types
$bindgen target/$target/release/tabiya_pictures.wasm target/pictures
mv target/pictures/*.d.ts target/pictures-types
web/node_modules/.bin/tsc -p book/pictures
cp book/pictures/page/* web/dist/rules.js web/dist/rules.wasm assets/tabiya.net target/pictures
cp LICENSE target/pictures/LICENSE.txt
scripts/release.py licences target/pictures tabiya-pictures

[[ -n ${1:-} ]] || exit 0
book=$1
rm -rf "$book/pictures"
cp -r target/pictures "$book/pictures"
# The print page keeps the drawings.
grep -rl --include='*.html' --exclude=print.html 'data-picture=' "$book" | while read -r page; do
    folders=${page#"$book"/}
    folders=${folders//[^\/]/}
    root=${folders//\//..\/}
    python3 - "$page" "$root" <<'END'
import pathlib, sys
page, root = pathlib.Path(sys.argv[1]), sys.argv[2]
text = page.read_text(encoding="utf-8")
text = text.replace("</head>", f'<link rel="stylesheet" href="{root}pictures/style.css">\n</head>')
text = text.replace("</body>", f'<script type="module" src="{root}pictures/main.js"></script>\n</body>')
page.write_text(text, encoding="utf-8", newline="\n")
END
done
