//! The report as Markdown, for a repository or a discussion.

use super::charts::Chart;
use super::document::{DOUBTFUL, Document, Picture};
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
    text.push_str(&format!("\n## Summary\n\n{}", summary(document)));
    if !document.against.lines.is_empty() {
        text.push_str(&format!("\n## {}\n\n", document.comparison_question()));
        text.push_str(&comparison(document));
    }
    for section in &document.sections {
        let chart = &section.chart;
        text.push_str(&format!("\n## {}\n\n", chart.question));
        match &section.picture {
            Ok(drawn) => text.push_str(&picture(chart, drawn, ".")),
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

/// The summary tables.
#[must_use]
pub fn summary(document: &Document) -> String {
    let tables = summary::tables(&document.lines);
    tables.each_ref().map(table).join("\n")
}

/// All configurations against the baseline, one table for each measure; empty without another configuration.
#[must_use]
pub fn comparison(document: &Document) -> String {
    let tables = document.against.tables();
    let titled = tables
        .iter()
        .map(|it| format!("**{}**\n\n{}", escape(&it.title), table(it)));
    titled.collect::<Vec<_>>().join("\n")
}

/// A chart with how to read it; `report` is the directory of the report, seen from that of the page.
#[must_use]
pub fn picture(chart: &Chart, picture: &Picture, report: &str) -> String {
    let file = format!("{report}/charts/{}.svg", chart.name);
    let file = file.strip_prefix("./").unwrap_or(&file);
    // In brackets a path may have blanks.
    let file = match file.contains([' ', '(', ')']) {
        true => format!("<{file}>"),
        false => file.to_owned(),
    };
    format!(
        "![{}]({file})\n\n{}\n",
        chart.subject,
        escape(&picture.reading)
    )
}

/// Text as it is, set in code: between more backticks than it has in a row.
#[must_use]
pub fn code(text: &str) -> String {
    let longest = text.split(|sign| sign != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    match text.contains('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

fn table(table: &Table) -> String {
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
    fn code_is_set_between_more_backticks_than_it_has() {
        assert_eq!(code("a b"), "`a b`");
        assert_eq!(code("a ``b` c"), "``` a ``b` c ```");
    }

    #[test]
    fn cells_cannot_break_the_table() {
        assert_eq!(
            row(&["a|b\nc".to_owned(), "x_y [1, 2]".to_owned()]),
            "| a\\|b c | x\\_y \\[1, 2\\] |\n"
        );
    }
}
