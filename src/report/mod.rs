//! Reading rows, statistics, charts and pages; knows neither searching nor Sokoban.
