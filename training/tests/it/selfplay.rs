//! `scripts/selfplay.py`, with a shell script in the place of the engine.

use crate::temporary::Folder;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A run of one game.
const ONE_GAME: &str = "echo game > $out-0.vf; echo '{}' > $out.jsonl";

/// Writes the engine, whose `datagen` records its arguments in `engine.calls` and does `work`.
fn write_engine(folder: &Folder, work: &str) {
    let script = format!(
        "#!/bin/sh\n\
         [ \"$2\" = --help ] && {{ echo --full-percent; exit; }}\n\
         echo \"$*\" >> \"$0.calls\"\n\
         out=$3\n\
         {work}\n"
    );
    let engine = folder.write("engine", script);
    fs::set_permissions(engine, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A call of the script with this engine; the games go to the folder `data`.
fn call(folder: &Folder, options: &str) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/selfplay.py");
    let mut command = Command::new("python3");
    command.arg(script);
    command.arg("--engine").arg(folder.path("engine"));
    command.arg("--data").arg(folder.path("data"));
    command.args(options.split_whitespace());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn run(folder: &Folder, options: &str) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = call(folder, options).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

/// The arguments of each `datagen`, a line each.
fn calls(folder: &Folder) -> String {
    fs::read_to_string(folder.path("engine.calls")).unwrap()
}

fn has_python() -> bool {
    let version = Command::new("python3").arg("--version").output();
    let has_python = version.is_ok_and(|output| output.status.success());
    if !has_python {
        // Unlike `eprintln`, this is shown if the test passes.
        let _ = writeln!(io::stderr(), "skipped: there is no python3");
    }
    has_python
}

/// Calls `attempt` until it succeeds, for at most a minute: the script has idle priority.
fn wait_for<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1_200 {
        if let Some(success) = attempt() {
            return success;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("it has not come in time");
}

#[test]
fn a_folder_is_in_use_until_the_last_datagen_has_ended() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("selfplay_orphan");
    let work =
        format!("{ONE_GAME}; echo $$ > \"$0.new\"; mv \"$0.new\" \"$0.pid\"; exec sleep 300");
    write_engine(&folder, &work);
    let mut first = call(&folder, "--cores 1").spawn().unwrap();
    let orphan = wait_for(|| fs::read_to_string(folder.path("engine.pid")).ok());
    // Without a chance to stop its datagen.
    first.kill().unwrap();
    first.wait().unwrap();
    let (status, text) = run(&folder, "--cores 1 --seconds 1");
    let games = folder.path("data/1-0.vf");
    let is_kept = games.exists();
    let killed = Command::new("kill").args(["-9", orphan.trim()]).status();
    assert!(killed.unwrap().success());
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("is in use by another selfplay.py"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(is_kept);
    // Then its games are packed, and no seed is left.
    wait_for(|| (run(&folder, "--cores 1 --last-seed 1").0 == Some(0)).then_some(()));
    assert!(folder.path("data/1-0.vf.xz").exists() && !games.exists());
    let calls = calls(&folder);
    assert_eq!(calls.lines().count(), 1, "{calls}");
}

#[test]
fn an_engine_in_this_folder_is_not_looked_for_on_the_path() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("selfplay_relative");
    write_engine(&folder, ONE_GAME);
    // The last --engine counts.
    let mut command = call(&folder, "--engine ./engine --cores 1 --last-seed 1");
    let output = command.current_dir(folder.path("")).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(folder.path("data/1-0.vf.xz").exists());
}

/// Another `datagen` or a match with --record may be writing them.
#[test]
fn games_that_are_not_of_a_seed_stay_as_they_are() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("selfplay_foreign");
    write_engine(&folder, ONE_GAME);
    fs::create_dir(folder.path("data")).unwrap();
    let others = ["data/match.vf", "data/openings-0.vf"].map(|name| folder.write(name, "game"));
    let (status, text) = run(&folder, "--cores 1 --last-seed 1");
    assert_eq!(status, Some(0), "{text}");
    assert!(others.iter().all(|file| file.exists()));
    assert!(folder.path("data/1-0.vf.xz").exists());
}

/// `unxz --keep` leaves both, and an incomplete copy if it is interrupted.
#[test]
fn an_archive_and_the_games_unpacked_beside_it_stay() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("selfplay_unpacked");
    write_engine(&folder, ONE_GAME);
    fs::create_dir(folder.path("data")).unwrap();
    // The second one has lost its manifest.
    let files = ["data/1-0.vf", "data/1-0.vf.xz", "data/2-0.vf.xz"].map(|name| folder.path(name));
    for file in &files {
        fs::write(file, file.to_str().unwrap()).unwrap();
    }
    folder.write("data/1.jsonl", "{}\n");
    let (status, text) = run(&folder, "--cores 1 --last-seed 3");
    assert_eq!(status, Some(0), "{text}");
    for file in &files {
        assert_eq!(
            fs::read_to_string(file).unwrap(),
            file.to_str().unwrap(),
            "{file:?}"
        );
    }
    let calls = calls(&folder);
    assert!(calls.contains("--seed 3"), "{calls}");
    assert_eq!(calls.lines().count(), 1, "{calls}");
}

#[test]
fn the_games_of_every_thread_are_packed() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("selfplay_threads");
    write_engine(&folder, &format!("echo game > $out-1.vf; {ONE_GAME}"));
    fs::create_dir(folder.path("data")).unwrap();
    // Its seed is taken too.
    folder.write("data/6-1.vf.xz", "");
    let (status, text) = run(&folder, "--cores 1 --last-seed 7 -- --threads 2");
    assert_eq!(status, Some(0), "{text}");
    let is_there = |name: &str| folder.path(&format!("data/{name}")).exists();
    assert!(is_there("7-0.vf.xz") && is_there("7-1.vf.xz"));
    assert!(!is_there("7-0.vf") && !is_there("7-1.vf"));
    assert_eq!(calls(&folder).lines().count(), 1);
}

/// Otherwise a machine that loses its power may keep an empty file of each new name.
#[test]
fn games_are_removed_after_their_archive_and_its_name_are_on_the_disk() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("selfplay_sync");
    folder.write("1-0.vf", "game");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts");
    let pack = "import os, pathlib, sys\n\
                sys.dont_write_bytecode = True\n\
                sys.path.insert(0, sys.argv[1])\n\
                import selfplay\n\
                os.fsync = lambda _: print(*sorted(os.listdir()))\n\
                selfplay.pack(pathlib.Path('1-0.vf'))";
    let mut command = Command::new("python3");
    command.args(["-c", pack]).arg(scripts);
    let output = command.current_dir(folder.path("")).output().unwrap();
    let synced = String::from_utf8(output.stdout).unwrap();
    assert_eq!(synced, "1-0.vf 1-0.vf.xz.part\n1-0.vf 1-0.vf.xz\n");
    assert_eq!(folder.names(), ["1-0.vf.xz"]);
}

#[test]
fn an_option_with_an_equals_sign_takes_the_place_of_the_usual_mix() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("selfplay_equals");
    write_engine(&folder, ONE_GAME);
    let options = "--cores 1 --last-seed 1 -- --endgame-percent=0";
    let (status, text) = run(&folder, options);
    assert_eq!(status, Some(0), "{text}");
    let calls = calls(&folder);
    assert_eq!(calls.matches("--endgame-percent").count(), 1, "{calls}");
    assert!(calls.contains("--chess960-percent 5"), "{calls}");
}

#[test]
fn the_reason_of_a_refusal_is_shown_and_not_the_hint_after_it() {
    if !has_python() {
        return;
    }
    let refusal = "error: the following required arguments were not provided:\n  --wrong <N>\n\n\
                   Usage: tabiya datagen\n\nFor more information, try '--help'.";
    let panic =
        "thread 'main' panicked at src/main.rs:1:1:\nno memory\nnote: run with `RUST_BACKTRACE=1`";
    for (message, reason) in [
        (
            refusal,
            "row: error: the following required arguments were not provided: --wrong <N>\n",
        ),
        (panic, "row: no memory\n"),
        ("tabiya: a: exists", "row: tabiya: a: exists\n"),
    ] {
        let folder = Folder::new("selfplay_refusal");
        write_engine(&folder, &format!("cat >&2 <<'END'\n{message}\nEND\nexit 2"));
        // Three at a time, because one waits after each failure.
        let (status, text) = run(&folder, "--cores 3");
        assert_eq!(status, Some(1), "{text}");
        assert!(text.ends_with(reason), "{text}");
    }
}
