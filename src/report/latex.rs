//! Tables for a paper, as LaTeX `tabular`s of the package `booktabs`.

use super::table::Table;

/// The tables one after another, each with what it shows in a comment; a document includes them with `\input`.
#[must_use]
pub fn render(tables: &[Table]) -> String {
    let tabulars: Vec<String> = tables.iter().map(tabular).collect();
    format!("% Needs \\usepackage{{booktabs}}.\n{}", tabulars.join("\n"))
}

fn tabular(table: &Table) -> String {
    let columns = format!("l{}", "r".repeat(table.headings.len().saturating_sub(1)));
    let mut text = format!(
        "% {}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n",
        comment(&table.title)
    );
    text.push_str(&row(&table.headings));
    text.push_str("\\midrule\n");
    for cells in &table.rows {
        text.push_str(&row(cells));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    for note in &table.notes {
        text.push_str(&format!("% {}\n", comment(note)));
    }
    text
}

/// A comment ends with its line.
fn comment(text: &str) -> String {
    text.replace(char::is_control, " ")
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
    use crate::report::summary;

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
        let text = render(&summary::tables(&[]));
        let head = text.lines().find(|line| line.ends_with("\\\\")).unwrap();
        let (_, columns) = text.split_once("{tabular}{").unwrap();
        let (columns, _) = columns.split_once('}').unwrap();
        assert_eq!(head.matches('&').count() + 1, columns.len());
    }
}
