//! The summary table for a paper, as a LaTeX `tabular` of the package `booktabs`.

use super::summary::{HEADINGS, Line};

/// The table; a document includes it with `\input`.
#[must_use]
pub fn table(lines: &[Line]) -> String {
    let columns = format!("l{}", "r".repeat(HEADINGS.len() - 1));
    let mut text =
        format!("% Needs \\usepackage{{booktabs}}.\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
    text.push_str(&row(&HEADINGS.map(str::to_owned)));
    text.push_str("\\midrule\n");
    for line in lines {
        text.push_str(&row(&line.cells()));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
    format!("{} \\\\\n", cells.join(" & "))
}

/// Writes the characters that LaTeX gives a meaning, and those outside its default encoding.
fn escape(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for character in cell.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                text.push('\\');
                text.push(character);
            }
            '\\' => text.push_str("\\textbackslash{}"),
            '~' => text.push_str("\\textasciitilde{}"),
            '^' => text.push_str("\\textasciicircum{}"),
            '·' => text.push_str("$\\cdot$"),
            '×' => text.push_str("$\\times$"),
            'µ' => text.push_str("$\\mu$"),
            '–' => text.push_str("--"),
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            row(&[
                "a_b · shared ×2".to_owned(),
                "5 %".to_owned(),
                "2 µs".to_owned()
            ]),
            "a\\_b $\\cdot$ shared $\\times$2 & 5 \\% & 2 $\\mu$s \\\\\n"
        );
    }

    #[test]
    fn every_row_has_a_cell_for_each_column() {
        let text = table(&[]);
        let head = text.lines().find(|line| line.ends_with("\\\\")).unwrap();
        let (_, columns) = text.split_once("{tabular}{").unwrap();
        let (columns, _) = columns.split_once('}').unwrap();
        assert_eq!(head.matches('&').count() + 1, columns.len());
    }
}
