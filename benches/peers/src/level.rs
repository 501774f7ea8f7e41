//! The levels of the comparison.

/// A level and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    /// The name on the command line.
    pub name: &'static str,
    /// Its rows, in the usual notation.
    pub rows: &'static [&'static str],
    /// States of the space of moves, as the hand-written loop of this package counts them.
    pub move_states: u64,
    /// States of the space of pushes, as the hand-written reference of this package counts them.
    pub push_states: u64,
}

/// What a process takes that has nothing to do.
pub const EMPTY: Level = Level {
    name: "empty",
    rows: &["#####", "#@$.#", "#####"],
    move_states: 3,
    push_states: 2,
};

/// A thousand states and some: what a search costs that is over at once.
pub const THOUSAND: Level = Level {
    name: "thousand",
    rows: &["######", "#@   #", "# $  #", "#  $ #", "#.  .#", "######"],
    move_states: 1_676,
    push_states: 120,
};

/// 36 cells, 3 boxes: under a second for everybody.
pub const SMALL: Level = Level {
    name: "small",
    rows: &[
        "########", "#@     #", "# $  $ #", "#   .  #", "# $ .. #", "#      #", "#      #",
        "########",
    ],
    move_states: 235_444,
    push_states: 7_140,
};

/// 36 cells, 4 boxes: the smallest space that is said to be of the scale of a million.
pub const MILLION: Level = Level {
    name: "million",
    rows: &[
        "########", "#@     #", "# $  $ #", "#   .  #", "# $ .. #", "#   .$ #", "#      #",
        "########",
    ],
    move_states: 1_881_312,
    push_states: 58_917,
};

/// 36 cells, 5 boxes: the level of the targets.
pub const MEDIUM: Level = Level {
    name: "medium",
    rows: &[
        "########", "#@     #", "# $  $ #", "#   $  #", "# $ .$ #", "#   .. #", "#   .. #",
        "########",
    ],
    move_states: 11_638_936,
    push_states: 377_428,
};

/// 39 cells, 6 boxes: the level of the targets at scale.
pub const LARGE: Level = Level {
    name: "large",
    rows: &[
        "########", "##@   ##", "# $  $ #", "#   $  #", "# $ .$ #", "#   .. #", "# $ .. #",
        "##  .  #", "########",
    ],
    move_states: 106_932_403,
    push_states: 3_270_057,
};

/// Every level.
pub const ALL: [Level; 6] = [EMPTY, THOUSAND, SMALL, MILLION, MEDIUM, LARGE];

/// The level with a name.
///
/// # Errors
/// The names of all levels, if none has it.
pub fn by_name(name: &str) -> Result<Level, String> {
    let found = ALL.into_iter().find(|level| level.name == name);
    found.ok_or_else(|| {
        let names = ALL.map(|level| level.name).join(", ");
        format!("no level {name:?}; expected one of {names}")
    })
}
