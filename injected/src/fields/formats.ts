// Fields with a fixed value format. Values are converted if unambiguous, else refused with the expected format.

import { fail } from "../failure";

interface Format {
  expected: string;
  /** Matches the parts of the format in the given value. */
  pattern: RegExp;
  write(parts: string[]): string;
}

const pad = (digits: string) => digits.padStart(2, "0");
const DAY = "(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})";
const CLOCK = "(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?:\\.\\d+)?";

const writeDay = (year: string, month: string, day: string) => `${year}-${pad(month)}-${pad(day)}`;
const writeClock = (hour: string, minute: string, second?: string) =>
  `${pad(hour)}:${minute}${second && second !== "00" ? `:${second}` : ""}`;

const FORMATS: Record<string, Format> = {
  date: {
    expected: "YYYY-MM-DD, for instance 2026-11-15",
    pattern: new RegExp(`^${DAY}(?:[T ]${CLOCK}Z?)?$`),
    write: ([year, month, day]) => writeDay(year!, month!, day!),
  },
  time: {
    expected: "HH:MM in 24 hours, for instance 14:30",
    pattern: new RegExp(`^${CLOCK}$`),
    write: ([hour, minute, second]) => writeClock(hour!, minute!, second),
  },
  "datetime-local": {
    expected: "YYYY-MM-DDTHH:MM, for instance 2026-11-15T14:30",
    pattern: new RegExp(`^${DAY}[T ]${CLOCK}$`),
    write: ([year, month, day, hour, minute, second]) => `${writeDay(year!, month!, day!)}T${writeClock(hour!, minute!, second)}`,
  },
  month: {
    expected: "YYYY-MM, for instance 2026-11",
    pattern: /^(\d{4})[-/.](\d{1,2})$/,
    write: ([year, month]) => `${year}-${pad(month!)}`,
  },
  week: {
    expected: "YYYY-Www, for instance 2026-W46",
    pattern: /^(\d{4})-?[Ww](\d{1,2})$/,
    write: ([year, week]) => `${year}-W${pad(week!)}`,
  },
  color: {
    expected: "#rrggbb, for instance #3366ff",
    pattern: /^#?([0-9a-f])([0-9a-f])([0-9a-f])(?:([0-9a-f])([0-9a-f])([0-9a-f]))?$/i,
    write: ([r, g, b, ...rest]) => `#${(rest[0] ? [r, g, b, ...rest] : [r, r, g, g, b, b]).join("")}`.toLowerCase(),
  },
  range: {
    expected: "a number",
    pattern: /^([-+]?\d*\.?\d+(?:e[-+]?\d+)?)$/i,
    write: ([number]) => number!,
  },
};

/** The value as a field of this type accepts it. An empty value clears the field. */
export function formatted(type: string, value: string): string {
  const format = FORMATS[type];
  const given = value.trim();
  if (!format || (given === "" && type !== "color" && type !== "range")) return given;
  const parts = format.pattern.exec(given);
  if (!parts) fail({ kind: "misfit", message: invalid(type, given, format.expected) });
  return format.write(parts.slice(1));
}

/** Says what a field of this type takes instead. */
export function invalid(type: string, given: string, expected = FORMATS[type]?.expected ?? "text"): string {
  return `"${given}" is not a valid ${type} value: expected ${expected}`;
}
