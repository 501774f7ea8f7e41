//! The frame of a chart: title, notes, legend, and a grid of panels that share their axes.

use super::font;
use super::legend::{self, Key};
use super::palette::{GRID, INK, MUTED};
use super::quantity::Unit;
use super::scale::Scale;
use super::scene::{Anchor, Area, Scene, TEXT_SIZE, Text};

/// Width of every chart: fits the text column of a page, and two columns of a paper at half size.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 16.0;
const TITLE_SIZE: f64 = 18.0;
const NOTE_SIZE: f64 = 12.5;
const LINE: f64 = 18.0;
/// Gap between a tick label and its axis.
const TICK_GAP: f64 = 6.0;
/// Width that the marks of one configuration need.
const SLOT: f64 = 17.0;
/// Least width of a group of configurations, and of a panel with a numeric axis.
const LEAST_GROUP: f64 = 44.0;
const LEAST_NUMERIC: f64 = 210.0;
const MOST_COLUMNS: usize = 3;

/// The horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Horizontal {
    /// Groups of configurations side by side.
    Groups {
        /// Name of each group.
        labels: Vec<String>,
        /// Configurations side by side in each group.
        slots: usize,
    },
    /// Numbers.
    Numbers {
        /// The axis.
        scale: Scale,
        /// Values to mark, ascending.
        ticks: Vec<f64>,
        /// How they are written.
        unit: Unit,
    },
}

/// The vertical axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Vertical {
    /// What it shows.
    pub title: String,
    /// The axis.
    pub scale: Scale,
    /// How tick values are written.
    pub unit: Unit,
}

/// Everything around the data of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The question that the chart answers.
    pub title: String,
    /// Small print beneath the title: instances, what marks mean.
    pub notes: Vec<String>,
    /// Series; no legend is drawn for fewer than two.
    pub legend: Vec<Key>,
    /// Title of each panel.
    pub panels: Vec<String>,
    /// What the horizontal axis shows.
    pub x_title: String,
    /// The horizontal axis of every panel.
    pub x: Horizontal,
    /// The vertical axis of every panel.
    pub y: Vertical,
}

/// The place of one panel's data.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Where data is drawn.
    pub area: Area,
    x: Horizontal,
    y: Scale,
}

impl Panel {
    /// Height of a value.
    #[must_use]
    pub fn y(&self, value: f64) -> f64 {
        self.area.bottom - self.y.position(value) * self.area.height()
    }

    /// Place of a value on a numeric axis, with room for marks at both ends; the left edge on an axis
    /// of groups.
    #[must_use]
    pub fn x(&self, value: f64) -> f64 {
        match &self.x {
            Horizontal::Numbers { scale, .. } => {
                let inset = SLOT * 1.75;
                self.area.left + inset + scale.position(value) * (self.area.width() - 2.0 * inset)
            }
            Horizontal::Groups { .. } => self.area.left,
        }
    }

    /// Least distance between neighbouring ticks of a numeric axis, in pixels; the whole width if
    /// there are fewer than two.
    #[must_use]
    pub fn tick_distance(&self) -> f64 {
        match &self.x {
            Horizontal::Numbers { ticks, .. } => ticks
                .windows(2)
                .map(|pair| self.x(pair[1]) - self.x(pair[0]))
                .fold(self.area.width(), f64::min),
            Horizontal::Groups { .. } => self.area.width(),
        }
    }

    /// Width of a group, and of a slot in it.
    #[must_use]
    pub fn widths(&self) -> (f64, f64) {
        match &self.x {
            Horizontal::Groups { labels, slots } => {
                let group = self.area.width() / labels.len().max(1) as f64;
                // Half a slot stays free on both sides; slots stop growing where a group reads as one.
                let slot = (group / (*slots as f64 + 1.0)).min(3.5 * SLOT);
                (group, slot)
            }
            Horizontal::Numbers { .. } => (self.area.width(), SLOT),
        }
    }

    /// Middle of a slot of a group.
    #[must_use]
    pub fn slot(&self, group: usize, slot: usize) -> f64 {
        let (group_width, slot_width) = self.widths();
        let slots = match &self.x {
            Horizontal::Groups { slots, .. } => *slots as f64,
            Horizontal::Numbers { .. } => 1.0,
        };
        let middle = self.area.left + (group as f64 + 0.5) * group_width;
        middle + (slot as f64 - (slots - 1.0) / 2.0) * slot_width
    }
}

impl Figure {
    /// Draws the frame; the caller draws the data into the panels.
    #[must_use]
    pub fn draw(&self) -> (Scene, Vec<Panel>) {
        let mut scene = Scene::new(WIDTH, 0.0);
        let top = self.draw_head(&mut scene);
        let grid = self.grid(top);
        scene.height = grid.bottom;
        self.draw_titles(&mut scene, &grid);
        let panels: Vec<Panel> = (0..self.panels.len())
            .map(|index| self.draw_panel(&mut scene, &grid, index))
            .collect();
        (scene, panels)
    }

    /// Draws title, notes and legend; returns where the panels may begin.
    fn draw_head(&self, scene: &mut Scene) -> f64 {
        let room = WIDTH - 2.0 * MARGIN;
        let mut y = MARGIN;
        for line in font::wrap(&self.title, TITLE_SIZE, true, room) {
            y += TITLE_SIZE * 1.25;
            scene.text(Text::new(line, (MARGIN, y - 4.0)).size(TITLE_SIZE).bold());
        }
        for note in &self.notes {
            for line in font::wrap(note, NOTE_SIZE, false, room) {
                y += LINE;
                scene.text(Text::new(line, (MARGIN, y)).size(NOTE_SIZE).color(MUTED));
            }
        }
        if self.legend.len() > 1 {
            y = legend::draw(scene, &self.legend, y + 10.0, (MARGIN, WIDTH - MARGIN));
        }
        y + 12.0
    }

    fn grid(&self, top: f64) -> Grid {
        let ticks = self.y.scale.ticks();
        let labels = ticks.iter().map(|tick| self.y.unit.format(*tick));
        let left = widest(labels) + TICK_GAP + 4.0;
        let room = WIDTH - 2.0 * MARGIN - LINE;
        let (columns, rows) = arrange(self.panels.len(), room, left, self.least_width());
        let cell_width = room / columns as f64;
        let plot_width = cell_width - left - 10.0;
        let named = self.panels.iter().any(|title| !title.is_empty());
        let below = self.x_label_height(plot_width) + TICK_GAP;
        let head = if named { LINE + 8.0 } else { 8.0 };
        let plot_height = if rows == 1 { 310.0 } else { 220.0 };
        let cell_height = head + plot_height + below + 10.0;
        let panels_bottom = top + rows as f64 * cell_height;
        Grid {
            columns,
            cell: (cell_width, cell_height),
            origin: (MARGIN + LINE, top),
            inset: Area {
                left,
                top: head,
                right: cell_width - 10.0,
                bottom: head + plot_height,
            },
            bottom: panels_bottom + LINE + 2.0,
        }
    }

    fn least_width(&self) -> f64 {
        match &self.x {
            Horizontal::Groups { labels, slots } => {
                labels.len() as f64 * LEAST_GROUP.max((*slots as f64 + 1.0) * SLOT)
            }
            Horizontal::Numbers { .. } => LEAST_NUMERIC,
        }
    }

    /// Height of the labels beneath a panel: one line, or as long as they are if turned.
    fn x_label_height(&self, plot_width: f64) -> f64 {
        match &self.x {
            Horizontal::Groups { labels, .. } if turned(labels, plot_width) => {
                widest(labels.iter().cloned())
            }
            _ => TEXT_SIZE + 2.0,
        }
    }

    fn draw_panel(&self, scene: &mut Scene, grid: &Grid, index: usize) -> Panel {
        let panel = Panel {
            area: grid.area(index),
            x: self.x.clone(),
            y: self.y.scale,
        };
        let title = &self.panels[index];
        if !title.is_empty() {
            let at = (panel.area.left, panel.area.top - 9.0);
            scene.text(Text::new(title, at).bold());
        }
        self.draw_y_axis(scene, &panel);
        self.draw_x_axis(scene, &panel);
        let Area {
            left,
            top,
            right,
            bottom,
        } = panel.area;
        scene.line(&[(left, top), (left, bottom), (right, bottom)], 1.0, INK);
        panel
    }

    /// Writes what the axes show, once for all panels.
    fn draw_titles(&self, scene: &mut Scene, grid: &Grid) {
        let last = self.panels.len().saturating_sub(1);
        let middle = f64::midpoint(grid.area(0).top, grid.area(last).bottom);
        let title = Text::new(&self.y.title, (MARGIN + TEXT_SIZE - 2.0, middle));
        scene.text(title.anchor(Anchor::Middle).upward());
        let middle = f64::midpoint(grid.origin.0 + grid.inset.left, WIDTH - MARGIN);
        let title = Text::new(&self.x_title, (middle, grid.bottom - 10.0));
        scene.text(title.anchor(Anchor::Middle));
    }

    fn draw_y_axis(&self, scene: &mut Scene, panel: &Panel) {
        let area = panel.area;
        for tick in self.y.scale.ticks() {
            let y = panel.y(tick);
            scene.line(&[(area.left, y), (area.right, y)], 1.0, GRID);
            let at = (area.left - TICK_GAP, y + TEXT_SIZE * 0.36);
            scene.text(Text::new(self.y.unit.format(tick), at).anchor(Anchor::End));
        }
    }

    fn draw_x_axis(&self, scene: &mut Scene, panel: &Panel) {
        let area = panel.area;
        match &self.x {
            Horizontal::Groups { labels, .. } => {
                let turned = turned(labels, area.width());
                for (group, label) in labels.iter().enumerate() {
                    let (width, _) = panel.widths();
                    let left = area.left + group as f64 * width;
                    if group > 0 {
                        scene.line(&[(left, area.top), (left, area.bottom)], 1.0, GRID);
                    }
                    scene.text(x_label(label, left + width / 2.0, area.bottom, turned));
                }
            }
            Horizontal::Numbers { ticks, unit, .. } => {
                let mut free = f64::NEG_INFINITY;
                for tick in ticks {
                    let x = panel.x(*tick);
                    scene.line(&[(x, area.bottom), (x, area.bottom + 4.0)], 1.0, INK);
                    let label = x_label(&unit.format(*tick), x, area.bottom, false);
                    if label.bounds().left > free {
                        free = label.bounds().right + 4.0;
                        scene.text(label);
                    }
                }
            }
        }
    }
}

/// Where the panels lie.
struct Grid {
    columns: usize,
    cell: (f64, f64),
    origin: (f64, f64),
    /// The data area within a cell.
    inset: Area,
    bottom: f64,
}

impl Grid {
    fn area(&self, index: usize) -> Area {
        let left = self.origin.0 + (index % self.columns) as f64 * self.cell.0;
        let top = self.origin.1 + (index / self.columns) as f64 * self.cell.1;
        Area {
            left: left + self.inset.left,
            top: top + self.inset.top,
            right: left + self.inset.right,
            bottom: top + self.inset.bottom,
        }
    }
}

/// Columns and rows: as many columns as leave each plot its least width, and no more than fill the
/// last row best.
fn arrange(panels: usize, room: f64, left: f64, least: f64) -> (usize, usize) {
    let fitting = (1..=MOST_COLUMNS.min(panels.max(1)))
        .rev()
        .find(|columns| room / *columns as f64 - left - 10.0 >= least)
        .unwrap_or(1);
    let rows = panels.max(1).div_ceil(fitting);
    (panels.max(1).div_ceil(rows), rows)
}

fn widest(labels: impl Iterator<Item = String>) -> f64 {
    labels
        .map(|label| font::width(&label, TEXT_SIZE, false))
        .fold(0.0, f64::max)
}

/// Whether labels are turned because some would touch its neighbour.
fn turned(labels: &[String], plot_width: f64) -> bool {
    let room = plot_width / labels.len().max(1) as f64;
    widest(labels.iter().cloned()) > room - 6.0
}

fn x_label(label: &str, x: f64, axis: f64, turned: bool) -> Text {
    if turned {
        let at = (x + TEXT_SIZE * 0.36, axis + TICK_GAP);
        Text::new(label, at).anchor(Anchor::End).upward()
    } else {
        let at = (x, axis + TICK_GAP + TEXT_SIZE);
        Text::new(label, at).anchor(Anchor::Middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_turned_when_neighbours_would_be_nearer_than_a_gap() {
        let labels = ["corner".to_owned(), "matching".to_owned()];
        let widest = font::width("matching", TEXT_SIZE, false);
        assert!(turned(&labels, 2.0 * (widest + 5.0)));
        assert!(!turned(&labels, 2.0 * (widest + 7.0)));
    }

    #[test]
    fn panels_fill_rows_evenly_and_keep_their_least_width() {
        // 4 panels on 3 columns would leave the last row with one; 2 by 2 does not.
        assert_eq!(arrange(4, 900.0, 50.0, 200.0), (2, 2));
        assert_eq!(arrange(6, 900.0, 50.0, 200.0), (3, 2));
        // 900 / 3 - 50 - 10 = 240 is less than 300, 900 / 2 - 60 = 390 is not.
        assert_eq!(arrange(6, 900.0, 50.0, 300.0), (2, 3));
        assert_eq!(arrange(3, 900.0, 50.0, 5000.0), (1, 3));
    }
}
