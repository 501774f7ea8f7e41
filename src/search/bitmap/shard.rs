//! A range of words with one owner, who alone reads and writes them.

use super::WordProblem;
use super::active::ActiveWords;
use super::colours::{Colour, Colours, Planes};
use super::outbox::{Arrival, Division, Outbox};
use crate::puzzle::{Place, Pruner, Puzzle, Steps, Words};
use crate::search::{Counters, Goal};

/// The words of a shard: which of their states have been visited, and which wait.
pub(super) struct Shard<C> {
    /// Number of the first word.
    first: usize,
    /// Three bits for each state; see [`Colours`].
    words: Vec<Planes>,
    current: ActiveWords,
    next: ActiveWords,
    cursor: C,
    /// What the owner has counted.
    pub(super) counters: Counters,
}

/// How far to go before steps are delivered and limits are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// Steps in the outbox.
    pub(super) steps: usize,
    /// New states, those in the outbox included because they may all be new.
    pub(super) states: u64,
}

impl<C: Default> Shard<C> {
    /// The shard with this number, with nothing visited. Its memory is zeroed by the system and taken when it
    /// is first written to.
    pub(super) fn new(division: Division, shard: usize, rules: usize) -> Self {
        let range = division.range(shard);
        Self {
            first: range.start,
            words: vec![Planes::default(); range.len()],
            current: ActiveWords::new(range.len()),
            next: ActiveWords::new(range.len()),
            cursor: C::default(),
            counters: Counters::new(rules),
        }
    }

    /// Enters the initial state, which stands in this shard, in the first layer.
    pub(super) fn start(&mut self, place: Place) {
        let word = place.word - self.first;
        self.paint(word, 1 << place.bit, Colour::of_depth(0));
        self.counters.states_visited += 1;
        self.begin_layer();
    }

    /// Makes the states of the next layer those of the current one, which has nothing left. Returns whether
    /// there are any.
    pub(super) fn begin_layer(&mut self) -> bool {
        std::mem::swap(&mut self.current, &mut self.next);
        self.current.rewind();
        !self.current.is_empty()
    }

    /// Whether words of the current layer wait.
    pub(super) fn is_done(&self) -> bool {
        self.current.is_empty()
    }

    /// Colours those states of a word that have not been visited, and returns them.
    #[inline]
    fn paint(&mut self, word: usize, bits: u64, colour: Colour) -> u64 {
        let mut colours = Colours(self.words[word]);
        let new = bits & !colours.visited();
        colours.paint(new, colour);
        self.words[word] = colours.0;
        self.next.insert_if(word, new != 0);
        new
    }

    /// Expands words of the layer at `depth` until none is left, the budget is spent, or a goal is met, which
    /// is returned. Steps to other words go to the outbox, those within a word are entered at once.
    pub(super) fn expand<P, R, L>(
        &mut self,
        problem: &WordProblem<'_, P, R, L>,
        depth: u32,
        budget: Budget,
        outbox: &mut Outbox,
    ) -> Option<P::State>
    where
        P: Puzzle,
        R: Pruner<P>,
        L: Words<P, Cursor = C>,
    {
        let before = self.counters.states_visited;
        while let Some((first, mut bits)) = self.current.take_leaf() {
            while bits != 0 {
                let new = self.counters.states_visited - before + outbox.len() as u64;
                if outbox.len() >= budget.steps || new >= budget.states {
                    self.current.put_back(first, bits);
                    return None;
                }
                let word = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let solved = self.expand_word(problem, depth, word, outbox);
                if solved.is_some() {
                    self.current.put_back(first, bits);
                    return solved;
                }
            }
        }
        None
    }

    /// Expands the states of one word that belong to the layer.
    #[inline]
    fn expand_word<P, R, L>(
        &mut self,
        problem: &WordProblem<'_, P, R, L>,
        depth: u32,
        word: usize,
        outbox: &mut Outbox,
    ) -> Option<P::State>
    where
        P: Puzzle,
        R: Pruner<P>,
        L: Words<P, Cursor = C>,
    {
        let mut colours = Colours(self.words[word]);
        let bits = colours.take_waiting(Colour::of_depth(depth));
        self.words[word] = colours.0;
        let mut steps = WordSteps {
            problem,
            word: self.first + word,
            kept: 0,
            reached: 0,
            solved: None,
            counters: &mut self.counters,
            outbox,
        };
        let layout = problem.words;
        layout.advance(&mut self.cursor, self.first + word, bits, &mut steps);
        let WordSteps {
            kept,
            reached,
            mut solved,
            ..
        } = steps;
        let new = self.paint(word, reached, Colour::of_depth(depth + 1));
        let entered = u64::from(new.count_ones());
        self.counters.expanded += u64::from(bits.count_ones());
        self.counters.states_visited += entered;
        self.counters.duplicates += kept - entered;
        if problem.goal == Goal::Solve {
            let goals = new & layout.goals(self.first + word);
            if goals != 0 {
                let (word, bit) = (self.first + word, goals.trailing_zeros());
                solved = Some(layout.state(Place { word, bit }));
            }
        }
        solved
    }

    /// Enters the states that steps from the layer at `depth` lead to.
    pub(super) fn receive(&mut self, depth: u32, arrivals: &[Arrival]) {
        let colour = Colour::of_depth(depth + 1);
        let mut entered = 0;
        for arrival in arrivals {
            entered += u64::from(self.paint(arrival.word(), arrival.mask(), colour) != 0);
        }
        self.counters.states_visited += entered;
        self.counters.duplicates += arrivals.len() as u64 - entered;
    }

    /// Whether a state of this shard has the colour of a depth.
    pub(super) fn has_colour(&self, place: Place, depth: u32) -> bool {
        let colours = Colours(self.words[place.word - self.first]);
        colours.of(Colour::of_depth(depth)) >> place.bit & 1 == 1
    }
}

/// The steps of one word.
struct WordSteps<'a, P: Puzzle, R, L> {
    problem: &'a WordProblem<'a, P, R, L>,
    word: usize,
    /// Steps within the word that no rule rejects.
    kept: u64,
    /// Where they lead.
    reached: u64,
    /// A goal in another word.
    solved: Option<P::State>,
    counters: &'a mut Counters,
    outbox: &'a mut Outbox,
}

impl<P, R, L> WordSteps<'_, P, R, L>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    /// Whether no rule rejects a step.
    #[inline]
    fn keeps(&mut self, action: P::Action, state: &P::State) -> bool {
        let problem = self.problem;
        let verdict = problem.pruner.verdict(problem.puzzle, action, state);
        if let Some(rule) = verdict {
            self.counters.pruned_by_rule[rule] += 1;
        }
        verdict.is_none()
    }

    /// The bits that no rule rejects, asked one by one.
    #[cold]
    fn kept_of(&mut self, action: P::Action, bits: u64) -> u64 {
        let (word, layout) = (self.word, self.problem.words);
        (0..u64::BITS)
            .filter(|bit| bits >> bit & 1 == 1)
            .filter(|&bit| self.keeps(action, &layout.state(Place { word, bit })))
            .fold(0, |kept, bit| kept | 1 << bit)
    }
}

impl<P, R, L> Steps<P> for WordSteps<'_, P, R, L>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    #[inline]
    fn within(&mut self, action: P::Action, mut bits: u64) {
        self.counters.generated += u64::from(bits.count_ones());
        if self.problem.pruner.concerns(action) {
            bits = self.kept_of(action, bits);
        }
        self.kept += u64::from(bits.count_ones());
        self.reached |= bits;
    }

    #[inline]
    fn across(&mut self, action: P::Action, state: P::State) {
        self.counters.generated += 1;
        if self.problem.pruner.concerns(action) && !self.keeps(action, &state) {
            return;
        }
        let place = self.problem.words.place(&state);
        self.outbox.push(place);
        if self.problem.goal == Goal::Solve
            && self.problem.words.goals(place.word) >> place.bit & 1 == 1
        {
            self.solved = Some(state);
        }
    }
}
