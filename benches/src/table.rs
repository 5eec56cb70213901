//! The results, for people and for programs.

use std::fmt;

use serde_json::{Value, json};

/// What was to be reached.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    None,
    AtMost(f64),
    AtLeast(f64),
    /// So much more than raw.
    AboveRaw(f64),
    /// So many times raw.
    TimesRaw(f64),
}

#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Milliseconds,
    Bytes,
    Characters,
    Megabytes,
    CallsASecond,
    Times,
    Percent,
    Count,
    Calls,
    Tokens,
}

struct Row {
    what: String,
    unit: Unit,
    ours: f64,
    raw: Option<f64>,
    limit: Limit,
}

/// All rows, in the order in which they were measured.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    pub(crate) fn milliseconds(&mut self, what: &str, ours: f64, raw: Option<f64>, limit: Limit) {
        self.rows.push(Row { what: what.to_owned(), unit: Unit::Milliseconds, ours, raw, limit });
    }

    pub(crate) fn measured(&mut self, what: &str, ours: f64, unit: Unit, limit: Limit) {
        self.rows.push(Row { what: what.to_owned(), unit, ours, raw: None, limit });
    }

    #[expect(clippy::cast_precision_loss, reason = "no reply has 2^52 bytes")]
    pub(crate) fn amount(&mut self, what: &str, ours: usize, unit: Unit, limit: Limit) {
        self.measured(what, ours as f64, unit, limit);
    }

    #[expect(clippy::cast_precision_loss, reason = "no reply has 2^52 bytes")]
    pub(crate) fn amounts(&mut self, what: &str, [ours, raw]: [usize; 2], unit: Unit, limit: Limit) {
        let (ours, raw) = (ours as f64, Some(raw as f64));
        self.rows.push(Row { what: what.to_owned(), unit, ours, raw, limit });
    }

    pub(crate) fn json(&self) -> Value {
        self.rows
            .iter()
            .map(|row| {
                json!({
                    "what": row.what,
                    "unit": row.unit.symbol(),
                    "ours": row.ours,
                    "raw": row.raw,
                    "ratio": row.raw.map(|raw| row.ours / raw),
                    "limit": row.limit(),
                    "reached": row.limit().map(|limit| row.reached(limit)),
                })
            })
            .collect()
    }
}

impl Row {
    /// The limit as a number to compare with.
    fn limit(&self) -> Option<f64> {
        match self.limit {
            Limit::None => None,
            Limit::AtMost(limit) | Limit::AtLeast(limit) => Some(limit),
            Limit::AboveRaw(more) => self.raw.map(|raw| raw + more),
            Limit::TimesRaw(times) => self.raw.map(|raw| raw * times),
        }
    }

    fn reached(&self, limit: f64) -> bool {
        match self.limit {
            Limit::AtLeast(_) => self.ours >= limit,
            _ => self.ours <= limit,
        }
    }
}

impl Unit {
    fn symbol(self) -> &'static str {
        match self {
            Self::Milliseconds => "ms",
            Self::Bytes => "B",
            Self::Characters => "chars",
            Self::Megabytes => "MB",
            Self::CallsASecond => "/s",
            Self::Times => "x",
            Self::Percent => "%",
            Self::Count => "",
            Self::Calls => "calls",
            Self::Tokens => "tokens",
        }
    }

    fn formatted(self, amount: f64) -> String {
        match self {
            Self::Milliseconds => format!("{amount:.2} ms"),
            Self::Megabytes | Self::CallsASecond | Self::Percent => format!("{amount:.1} {}", self.symbol()),
            Self::Times => format!("{amount:.2} {}", self.symbol()),
            Self::Count => format!("{amount:.0}"),
            Self::Bytes | Self::Characters | Self::Calls | Self::Tokens => {
                format!("{amount:.0} {}", self.symbol())
            }
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, [what, ours, raw, ratio, more, limit]: [&str; 6]| {
            writeln!(f, "{what:<32} {ours:>12} {raw:>12} {ratio:>7} {more:>10}  {limit}")
        };
        line(f, ["what (medians)", "ours", "raw", "ratio", "more", "limit"])?;
        for row in &self.rows {
            let of_raw = |told: &dyn Fn(f64) -> String| row.raw.map(told).unwrap_or_default();
            let limit = row.limit().map_or(String::new(), |limit| {
                let verdict = if row.reached(limit) { "ok" } else { "MISSED" };
                format!("{} {verdict}", row.unit.formatted(limit))
            });
            line(
                f,
                [
                    &row.what,
                    &row.unit.formatted(row.ours),
                    &of_raw(&|raw| row.unit.formatted(raw)),
                    &of_raw(&|raw| format!("{:.2}", row.ours / raw)),
                    &of_raw(&|raw| {
                        let sign = if row.ours < raw { "" } else { "+" };
                        format!("{sign}{}", row.unit.formatted(row.ours - raw))
                    }),
                    &limit,
                ],
            )?;
        }
        Ok(())
    }
}
