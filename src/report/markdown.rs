//! The report as Markdown, for a repository or a discussion.

use super::document::{DOUBTFUL, Document};
use super::summary;
use super::table::Table;

/// The whole report; pictures are linked in `charts/`.
#[must_use]
pub fn render(document: &Document) -> String {
    let mut text = format!("# {}\n\n", escape(&document.title));
    for asked in &document.asked {
        text.push_str(&format!("{}\n\n", escape(asked)));
    }
    for fact in &document.facts {
        text.push_str(&format!("* {}\n", escape(fact)));
    }
    text.push_str("\n## Summary\n");
    for part in summary::tables(&document.lines) {
        text.push_str(&format!("\n{}", table(&part)));
    }
    for section in &document.sections {
        let chart = &section.chart;
        text.push_str(&format!("\n## {}\n\n", chart.question));
        match &section.picture {
            Ok(picture) => text.push_str(&format!(
                "![{}](charts/{}.svg)\n\n{}\n",
                chart.subject,
                chart.name,
                escape(&picture.reading)
            )),
            Err(reason) => text.push_str(&format!("No chart: {}\n", escape(&reason.0))),
        }
    }
    if !document.doubtful.is_empty() {
        text.push_str(&format!("\n## {DOUBTFUL}\n\n"));
    }
    for run in &document.doubtful {
        text.push_str(&format!("* {}\n", escape(run)));
    }
    text
}

/// A table with its notes beneath.
#[must_use]
pub fn table(table: &Table) -> String {
    let mut text = row(&table.headings);
    let figures = table.headings.len().saturating_sub(1);
    text.push_str(&format!("| --- |{}\n", " ---: |".repeat(figures)));
    for cells in &table.rows {
        text.push_str(&row(cells));
    }
    for note in &table.notes {
        text.push_str(&format!("\n{}\n", escape(note)));
    }
    text
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Keeps names from being read as markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_cannot_break_the_table() {
        assert_eq!(
            row(&["a|b\nc".to_owned(), "x_y [1, 2]".to_owned()]),
            "| a\\|b c | x\\_y \\[1, 2\\] |\n"
        );
    }
}
