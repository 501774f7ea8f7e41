use std::fs;

use super::*;

fn to(out: &Path) -> ReportOptions {
    ReportOptions {
        out: out.to_owned(),
        ..ReportOptions::default()
    }
}

#[test]
fn a_report_has_every_file_and_shows_every_chart_or_why_not() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("report");
    let written = write(synthetic::rows(&synthetic::USUAL), &[], "rows", &to(&out)).unwrap();
    assert_eq!(written.drawn + written.skipped.len(), CHARTS.len());
    let page = fs::read_to_string(&written.page).unwrap();
    let markdown = fs::read_to_string(out.join("report.md")).unwrap();
    for chart in &CHARTS {
        assert!(page.contains(&format!("<section id=\"{}\">", chart.name)));
        assert!(markdown.contains(chart.question));
        let skipped = written.skipped.iter().find(|(name, _)| *name == chart.name);
        for extension in ["svg", "png"] {
            assert_eq!(
                out.join(chart_file(chart.name, extension)).exists(),
                skipped.is_none(),
                "{}",
                chart.name
            );
        }
        if let Some((_, reason)) = skipped {
            assert!(page.contains(reason), "{reason}");
        }
    }
    assert_eq!(page.matches("<svg ").count(), written.drawn);
    assert!(
        fs::read_to_string(out.join("summary.tex"))
            .unwrap()
            .contains("bfs")
    );
}

#[test]
fn the_page_needs_no_other_file_and_no_network() {
    let directory = tempfile::tempdir().unwrap();
    let written = write(
        synthetic::rows(&synthetic::USUAL),
        &[],
        "rows",
        &to(directory.path()),
    )
    .unwrap();
    let page = fs::read_to_string(written.page).unwrap();
    for foreign in ["<script", "<img", "<link", "@import", "url(", "src="] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // The name of the SVG language is the only address.
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http"));
}

#[test]
fn names_from_rows_cannot_become_markup() {
    let directory = tempfile::tempdir().unwrap();
    let mut rows = synthetic::rows(&synthetic::USUAL);
    for row in &mut rows {
        "<script>alert(1)</script>".clone_into(&mut row.experiment);
        row.strategy = format!("<b>{}", row.strategy);
    }
    let written = write(rows, &[], "rows", &to(directory.path())).unwrap();
    let page = fs::read_to_string(written.page).unwrap();
    assert!(!page.contains("<script") && !page.contains("<b>"));
}

#[test]
fn no_rows_are_refused_and_leave_an_earlier_report_alone() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("index.html"), "earlier").unwrap();
    let error = write(Vec::new(), &[], "results/empty", &to(directory.path())).unwrap_err();
    assert!(
        error.to_string().contains("no rows in results/empty"),
        "{error}"
    );
    let page = fs::read_to_string(directory.path().join("index.html")).unwrap();
    assert_eq!(page, "earlier");
}

#[test]
fn charts_of_an_earlier_report_that_no_longer_apply_are_removed() {
    let directory = tempfile::tempdir().unwrap();
    let speedup = directory.path().join("charts/speedup.svg");
    write(
        synthetic::rows(&synthetic::SCALING),
        &[],
        "rows",
        &to(directory.path()),
    )
    .unwrap();
    assert!(speedup.exists());
    write(
        synthetic::rows(&synthetic::USUAL),
        &[],
        "rows",
        &to(directory.path()),
    )
    .unwrap();
    assert!(!speedup.exists());
}

#[test]
fn the_same_rows_give_the_same_report() {
    let directory = tempfile::tempdir().unwrap();
    let page = |name: &str| {
        let out = directory.path().join(name);
        let written = write(synthetic::rows(&synthetic::SCALING), &[], "rows", &to(&out)).unwrap();
        fs::read_to_string(written.page).unwrap()
    };
    assert_eq!(page("first"), page("second"));
}

fn result_directory(rows: &[Row]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut file = csv::Writer::from_path(directory.path().join(ROWS_FILE)).unwrap();
    file.write_record(Row::header(&synthetic::RULES)).unwrap();
    for row in rows {
        file.write_record(row.to_record(&synthetic::RULES)).unwrap();
    }
    file.flush().unwrap();
    directory
}

#[test]
fn rows_of_several_directories_are_reported_together_and_each_once() {
    let rows = synthetic::rows(&synthetic::USUAL);
    let (first, second) = rows.split_at(100);
    let directories = [result_directory(first), result_directory(second)];
    let [first, second] = directories.each_ref().map(|d| d.path().to_owned());
    let out = first.join("report");
    let written = generate(&[first.clone(), second, first.join(".")], &to(&out)).unwrap();
    assert_eq!((written.rows, written.repeated), (rows.len(), 0));
    let page = fs::read_to_string(written.page).unwrap();
    assert!(!page.contains("left out: their run_id"));
}

#[test]
fn a_run_in_two_directories_counts_once_and_the_first_row_is_kept() {
    let row = |run_id: &str, strategy: &str| Row {
        run_id: run_id.to_owned(),
        strategy: strategy.to_owned(),
        status: "solved".to_owned(),
        ..Row::default()
    };
    let shards = [
        result_directory(&[row("a", "bfs"), row("b", "bfs")]),
        result_directory(&[row("b", "overlap"), row("c", "bfs"), row("a", "overlap")]),
    ];
    let directories = shards.each_ref().map(|d| d.path().to_owned());
    let written = generate(&directories, &to(&directories[0].join("report"))).unwrap();
    assert_eq!((written.rows, written.repeated), (3, 2));
    let page = fs::read_to_string(written.page).unwrap();
    assert!(page.contains("<li>3 runs, 3 of them answered</li>"));
    assert!(page.contains("<li>2 rows left out: their run_id occurs"));
    assert!(!page.contains("overlap"));
}

#[test]
fn a_directory_without_rows_is_named() {
    let empty = tempfile::tempdir().unwrap();
    let error = generate(&[empty.path().to_owned()], &to(empty.path())).unwrap_err();
    assert!(matches!(error, ReportError::Rows(_)), "{error}");
    assert!(error.to_string().contains("runs.csv"), "{error}");

    let headings_only = result_directory(&[]);
    let error = generate(&[headings_only.path().to_owned()], &to(empty.path())).unwrap_err();
    assert!(matches!(error, ReportError::NoRows(_)), "{error}");
}

#[test]
fn a_report_says_what_was_asked_what_is_missing_and_which_times_are_doubtful() {
    let out = tempfile::tempdir().unwrap();
    let mut rows = synthetic::rows(&synthetic::USUAL);
    rows[0].run_id = "busy".to_owned();
    rows[0].cpu_pressure = Some(12.5);
    let asked = Origin {
        question: "What does <pruning> save?".to_owned(),
        hypothesis: Some("Half of the states.".to_owned()),
        missing: 7,
    };
    write(rows, &[asked.clone(), asked], "rows", &to(out.path())).unwrap();
    let page = fs::read_to_string(out.path().join("index.html")).unwrap();
    let markdown = fs::read_to_string(out.path().join("report.md")).unwrap();
    assert_eq!(page.matches("What does &lt;pruning&gt; save?").count(), 1);
    for text in [&page, &markdown] {
        assert!(text.contains("Hypothesis: Half of the states."), "{text}");
        assert!(text.contains("14 planned runs have no row"), "{text}");
        assert!(text.contains("busy: "), "{text}");
        assert!(text.contains("12.5 %"), "{text}");
    }
    assert!(markdown.contains("## Runs under pressure"), "{markdown}");
}

#[test]
fn a_page_takes_parts_of_a_report_and_stays_the_same_the_second_time() {
    let directory = tempfile::tempdir().unwrap();
    let docs = directory.path().join("docs");
    fs::create_dir(&docs).unwrap();
    let file = docs.join("page.md");
    let parts = ["summary", "comparison", "chart:coverage"];
    let page: String = parts
        .iter()
        .map(|part| format!("<!-- sokolab:begin {part} -->\n<!-- sokolab:end {part} -->\n"))
        .collect();
    fs::write(&file, format!("# Mine\n{page}")).unwrap();
    let options = ReportOptions {
        splice: Some(Splice {
            file: file.clone(),
            command: "sokolab report out --splice docs/page.md".to_owned(),
        }),
        baseline: Some("dfs none".to_owned()),
        ..to(&directory.path().join("out/report"))
    };
    let spliced = || {
        write(synthetic::rows(&synthetic::USUAL), &[], "rows", &options).unwrap();
        fs::read_to_string(&file).unwrap()
    };
    let first = spliced();
    assert!(first.starts_with("# Mine\n"), "{first}");
    for words in [
        "| bfs · corner |",
        "**wall time, against dfs · none**",
        "![Coverage](../out/report/charts/coverage.svg)",
        "Made by `sokolab report out --splice docs/page.md`",
    ] {
        assert!(first.contains(words), "{words}: {first}");
    }
    assert_eq!(spliced(), first);
}

#[test]
fn a_page_that_cannot_take_a_report_leaves_everything_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("page.md");
    let out = directory.path().join("report");
    let refused = |page: &str| {
        fs::write(&file, page).unwrap();
        let options = ReportOptions {
            splice: Some(Splice {
                file: file.clone(),
                command: String::new(),
            }),
            ..to(&out)
        };
        let rows = synthetic::rows(&synthetic::USUAL);
        let error = write(rows, &[], "rows", &options).unwrap_err();
        assert_eq!(fs::read_to_string(&file).unwrap(), page);
        assert!(!out.join("index.html").exists());
        error.to_string()
    };
    let speedup = "\n<!-- sokolab:begin chart:speedup -->\n<!-- sokolab:end chart:speedup -->\n";
    let error = refused(speedup);
    assert!(
        error.contains("page.md, line 2: these rows give no chart:speedup"),
        "{error}"
    );
    let error = refused("no markers here\n");
    assert!(
        error.contains("page.md: no markers; put <!-- sokolab:begin"),
        "{error}"
    );
}
