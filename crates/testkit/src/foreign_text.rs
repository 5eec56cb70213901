use std::ops::{Deref, DerefMut};

/// Text that others write, in odd forms: tests give it to parsers. Each run has another; a test that fails says how to get
/// the same again.
pub struct ForeignText {
    seed: u64,
    random: fastrand::Rng,
}

/// Has the seed of an earlier run.
const SEED: &str = "FOREIGN_TEXT_SEED";

impl ForeignText {
    /// With the seed of the environment, or a fresh one.
    pub fn new() -> Self {
        let given = std::env::var(SEED).ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| fastrand::u64(..));
        Self { seed, random: fastrand::Rng::with_seed(seed) }
    }

    /// Fewer than `most` of these pieces, which mean something to a parser.
    pub fn pieces(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.random.usize(0..most)).map(|_| self.one_of(pieces)).collect()
    }

    /// The same with any characters between them.
    pub fn text(&mut self, pieces: &[&str], most: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.random.usize(0..most) {
            match self.random.u8(0..8) {
                0 => text.push(self.random.char(..)),
                _ => text.push_str(self.one_of(pieces)),
            }
        }
        text
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.usize(0..all.len())]
    }
}

impl Default for ForeignText {
    fn default() -> Self {
        Self::new()
    }
}

/// For everything else that is random in it.
impl Deref for ForeignText {
    type Target = fastrand::Rng;

    fn deref(&self) -> &fastrand::Rng {
        &self.random
    }
}

impl DerefMut for ForeignText {
    fn deref_mut(&mut self) -> &mut fastrand::Rng {
        &mut self.random
    }
}

impl Drop for ForeignText {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{SEED}={} gives the same texts again", self.seed);
        }
    }
}
