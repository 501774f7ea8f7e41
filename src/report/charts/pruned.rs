//! The share of generated states that each rule prunes.

use std::collections::BTreeMap;

use crate::report::data::{Axis, Dataset, Run, is_baseline};
use crate::report::figure::{Figure, Horizontal, Panel, Vertical};
use crate::report::legend::Sample;
use crate::report::marks::bar;
use crate::report::palette;
use crate::report::quantity::Unit;
use crate::report::scale::Scale;
use crate::report::scene::{Area, Scene};

use super::facets::{has_baseline, keys, pruning_levels};
use super::{Drawing, NoData};

/// Everything but pruning and threading, which hardly changes what is pruned.
const PANELS: [Axis; 5] = [
    Axis::Goal,
    Axis::Space,
    Axis::Strategy,
    Axis::Heuristic,
    Axis::Table,
];

/// Mean shares of the rules over answered runs, by panel and pruning level.
type Stacks = BTreeMap<(usize, usize), Vec<f64>>;

pub(super) fn draw(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    let rules = rules(data);
    let panels = data.labels(&PANELS);
    let levels = pruning_levels(data);
    let stacks = stacks(data, &rules, &panels, &levels);
    let highest = stacks
        .values()
        .map(|stack| stack.iter().sum::<f64>())
        .fold(0.0, f64::max);
    if highest <= 0.0 {
        return Err(NoData(
            "No answered run counts successors that a rule pruned.".to_owned(),
        ));
    }
    let figure = Figure {
        title: title.to_owned(),
        notes: vec![format!(
            "Mean share over answered {}; a successor counts for the first rule that fired; stacked in ladder order from below",
            if has_baseline(data) {
                "sequential runs"
            } else {
                "runs"
            }
        )],
        legend: keys(&rules, Sample::Fill),
        panels,
        x_title: "pruning level".to_owned(),
        x: Horizontal::Groups {
            labels: levels,
            slots: 1,
        },
        y: Vertical {
            title: "pruned of generated".to_owned(),
            scale: Scale::linear(0.0, highest),
            unit: Unit::Share,
        },
    };
    let (mut scene, places) = figure.draw();
    for ((panel, level), stack) in &stacks {
        draw_stack(&mut scene, &places[*panel], *level, stack);
    }
    Ok(Drawing {
        scene,
        reading: "Taller is more pruned. What a later rule shows is only what the earlier ones let pass. Runs that a limit cut \
                  short are left out: rules may fire more or less often later in a search."
            .to_owned(),
    })
}

/// All rules with a count in some row, in ladder order.
fn rules(data: &Dataset) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    for (rule, count) in data.runs().iter().flat_map(|run| &run.row.pruned_by_rule) {
        if count.is_some() && !rules.contains(rule) {
            rules.push(rule.clone());
        }
    }
    let place = |rule: &String| {
        let columns = data.runs().first().map(|run| &run.row.pruned_by_rule);
        columns.and_then(|columns| columns.iter().position(|(name, _)| name == rule))
    };
    rules.sort_by_key(place);
    rules
}

fn stacks(data: &Dataset, rules: &[String], panels: &[String], levels: &[String]) -> Stacks {
    let only_baseline = has_baseline(data);
    let mut shares: BTreeMap<(usize, usize), Vec<Vec<f64>>> = BTreeMap::new();
    for run in data.runs().iter().filter(|run| run.answered()) {
        let configuration = &data.configurations()[run.configuration];
        if only_baseline && !is_baseline(configuration) {
            continue;
        }
        let panel = panels
            .iter()
            .position(|p| *p == data.label(configuration, &PANELS));
        let level = levels
            .iter()
            .position(|l| l == configuration.value(Axis::Pruning));
        if let (Some(panel), Some(level), Some(of_run)) = (panel, level, shares_of(run, rules)) {
            shares.entry((panel, level)).or_default().push(of_run);
        }
    }
    let mean = |runs: Vec<Vec<f64>>| -> Vec<f64> {
        let share = |rule| runs.iter().map(|run| run[rule]).sum::<f64>() / runs.len() as f64;
        (0..rules.len()).map(share).collect()
    };
    shares
        .into_iter()
        .map(|(place, runs)| (place, mean(runs)))
        .collect()
}

/// Share of the generated successors that each rule pruned in a run; rules that were not active have
/// none. `None` if the run did not count.
fn shares_of(run: &Run, rules: &[String]) -> Option<Vec<f64>> {
    let generated = run.row.generated.filter(|count| *count > 0)? as f64;
    let pruned = |rule: &String| {
        let column = run.row.pruned_by_rule.iter().find(|(name, _)| name == rule);
        column.and_then(|(_, count)| *count).unwrap_or(0) as f64
    };
    Some(rules.iter().map(|rule| pruned(rule) / generated).collect())
}

fn draw_stack(scene: &mut Scene, panel: &Panel, level: usize, stack: &[f64]) {
    let (group, _) = panel.widths();
    let half = (group * 0.32).min(26.0);
    let x = panel.slot(level, 0);
    let mut below = 0.0;
    for (rule, share) in stack.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        let area = Area {
            left: x - half,
            top: panel.y(below + share),
            right: x + half,
            bottom: panel.y(below),
        };
        bar(scene, area, palette::style(rule));
        below += share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Row;

    fn row(status: &str, pruned: u64) -> Row {
        Row {
            status: status.to_owned(),
            threading: "sequential".to_owned(),
            pruning: "corner".to_owned(),
            generated: Some(100),
            pruned_by_rule: vec![("corner".to_owned(), Some(pruned))],
            ..Row::default()
        }
    }

    #[test]
    fn only_answered_runs_are_in_the_mean() {
        let data = Dataset::new(vec![
            row("solved", 10),
            row("unsolvable", 30),
            row("time_limit", 90),
            row("crashed", 90),
        ]);
        let panels = data.labels(&PANELS);
        let stacks = stacks(&data, &rules(&data), &panels, &pruning_levels(&data));
        assert_eq!(stacks, Stacks::from([((0, 0), vec![0.2])]));
    }

    #[test]
    fn without_an_answered_run_there_is_no_chart() {
        let refused = draw(&Dataset::new(vec![row("time_limit", 90)]), "t").unwrap_err();
        assert!(refused.0.contains("No answered run"), "{refused:?}");
    }
}
