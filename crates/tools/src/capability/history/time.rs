//! Times as people give them.

use jiff::{Span, Timestamp, ToSpan, Zoned, civil::Date, civil::DateTime, tz::TimeZone};
use serde_json::Value;

use crate::Argument;

/// A moment, or a whole day: when it begins and ends, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct When {
    pub(super) begins: f64,
    pub(super) ends: f64,
}

/// What a time must be.
const FORMS: &str = "an ISO date or date-time (2026-01-31, 2026-01-31T09:30), 'today', 'yesterday', 'now' or 'N \
seconds/minutes/hours/days/weeks/months/years ago'";

impl Argument for When {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        value.as_str().and_then(|text| understood(text, &Zoned::now())).ok_or_else(|| FORMS.into())
    }
}

fn understood(text: &str, now: &Zoned) -> Option<When> {
    let text = text.trim().to_lowercase();
    match text.as_str() {
        "now" => Some(moment(now.timestamp())),
        "today" => day(now.date(), now.time_zone()),
        "yesterday" => day(now.date().yesterday().ok()?, now.time_zone()),
        _ => match text.strip_suffix(" ago") {
            Some(span) => Some(moment(now.checked_sub(span_of(span)?).ok()?.timestamp())),
            None => iso(&text.to_uppercase(), now.time_zone()),
        },
    }
}

/// `2 weeks`.
fn span_of(text: &str) -> Option<Span> {
    let (number, unit) = text.split_once(' ')?;
    let number = number.parse::<u32>().ok()?;
    let span = 0.seconds();
    match unit.trim().trim_end_matches('s') {
        "second" => span.try_seconds(number),
        "minute" => span.try_minutes(number),
        "hour" => span.try_hours(number),
        "day" => span.try_days(number),
        "week" => span.try_weeks(number),
        "month" => span.try_months(number),
        "year" => span.try_years(number),
        _ => return None,
    }
    .ok()
}

/// What names no offset is in the time zone of the system.
fn iso(text: &str, zone: &TimeZone) -> Option<When> {
    if !text.contains(['T', ' ']) {
        return day(text.parse::<Date>().ok()?, zone);
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(moment(timestamp));
    }
    let local = text.parse::<DateTime>().ok()?;
    Some(moment(local.to_zoned(zone.clone()).ok()?.timestamp()))
}

fn moment(timestamp: Timestamp) -> When {
    let seconds = seconds(timestamp);
    When { begins: seconds, ends: seconds }
}

fn day(date: Date, zone: &TimeZone) -> Option<When> {
    let begins = date.to_zoned(zone.clone()).ok()?;
    let next = date.tomorrow().ok()?.to_zoned(zone.clone()).ok()?;
    // The day ends a millisecond before the next one, which is as fine as browsers tell it.
    Some(When { begins: seconds(begins.timestamp()), ends: seconds(next.timestamp()) - 0.001 })
}

fn seconds(timestamp: Timestamp) -> f64 {
    timestamp.as_duration().as_secs_f64()
}

/// Seconds since 1970 as an ISO date-time.
pub(super) fn written(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "what is out of bounds is not a time")]
    let timestamp = Timestamp::from_millisecond((seconds * 1e3).round() as i64);
    timestamp.unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When it begins and ends, where it is 12:00 on 31 March 2026, one hour east of Greenwich.
    fn when(text: &str) -> Option<(String, String)> {
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        let now = "2026-03-31T12:00".parse::<DateTime>().unwrap().to_zoned(zone).unwrap();
        understood(text, &now).map(|When { begins, ends }| (written(begins), written(ends)))
    }

    #[test]
    fn every_form_is_understood() {
        for (text, expected) in [
            ("now", "2026-03-31T11:00:00Z"),
            (" NOW ", "2026-03-31T11:00:00Z"),
            ("30 seconds ago", "2026-03-31T10:59:30Z"),
            ("1 minute ago", "2026-03-31T10:59:00Z"),
            ("90 minutes ago", "2026-03-31T09:30:00Z"),
            ("1 hour ago", "2026-03-31T10:00:00Z"),
            ("2 hours ago", "2026-03-31T09:00:00Z"),
            ("1 day ago", "2026-03-30T11:00:00Z"),
            ("3 days ago", "2026-03-28T11:00:00Z"),
            ("1 Week Ago", "2026-03-24T11:00:00Z"),
            ("2 weeks ago", "2026-03-17T11:00:00Z"),
            // February has no 31st day.
            ("1 month ago", "2026-02-28T11:00:00Z"),
            ("12 months ago", "2025-03-31T11:00:00Z"),
            ("1 year ago", "2025-03-31T11:00:00Z"),
            ("2026-01-31T09:30", "2026-01-31T08:30:00Z"),
            ("2026-01-31 09:30:15", "2026-01-31T08:30:15Z"),
            ("2026-01-31T09:30:15.5Z", "2026-01-31T09:30:15.5Z"),
            ("2026-01-31T09:30:00-05:00", "2026-01-31T14:30:00Z"),
        ] {
            assert_eq!(when(text), Some((expected.into(), expected.into())), "{text}");
        }
    }

    #[test]
    fn days_are_whole() {
        for (text, begins, ends) in [
            ("today", "2026-03-30T23:00:00Z", "2026-03-31T22:59:59.999Z"),
            ("yesterday", "2026-03-29T23:00:00Z", "2026-03-30T22:59:59.999Z"),
            ("2026-01-31", "2026-01-30T23:00:00Z", "2026-01-31T22:59:59.999Z"),
            ("20260131", "2026-01-30T23:00:00Z", "2026-01-31T22:59:59.999Z"),
        ] {
            assert_eq!(when(text), Some((begins.into(), ends.into())), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "tomorrow",
            "day ago",
            "a day ago",
            "-1 days ago",
            "1.5 days ago",
            "1 fortnight ago",
            "1 day",
            "2026-13-01",
            "2026-02-30",
            "2026-1-1",
            "2026-01-31T25:00",
            "99999999999 days ago",
            "4000000000 months ago",
            "4000000000 years ago",
            "now ago",
        ] {
            assert_eq!(when(text), None, "{text:?}");
        }
    }
}
