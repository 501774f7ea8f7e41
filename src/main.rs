//! The `sokolab` binary: everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    sokolab::cli::main()
}
