use super::*;

fn row(strategy: &str, pruning: &str, rules: usize, threads: u64) -> Row {
    Row {
        level_file: "levels.xsb".to_owned(),
        level: 1,
        strategy: strategy.to_owned(),
        pruning: pruning.to_owned(),
        threading: if threads == 1 { "sequential" } else { "shared" }.to_owned(),
        threads,
        pruned_by_rule: ["a", "b", "c"]
            .iter()
            .enumerate()
            .map(|(index, rule)| ((*rule).to_owned(), (index < rules).then_some(0)))
            .collect(),
        ..Row::default()
    }
}

#[test]
fn pruning_levels_stand_in_ladder_order_whatever_the_order_of_rows() {
    let data = Dataset::new(vec![
        row("dfs", "edge", 2, 1),
        row("dfs", "none", 0, 1),
        row("dfs", "frozen", 3, 1),
        row("dfs", "corner", 1, 1),
    ]);
    assert_eq!(
        data.labels(&[Axis::Pruning]),
        ["none", "corner", "edge", "frozen"]
    );
}

#[test]
fn labels_name_only_what_varies() {
    let data = Dataset::new(vec![
        row("dfs", "none", 0, 16),
        row("bfs", "none", 0, 1),
        row("dfs", "none", 0, 2),
    ]);
    assert_eq!(
        data.labels(&Axis::ALL),
        ["bfs · sequential", "dfs · shared ×2", "dfs · shared ×16"]
    );
    assert!(!data.varies(Axis::Pruning));
    assert_eq!(data.labels(&[Axis::Pruning]), [""]);
}

#[test]
fn an_automatic_table_is_no_configuration_but_a_compared_one_is() {
    let with = |level: u64, table: &str| Row {
        level,
        table: table.to_owned(),
        ..row("dfs", "none", 0, 1)
    };
    let automatic = Dataset::new(vec![with(1, "bitmap"), with(2, "hash")]);
    assert_eq!(automatic.configurations().len(), 1);
    let compared = Dataset::new(vec![with(1, "bitmap"), with(1, "hash"), with(2, "hash")]);
    assert_eq!(compared.labels(&Axis::ALL), ["bitmap", "hash"]);
}

#[test]
fn only_checked_answers_are_answers() {
    let answered: Vec<&str> = [
        "solved",
        "unsolvable",
        "exhausted",
        "complete",
        "time_limit",
        "memory_limit",
        "state_limit",
        "cancelled",
        "crashed",
        "invalid",
        "unsupported",
        "",
    ]
    .into_iter()
    .filter(|status| {
        let status = (*status).to_owned();
        let data = Dataset::new(vec![Row {
            status,
            ..Row::default()
        }]);
        data.runs()[0].answered()
    })
    .collect();
    assert_eq!(answered, ["solved", "unsolvable", "complete"]);
}
