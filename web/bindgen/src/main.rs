//! Writes the JavaScript that calls a WebAssembly module: `tabiya-web-bindgen MODULE FOLDER`.
//!
//! `wasm-bindgen-cli` does the same. Building it takes minutes, because it also brings a test
//! runner with a web server; its library does not.

use std::env;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        eprintln!("usage: tabiya-web-bindgen MODULE FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let target = bindgen.input_path(module).typescript(true).web(true);
    let written = target.and_then(|bindgen| {
        bindgen
            .remove_name_section(true)
            .remove_producers_section(true)
            .omit_default_module_path(true)
            .generate(folder)
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
