//! Tells the program its own provenance: revision and compiler go into every row and manifest.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    // Sources decide whether the tree is dirty, the log of HEAD which revision is checked out.
    for path in ["build.rs", "Cargo.toml", "Cargo.lock", "src"] {
        println!("cargo::rerun-if-changed={path}");
    }
    if let Some(log) = first_line("git", &["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo::rerun-if-changed={log}");
    }
    // A package from a registry has no repository; another repository around it must not lend its name.
    let revision = own_repository()
        .then(|| first_line("git", &["describe", "--always", "--dirty", "--tags"]))
        .flatten();
    let revision = revision.unwrap_or_else(|| "unknown".to_owned());
    let compiler = env::var("RUSTC").ok();
    let compiler = compiler.and_then(|rustc| first_line(&rustc, &["--version"]));
    let compiler = compiler.unwrap_or_else(|| "unknown".to_owned());
    let profile = env::var("PROFILE").unwrap_or_else(|_| "unknown".to_owned());
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    println!("cargo::rustc-env=SOKOLAB_FLAGS={}", flags());
    println!("cargo::rustc-env=SOKOLAB_REVISION={revision}");
    println!("cargo::rustc-env=SOKOLAB_COMPILER={compiler}");
    println!("cargo::rustc-env=SOKOLAB_PROFILE={profile}");
}

/// What the compiler was told that decides speed: target, its features, optimisation, and flags of the user.
fn flags() -> String {
    let of = |name: &str| env::var(name).unwrap_or_default();
    let rustflags = of("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    format!(
        "target={} features={} opt-level={} rustflags={rustflags:?}",
        of("TARGET"),
        of("CARGO_CFG_TARGET_FEATURE"),
        of("OPT_LEVEL")
    )
}

/// Whether the package is tracked by the repository it lies in.
fn own_repository() -> bool {
    let tracked = ["ls-files", "--error-unmatch", "Cargo.toml"];
    first_line("git", &tracked).is_some()
}

/// The first line of what a program prints; none if it fails.
fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next()?.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}
