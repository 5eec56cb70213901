//! Cookie dates, which servers write in many ways. RFC 6265, section 5.1.1: a token that looks like a time, day, month
//! or year is one, in any order.

use jiff::{civil, tz::TimeZone};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

#[derive(Default)]
struct DateParts {
    time: Option<(i8, i8, i8)>,
    day: Option<i8>,
    month: Option<i8>,
    year: Option<i16>,
}

/// Seconds since the Unix epoch; `None` if invalid.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let mut found = DateParts::default();
    for token in text.split(is_delimiter).filter(|token| !token.is_empty()) {
        found.take(token);
    }
    let DateParts { time, day, month, year } = found;
    let (hour, minute, second) = time?;
    let year = year.filter(|year| *year >= 1601)?;
    let date = civil::DateTime::new(year, month?, day?, hour, minute, second, 0).ok()?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

fn is_delimiter(c: char) -> bool {
    matches!(c, '\t' | ' '..='/' | ';'..='@' | '['..='`' | '{'..='~')
}

impl DateParts {
    /// A token is the first field that it matches and that is not set yet.
    fn take(&mut self, token: &str) {
        if self.time.is_none()
            && let Some(time) = time(token)
        {
            self.time = Some(time);
        } else if self.day.is_none()
            && let Some(day) = number(token, 1..=2).and_then(|day| i8::try_from(day).ok())
        {
            self.day = Some(day);
        } else if self.month.is_none()
            && let Some(month) = month(token)
        {
            self.month = Some(month);
        } else if self.year.is_none()
            && let Some(year) = number(token, 2..=4).and_then(|year| i16::try_from(year).ok())
        {
            self.year = Some(match year {
                70..=99 => year + 1900,
                0..=69 => year + 2000,
                _ => year,
            });
        }
    }
}

/// `07:28:00`, followed by anything.
fn time(token: &str) -> Option<(i8, i8, i8)> {
    let mut parts =
        token.splitn(3, ':').map(|part| number(part, 1..=2).and_then(|part| i8::try_from(part).ok()));
    let time = (parts.next()??, parts.next()??, parts.next()??);
    (time.0 < 24 && time.1 < 60 && time.2 < 60).then_some(time)
}

fn month(token: &str) -> Option<i8> {
    let start = token.get(..3)?.to_ascii_lowercase();
    let index = MONTHS.iter().position(|month| *month == start)?;
    i8::try_from(index + 1).ok()
}

/// A number with this many digits, not followed by another digit.
fn number(token: &str, digits: std::ops::RangeInclusive<usize>) -> Option<u16> {
    let count = token.bytes().take_while(u8::is_ascii_digit).count();
    digits.contains(&count).then(|| token[..count].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_however_they_are_written() {
        for text in [
            "Wed, 21 Oct 2015 07:28:00 GMT",
            "Wednesday, 21-Oct-15 07:28:00 GMT",
            "Wed Oct 21 07:28:00 2015",
            "21 October 2015 7:28:0",
            "2015 oct 21 07:28:00",
        ] {
            assert_eq!(seconds(text), Some(1_445_412_480), "{text}");
        }
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        for text in [
            "",
            "tomorrow",
            "21 Oct 2015",
            "32 Oct 2015 07:28:00",
            "21 Oct 2015 24:00:00",
            "21 Oct 1500 07:28:00",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
