/**
 * The library in WebAssembly as its users build it: a crate outside the workspace, with the standard
 * profile and no flag, for the target that browsers have. It is built below `target/`, so that only the
 * first time takes a minute. Needs what `npm run build` has built.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const TARGET = 'wasm32-unknown-unknown';
const BINDGEN = join(ROOT, 'target/bindgen/debug/tabiya-web-bindgen');

const MANIFEST = `[package]
name = "outside"
version = "0.0.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
tabiya = { path = ${JSON.stringify(ROOT)}, default-features = false }
wasm-bindgen = "0.2"
`;

const SOURCE = `use tabiya::board::Position;
use tabiya::search::{Limits, Searcher};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub fn best_move(fen: &str, depth: u32) -> String {
    let position = Position::from_fen(fen).unwrap();
    let answer = Searcher::new(16).unwrap().best_move(position, Limits::depth(depth)).unwrap();
    format!("{} at depth {}", answer.best.unwrap(), answer.depth)
}
`;

test('a crate outside the workspace searches in WebAssembly without a flag', { skip: existsSync(BINDGEN) ? false : `no ${BINDGEN}`, timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabiya-outside-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'Cargo.toml'), MANIFEST);
    writeFileSync(join(folder, 'src/lib.rs'), SOURCE);
    // The versions that are here already. Cargo drops from the file what the crate does not use.
    cpSync(join(ROOT, 'Cargo.lock'), join(folder, 'Cargo.lock'));
    const { RUSTFLAGS: _, ...env } = process.env;
    const target = join(ROOT, 'target/outside');
    execFileSync('cargo', ['build', '--quiet', '--release', '--offline', '--target', TARGET, '--target-dir', target], { cwd: folder, env, stdio: 'inherit' });
    execFileSync(BINDGEN, [join(target, TARGET, 'release/outside.wasm'), folder], { stdio: 'inherit' });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    const module = await import(pathToFileURL(join(folder, 'outside.js')).href);
    module.initSync({ module: new WebAssembly.Module(readFileSync(join(folder, 'outside_bg.wasm'))) });
    assert.equal(module.best_move('r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', 12), 'e2a6 at depth 12');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
