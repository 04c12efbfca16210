#!/usr/bin/env bash
# Puts the website together in target/site: the front page, play/ (the page), book/ and api/.
#   scripts/site.sh [SOURCE]        SOURCE is the address of the repository, if there is one
# Needs mdbook, and web/site and web/dist, which `npm ci && npm run build` in web/ makes.
set -euo pipefail
[[ ${1-} != -h && ${1-} != --help ]] || { sed -n 2,4p "$0" | cut -c3-; exit; }
cd "$(dirname "$0")/.."
[[ -f web/site/index.html ]] || { echo "web/site is missing: run 'npm ci && npm run build' in web/" >&2; exit 1; }
site=$PWD/target/site
rm -rf "$site"
mkdir -p "$site"
mdbook build book --dest-dir "$site/book"
scripts/pictures.sh "$site/book"
cargo doc --locked --no-deps --target-dir target
cp -r target/doc "$site/api"
cp -r web/site "$site/play"
cp assets/logo.svg docs/web-analysis.png "$site"
# Without an address, the line about the source goes.
if [[ -n ${1:-} ]]; then
    sed "s|SOURCE|$1|" assets/site.html >"$site/index.html"
else
    sed '/SOURCE/d' assets/site.html >"$site/index.html"
fi
# Every local link of the front page leads to a file or a folder with an index.
grep -oE '(href|src)="[^":]+"' "$site/index.html" | cut -d'"' -f2 | while read -r link; do
    [[ -f $site/$link || -f $site/$link/index.html ]] || { echo "the front page has a dead link: $link" >&2; exit 1; }
done
echo "target/site is ready"
