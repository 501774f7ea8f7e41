//! The report as one HTML page: no script, no other file, no network.

use super::document::{DOUBTFUL, Document, Section};
use super::palette::{GRID, INK, MUTED, PAPER};
use super::summary::{HEADINGS, legend};
use super::table::Table;

/// Layout and both colour schemes. Charts are drawn in the light scheme; in the dark one their paper,
/// ink and grid take the colours of the page.
const STYLE: &str = "
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --muted: #57606a; --grid: #e1e4e8; --link: #0969da; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e6e8ea; --muted: #a2abb3; --grid: #343a40; --link: #6cb2ff; }
}
* { box-sizing: border-box; }
p { max-width: 960px; }
body { margin: 0 auto; max-width: 1072px; padding: 24px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 \"DejaVu Sans\", Verdana, system-ui, sans-serif; }
h1 { font-size: 28px; line-height: 1.25; margin: 0 0 8px; }
h2 { font-size: 20px; margin: 48px 0 8px; padding-top: 16px; border-top: 1px solid var(--grid); }
a { color: var(--link); }
p.asked { margin: 0 0 8px; }
ul.facts { color: var(--muted); padding-left: 20px; margin: 0 0 16px; }
nav ul { columns: 2; padding-left: 20px; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 6px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
th { white-space: normal; vertical-align: bottom; border-bottom: 2px solid var(--muted); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
figure { margin: 8px 0 0 -16px; overflow-x: auto; }
figure svg { display: block; max-width: 100%; height: auto; }
.small { color: var(--muted); font-size: 14px; }
@media (max-width: 640px) { nav ul { columns: 1; } figure svg { max-width: none; } }
@media print { h2 { break-after: avoid; } figure { break-inside: avoid; } nav { display: none; } }
";

/// The whole page.
#[must_use]
pub fn render(document: &Document) -> String {
    let title = escape(&document.title);
    let asked = document.asked.iter();
    let asked: String = asked
        .map(|text| format!("<p class=\"asked\">{}</p>\n", escape(text)))
        .collect();
    let facts = items(document.facts.iter().map(|fact| escape(fact)));
    let contents = items(document.sections.iter().map(|section| {
        let chart = &section.chart;
        format!("<a href=\"#{}\">{}</a>", chart.name, escape(chart.question))
    }));
    let sections: String = document.sections.iter().map(render_section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – sokolab</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n\
         <header><h1>{title}</h1>\n{asked}<ul class=\"facts\">{facts}</ul></header>\n\
         <nav aria-label=\"Contents\"><ul>{contents}</ul></nav>\n\
         <main>\n<section id=\"summary\"><h2>What did each configuration answer, and what did it need?</h2>\n{}\n\
         <p class=\"small\">{}</p>{}</section>\n{}{sections}</main>\n</body>\n</html>\n",
        chart_colors(),
        table(document),
        escape(&legend()),
        doubtful(document),
        comparison(document),
    )
}

/// All configurations against the baseline.
fn comparison(document: &Document) -> String {
    let tables = document.against.tables();
    if tables.is_empty() {
        return String::new();
    }
    let tables: String = tables.iter().map(titled_table).collect();
    format!(
        "<section id=\"comparison\"><h2>{}</h2>\n{tables}</section>\n",
        escape(&document.comparison_question())
    )
}

fn titled_table(table: &Table) -> String {
    let row = |cells: &Vec<String>, tag: &str| -> String {
        let cells = cells.iter();
        let cells: String = cells
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
    let notes: String = table
        .notes
        .iter()
        .map(|note| format!("<p class=\"small\">{}</p>\n", escape(note)))
        .collect();
    format!(
        "<h3>{}</h3>\n<div class=\"table\"><table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody></table></div>\n{notes}",
        escape(&table.title),
        row(&table.headings, "th"),
    )
}

/// The runs under pressure, folded away.
fn doubtful(document: &Document) -> String {
    if document.doubtful.is_empty() {
        return String::new();
    }
    let runs = items(document.doubtful.iter().map(|run| escape(run)));
    format!("\n<details class=\"small\"><summary>{DOUBTFUL}</summary><ul>{runs}</ul></details>")
}

fn items(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("<li>{item}</li>")).collect()
}

/// Rules that give the fixed colours of charts the colours of the page.
fn chart_colors() -> String {
    [
        (PAPER, "--paper"),
        (INK, "--ink"),
        (MUTED, "--muted"),
        (GRID, "--grid"),
    ]
    .map(|(color, name)| {
        let hex = color.hex();
        format!(
            "figure [fill=\"{hex}\"] {{ fill: var({name}); }}\nfigure [stroke=\"{hex}\"] {{ stroke: var({name}); }}\n"
        )
    })
    .concat()
}

fn table(document: &Document) -> String {
    let head: String = HEADINGS
        .iter()
        .map(|heading| format!("<th scope=\"col\">{}</th>", escape(heading)))
        .collect();
    let body: String = document
        .lines
        .iter()
        .map(|line| {
            let cells = line
                .cells()
                .map(|cell| format!("<td>{}</td>", escape(&cell)));
            format!("<tr>{}</tr>\n", cells.concat())
        })
        .collect();
    format!(
        "<div class=\"table\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )
}

fn render_section(section: &Section) -> String {
    let chart = &section.chart;
    let body = match &section.picture {
        Ok(picture) => format!(
            "<figure role=\"img\" aria-label=\"{}\">{}</figure>\n<p>{}</p>\n\
             <p class=\"small\">Files: <a href=\"charts/{name}.svg\">{name}.svg</a>, \
             <a href=\"charts/{name}.png\">{name}.png</a></p>",
            escape(chart.question),
            picture.untitled_svg,
            escape(&picture.reading),
            name = chart.name,
        ),
        Err(reason) => format!("<p>No chart: {}</p>", escape(&reason.0)),
    };
    format!(
        "<section id=\"{}\"><h2>{}</h2>\n{body}</section>\n",
        chart.name,
        escape(chart.question)
    )
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }
}
