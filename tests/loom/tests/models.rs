//! Runs the models in every interleaving, with up to three preemptions.

use sokolab_loom::{parallel, table};

fn check(model: fn()) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

#[test]
fn the_first_verdict_stands_and_all_see_it() {
    check(parallel::models::first_verdict);
}

#[test]
fn a_batch_under_way_is_not_lost_and_the_end_is_noticed_once() {
    check(parallel::models::termination_with_a_batch_under_way);
}

#[test]
fn a_phase_is_begun_once_and_for_all() {
    check(parallel::models::a_phase_is_begun_once);
}

#[test]
fn no_wish_for_a_change_is_lost() {
    check(parallel::models::changes_while_others_read);
}

#[test]
fn a_state_is_new_to_one_thread() {
    check(table::models::one_state_is_new_once);
}

#[test]
fn a_state_that_is_found_has_its_record() {
    check(table::models::what_is_found_is_whole);
}

#[test]
fn different_states_are_all_kept() {
    check(table::models::different_states_are_all_kept);
}

#[test]
fn the_least_cost_of_a_state_stands() {
    check(table::models::the_least_cost_stands);
}
