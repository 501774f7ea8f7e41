//! Reading rows, statistics, charts and pages; knows neither searching nor Sokoban.

pub mod canvas;
pub mod charts;
pub mod data;
pub mod figure;
pub mod font;
pub mod measure;
pub mod palette;
pub mod quantity;
pub mod scale;
pub mod scene;
pub mod statistics;
#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod look {
    #[test]
    fn look() {
        use super::*;
        let wide = synthetic::Sweep {
            threading: synthetic::SCALING.threading,
            strategies: &["astar", "bfs", "dfs", "greedy"],
            ladder: 4,
            ..synthetic::USUAL
        };
        for (n, s) in [
            ("usual", &synthetic::USUAL),
            ("scaling", &synthetic::SCALING),
            ("wide", &wide),
        ] {
            let data = data::Dataset::new(synthetic::rows(s));
            for c in charts::CHARTS {
                match (c.draw)(&data, c.question) {
                    Ok(d) => {
                        canvas::write_png(
                            &d.scene,
                            std::path::Path::new(&format!("/tmp/look/{n}-{}.png", c.name)),
                        )
                        .unwrap();
                        std::fs::write(
                            format!("/tmp/look/{n}-{}.svg", c.name),
                            canvas::svg(&d.scene).unwrap(),
                        )
                        .unwrap();
                        println!("{n} {}: {}", c.name, d.reading);
                    }
                    Err(e) => println!("{n} {}: NONE {}", c.name, e.0),
                }
            }
        }
    }
}
