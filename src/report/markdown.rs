//! The report as Markdown, for a repository or a discussion.

use super::document::{DOUBTFUL, Document};
use super::summary::{HEADINGS, LEGEND};

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
    text.push_str("\n## Summary\n\n");
    text.push_str(&row(&HEADINGS.map(str::to_owned)));
    text.push_str(&format!(
        "| --- |{}\n",
        " ---: |".repeat(HEADINGS.len() - 1)
    ));
    for line in &document.lines {
        text.push_str(&row(&line.cells()));
    }
    text.push_str(&format!("\n{LEGEND}\n"));
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
