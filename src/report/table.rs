//! A table of a report, before it takes the form of text, Markdown or LaTeX.

/// Cells under headings; the first column names what the others are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Titles of the columns.
    pub headings: Vec<String>,
    /// As many cells in each as there are headings.
    pub rows: Vec<Vec<String>>,
    /// How to read it, for beneath it: sentences, one a paragraph.
    pub notes: Vec<String>,
}

impl Table {
    /// Lines for a terminal, columns aligned, without title and notes. Ends with a line break.
    #[must_use]
    pub fn to_text(&self) -> String {
        let lines = || std::iter::once(&self.headings).chain(&self.rows);
        let width = |column: usize| {
            let cells = lines().map(|cells| cells[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.headings.len()).map(width).collect();
        let mut text = String::new();
        for cells in lines() {
            let mut line = String::new();
            for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                let aligned = match column {
                    0 => format!("{cell:<width$}"),
                    _ => format!("  {cell:>width$}"),
                };
                line.push_str(&aligned);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_left_and_figures_right() {
        let owned = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let table = Table {
            title: "t".to_owned(),
            headings: owned(["name", "µs"]),
            rows: vec![owned(["a · b", "1"]), owned(["c", "200"])],
            notes: Vec::new(),
        };
        assert_eq!(table.to_text(), "name    µs\na · b    1\nc      200\n");
    }
}
