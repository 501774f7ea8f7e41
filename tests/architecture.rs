//! The layers of the library: each module imports only what stands below it.
//!
//! Every path that starts at `crate::`, or that climbs to the crate root by `super::`, is an import,
//! in `use` lines and in the middle of code alike, tests of the module included. Comments and
//! strings are none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A top-level module.
struct Layer {
    module: &'static str,
    /// A module may import only from lower floors, which rules out circles.
    floor: u8,
    /// What it may import; less than all lower floors where a module must not know something.
    may_import: &'static [&'static str],
}

/// The table of layers. It is the only place that knows them.
const LAYERS: [Layer; 10] = [
    Layer {
        module: "cli",
        floor: 7,
        may_import: &[
            "report",
            "experiment",
            "parallel",
            "validate",
            "search",
            "sokoban",
            "puzzle",
            "actor",
        ],
    },
    Layer {
        module: "report",
        floor: 6,
        may_import: &["experiment"],
    },
    Layer {
        module: "experiment",
        floor: 5,
        may_import: &[
            "parallel", "validate", "search", "sokoban", "puzzle", "actor",
        ],
    },
    Layer {
        module: "parallel",
        floor: 4,
        may_import: &["search", "puzzle", "actor", "sync"],
    },
    Layer {
        module: "validate",
        floor: 4,
        may_import: &["sokoban", "puzzle"],
    },
    Layer {
        module: "search",
        floor: 3,
        may_import: &["puzzle", "sync"],
    },
    Layer {
        module: "sokoban",
        floor: 3,
        may_import: &["puzzle"],
    },
    Layer {
        module: "puzzle",
        floor: 2,
        may_import: &[],
    },
    Layer {
        module: "actor",
        floor: 1,
        may_import: &[],
    },
    Layer {
        module: "sync",
        floor: 1,
        may_import: &[],
    },
];

fn layer(module: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.module == module)
}

#[test]
fn the_table_allows_only_imports_from_lower_floors() {
    for layer in &LAYERS {
        for target in layer.may_import {
            let target = self::layer(target).unwrap();
            assert!(
                target.floor < layer.floor,
                "{} -> {}",
                layer.module,
                target.module
            );
        }
    }
}

#[test]
fn no_module_imports_what_it_must_not_know() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut violations = Vec::new();
    let mut seen = BTreeSet::new();
    for file in rust_files(&root) {
        let module = module_path(file.strip_prefix(&root).unwrap());
        seen.extend(module.first().cloned());
        let source = fs::read_to_string(&file).unwrap();
        violations.extend(
            violations_of(&module, &source)
                .into_iter()
                .map(|violation| format!("{}: {violation}", file.display())),
        );
    }
    assert_eq!(violations, Vec::<String>::new());
    let listed: BTreeSet<String> = LAYERS.iter().map(|layer| layer.module.to_owned()).collect();
    assert_eq!(
        seen, listed,
        "the modules of src and those of the table differ"
    );
}

/// All `.rs` files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`; `lib.rs` and `main.rs` are the crate root.
fn module_path(file: &Path) -> Vec<String> {
    let names = file.with_extension("");
    names
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| !["mod", "lib", "main"].contains(&name.as_str()))
        .collect()
}

/// Forbidden imports of a source text in the module with this path.
fn violations_of(module: &[String], source: &str) -> Vec<String> {
    let Some(from) = module.first() else {
        return Vec::new(); // The crate root names every module.
    };
    let Some(layer) = layer(from) else {
        return vec![format!("`{from}` is not in the table of layers")];
    };
    imports(module.len(), &tokens(source))
        .into_iter()
        .filter(|target| target != from && !layer.may_import.contains(&target.as_str()))
        .map(|target| format!("`{from}` must not import `{target}`"))
        .collect()
}

/// Top-level modules that the tokens of a file import; `depth` is the length of its module path.
fn imports(depth: usize, tokens: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut inner = InlineModules::default();
    for (index, token) in tokens.iter().enumerate() {
        inner.meet(index, tokens);
        let is_path_start = index < 2 || tokens[index - 1] != "::";
        if !is_path_start {
            continue;
        }
        let rest = match token.as_str() {
            "crate" | "sokolab" => after_separator(&tokens[index + 1..]),
            "super" => climb(depth + inner.open.len(), &tokens[index..]),
            _ => None,
        };
        found.extend(rest.map(heads).unwrap_or_default());
    }
    found.retain(|name| layer(name).is_some());
    found
}

/// Inline modules (`mod tests { .. }`) around the token at hand: `super` climbs out of them first.
#[derive(Default)]
struct InlineModules {
    braces: usize,
    /// Brace depth at which each of them opened.
    open: Vec<usize>,
}

impl InlineModules {
    fn meet(&mut self, index: usize, tokens: &[String]) {
        match tokens[index].as_str() {
            "{" => {
                if index >= 2 && tokens[index - 2] == "mod" {
                    self.open.push(self.braces);
                }
                self.braces += 1;
            }
            "}" => {
                self.braces = self.braces.saturating_sub(1);
                if self.open.last() == Some(&self.braces) {
                    self.open.pop();
                }
            }
            _ => {}
        }
    }
}

fn after_separator(tokens: &[String]) -> Option<&[String]> {
    let (first, rest) = tokens.split_first()?;
    (first == "::").then_some(rest)
}

/// What follows `super::super::..`, if it climbs to the crate root.
fn climb(depth: usize, tokens: &[String]) -> Option<&[String]> {
    let mut rest = tokens;
    let mut climbed = 0;
    while rest.first().is_some_and(|token| token == "super") {
        rest = after_separator(&rest[1..])?;
        climbed += 1;
    }
    (climbed >= depth).then_some(rest)
}

/// The first names of the paths at the start of the tokens: one, or those of a `{..}` group.
fn heads(tokens: &[String]) -> Vec<String> {
    if tokens.first().is_none_or(|token| token != "{") {
        return tokens.first().cloned().into_iter().collect();
    }
    let mut names = Vec::new();
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => break,
            "}" => depth -= 1,
            _ if depth == 1 && ["{", ","].contains(&tokens[index - 1].as_str()) => {
                names.push(token.clone());
            }
            _ => {}
        }
    }
    names
}

/// Names, `::` and single signs of a source text, without comments, strings and characters.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest);
        if length > 0 {
            rest = &rest[length..];
            continue;
        }
        let is_name = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
        let length = if is_name(first) {
            rest.find(|symbol| !is_name(symbol)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            tokens.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    tokens
}

/// Bytes of the comment, string or character literal at the start of a text; 0 if there is none.
fn skipped(text: &str) -> usize {
    let until = |end: &str, from: usize| {
        text[from..]
            .find(end)
            .map_or(text.len(), |at| from + at + end.len())
    };
    if text.starts_with("//") {
        return until("\n", 2);
    }
    if text.starts_with("/*") {
        return block_comment(text);
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return until(&format!("\"{}", "#".repeat(hashes)), hashes + 2);
        }
    }
    if text.starts_with('\'') {
        return character(text);
    }
    0
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// Bytes of a literal between two equal quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, symbol) in text.char_indices().skip(1) {
        match symbol {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if symbol == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Bytes of a character literal; 0 for a lifetime.
fn character(text: &str) -> usize {
    let mut symbols = text.chars().skip(1);
    match (symbols.next(), symbols.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(text, '\''),
        _ => 0,
    }
}

mod self_test {
    use super::violations_of;

    fn violations(module: &str, source: &str) -> Vec<String> {
        let module: Vec<String> = module.split("::").map(str::to_owned).collect();
        violations_of(&module, source)
    }

    fn must_not(from: &str, target: &str) -> Vec<String> {
        vec![format!("`{from}` must not import `{target}`")]
    }

    #[test]
    fn planted_violations_are_caught() {
        for (module, source, target) in [
            ("search", "use crate::sokoban::Board;", "sokoban"),
            (
                "search::engine",
                "use crate::{puzzle::Puzzle, parallel};",
                "parallel",
            ),
            (
                "sokoban",
                "use crate::{\n    puzzle::{Puzzle, Cost},\n    search::{Goal},\n};",
                "search",
            ),
            (
                "sokoban::check",
                "fn f() { crate::search::run(); }",
                "search",
            ),
            (
                "validate",
                "pub(crate) use crate::search::Outcome as O;",
                "search",
            ),
            (
                "report",
                "use crate::experiment::Row; use crate::sokoban::Level;",
                "sokoban",
            ),
            ("puzzle", "use super::actor::Mailbox;", "actor"),
            (
                "search::engine",
                "use super::super::sokoban::Board;",
                "sokoban",
            ),
            ("actor", "mod tests { use super::super::search; }", "search"),
            (
                "parallel",
                "fn f<'a>(x: &'a str) { let c = '\"'; crate::sokoban::g(c) }",
                "sokoban",
            ),
        ] {
            let from = module.split("::").next().unwrap();
            assert_eq!(
                violations(module, source),
                must_not(from, target),
                "{source}"
            );
        }
    }

    #[test]
    fn what_is_allowed_or_no_import_is_not_reported() {
        for (module, source) in [
            (
                "search",
                "use crate::puzzle::Puzzle; use super::limits::Limits;",
            ),
            (
                "search",
                "// use crate::sokoban::Board;\n/* crate::sokoban /* nested */ crate::cli */",
            ),
            (
                "search",
                "const S: &str = \"crate::sokoban \\\" crate::sokoban\";",
            ),
            (
                "search",
                "const S: &str = r#\"crate::sokoban \" crate::sokoban\"#;",
            ),
            ("search", "mod tests { use super::sokoban; }"),
            (
                "search",
                "use other::crate_like; use serde::sokoban; mod sokoban {}",
            ),
            (
                "cli::show",
                "use crate::sokoban::Level; use crate::report::chart;",
            ),
        ] {
            assert_eq!(violations(module, source), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn a_module_outside_of_the_table_is_reported() {
        assert_eq!(
            violations("tricks", ""),
            ["`tricks` is not in the table of layers"]
        );
    }
}
