//! The file of secrets, in the form that is known as dotenv: `NAME=value`, one a line. `NAME@example.com,*.example.org=value`
//! says which hosts may get it.
//!
//! A value may stand in single quotes, as it is, or in double quotes, with escapes; both may go over several lines. Without
//! quotes it ends at the line's end or before ` #`. Errors say where, never what.

use std::{
    iter::Peekable,
    path::{Path, PathBuf},
    str::Chars,
};

use cicerone_engine::{HostPattern, Secret, Secrets};

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadSecrets {
    #[error("the secrets in {} cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{}, line {line}: {problem}", .path.display())]
    Line { path: PathBuf, line: usize, problem: Problem },
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("a line has the form NAME=value")]
    NoAssignment,
    #[error("a name has letters, digits and underscores, and does not begin with a digit")]
    BadName,
    #[error("the part after @ is a list of hosts, such as example.com or *.example.com")]
    BadHost,
    #[error("this quote is not closed")]
    Unended,
    #[error("there is something after the closing quote")]
    AfterQuote,
    #[error("duplicate name {0}")]
    Twice(String),
}

/// Reads the file; no file, no secrets.
pub(crate) fn read(path: Option<&Path>) -> Result<Secrets, BadSecrets> {
    let Some(path) = path else { return Ok(Secrets::default()) };
    let text = std::fs::read_to_string(path)
        .map_err(|source| BadSecrets::Unreadable { path: path.to_owned(), source })?;
    let secrets =
        parse(&text).map_err(|(line, problem)| BadSecrets::Line { path: path.to_owned(), line, problem })?;
    Ok(Secrets::new(secrets))
}

fn parse(text: &str) -> Result<Vec<Secret>, (usize, Problem)> {
    let mut reader = Reader { rest: text.trim_start_matches('\u{feff}').chars().peekable(), line: 1 };
    let mut secrets: Vec<Secret> = Vec::new();
    while reader.skip_to_assignment() {
        let line = reader.line;
        let secret = reader.assignment().map_err(|problem| (line, problem))?;
        if secrets.iter().any(|other| other.name == secret.name) {
            return Err((line, Problem::Twice(secret.name)));
        }
        secrets.push(secret);
    }
    Ok(secrets)
}

struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// Skips empty lines and comments; whether anything follows.
    fn skip_to_assignment(&mut self) -> bool {
        while let Some(next) = self.rest.peek() {
            match next {
                '#' => drop(self.rest_of_line()),
                next if next.is_whitespace() => drop(self.next()),
                _ => return true,
            }
        }
        false
    }

    /// All up to the end of the line, which stays.
    fn rest_of_line(&mut self) -> String {
        let mut text = String::new();
        while let Some(next) = self.rest.next_if(|next| *next != '\n') {
            text.push(next);
        }
        text
    }

    fn assignment(&mut self) -> Result<Secret, Problem> {
        let mut name = String::new();
        loop {
            match self.rest.next_if(|next| *next != '\n') {
                Some('=') => break,
                Some(next) => name.push(next),
                None => return Err(Problem::NoAssignment),
            }
        }
        let name = name.trim();
        let name = name.strip_prefix("export ").map_or(name, str::trim_start);
        let (name, hosts) = match name.split_once('@') {
            Some((name, hosts)) => {
                let hosts = hosts.split(',').map(|host| host.trim().parse::<HostPattern>());
                (name, hosts.collect::<Result<_, _>>().map_err(|_| Problem::BadHost)?)
            }
            None => (name, Vec::new()),
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(fits) {
            return Err(Problem::BadName);
        }
        let value = self.value()?;
        Ok(Secret { name: name.to_owned(), hosts, value })
    }

    fn value(&mut self) -> Result<String, Problem> {
        while self.rest.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
        let Some(quote) = self.rest.next_if(|next| matches!(next, '\'' | '"')) else {
            let line = self.rest_of_line();
            // A comment begins after a blank, or at once.
            let comment = if line.starts_with('#') { Some(0) } else { line.find(" #").or(line.find("\t#")) };
            return Ok(line[..comment.unwrap_or(line.len())].trim().to_owned());
        };
        let value = self.quoted(quote)?;
        let after = self.rest_of_line();
        let after = after.trim();
        if after.is_empty() || after.starts_with('#') { Ok(value) } else { Err(Problem::AfterQuote) }
    }

    /// All up to the closing quote, which goes.
    fn quoted(&mut self, quote: char) -> Result<String, Problem> {
        let mut value = String::new();
        loop {
            match self.next().ok_or(Problem::Unended)? {
                end if end == quote => return Ok(value),
                '\\' if quote == '"' => match self.next().ok_or(Problem::Unended)? {
                    'n' => value.push('\n'),
                    'r' => value.push('\r'),
                    't' => value.push('\t'),
                    known @ ('"' | '\\' | '$' | '\'') => value.push(known),
                    other => value.extend(['\\', other]),
                },
                other => value.push(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;

    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        parse(text).unwrap().into_iter().map(|secret| (secret.name, secret.value)).collect()
    }

    #[test]
    fn a_name_may_name_hosts() {
        let secrets = parse("A=1\nB@Example.com, *.b\u{fc}cher.example=2\nC@127.0.0.1=3").unwrap();
        let hosts: Vec<_> = secrets
            .iter()
            .map(|secret| secret.hosts.iter().map(ToString::to_string).collect::<Vec<_>>())
            .collect();
        let expected = [vec![], vec!["example.com", "*.xn--bcher-kva.example"], vec!["127.0.0.1"]];
        assert_eq!(hosts, expected);
        for bad in ["A@=1", "A@a b=1", "A@http://x=1", "A@x:80=1", "A@*=1", "A@*.*.x=1", "A@x/y=1"] {
            assert_eq!(parse(bad).err(), Some((1, Problem::BadHost)), "{bad}");
        }
    }

    #[test]
    fn values_come_with_and_without_quotes() {
        let text = "\u{feff}# a comment\r\n\nUSER=ada\nexport PASSWORD = 'p#ss \"w\" \\n' # why\n\
                    KEY=\"a\\n\\\"b\\\" \\$c \\d\"\nURL=http://x/#y z # comment\nEMPTY=\nNOTHING=# comment\r\n\
                    LONG='one\ntwo'\nLAST=x=y";
        let expected = [
            ("USER", "ada"),
            ("PASSWORD", "p#ss \"w\" \\n"),
            ("KEY", "a\n\"b\" $c \\d"),
            ("URL", "http://x/#y z"),
            ("EMPTY", ""),
            ("NOTHING", ""),
            ("LONG", "one\ntwo"),
            ("LAST", "x=y"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(pairs(text), expected);
        assert!(pairs("").is_empty() && pairs("\n# only this").is_empty());
    }

    #[test]
    fn any_file_is_parsed_or_refused_without_showing_a_value() {
        const PIECES: &[&str] = &[
            "A",
            "NAME",
            "=",
            "@",
            "example.com",
            "*.",
            ",",
            "'",
            "\"",
            "\\",
            "\n",
            "\r\n",
            "#",
            " #",
            "export ",
            " ",
            "\t",
            "\0",
            "\u{feff}",
            "é",
            "1",
            "s3cr3t",
        ];
        let mut foreign = ForeignText::new();
        for _ in 0..20_000 {
            let text = foreign.pieces(PIECES, 16);
            if let Err((line, problem)) = parse(&format!("{text}=s3cr3t")) {
                let lines = text.lines().count().max(1) + 1;
                assert!((1..=lines).contains(&line), "{text:?}: line {line}");
                let names_it = matches!(&problem, Problem::Twice(name) if name.contains("s3cr3t"));
                assert!(names_it || !problem.to_string().contains("s3cr3t"), "{text:?}: {problem}");
            }
        }
    }

    #[test]
    fn errors_say_where_and_never_what() {
        for (text, line, problem) in [
            ("A=1\nhunter2\n", 2, Problem::NoAssignment),
            ("A=1\n\n2B=hunter2", 3, Problem::BadName),
            ("A B=hunter2", 1, Problem::BadName),
            ("=hunter2", 1, Problem::BadName),
            ("A='x\ny'\nB=\"hunter2\n", 3, Problem::Unended),
            ("A='hunter2' hunter2", 1, Problem::AfterQuote),
            ("A=1\nA=hunter2", 2, Problem::Twice("A".into())),
        ] {
            let refused = parse(text).err().unwrap();
            assert_eq!(refused, (line, problem), "{text:?}");
            assert!(!format!("{refused:?} {}", refused.1).contains("hunter2"));
        }
    }

    #[test]
    fn the_file_is_named() {
        let refused = read(Some(Path::new("/nowhere/.env"))).unwrap_err().to_string();
        assert!(refused.contains("/nowhere/.env cannot be read"), "{refused}");
        assert_eq!(read(None).unwrap().names().count(), 0);
    }
}
