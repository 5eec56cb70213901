//! Which options a command takes. Those that it does not take are left out of its help, and refused as flags; in
//! variables and in the file they are for other commands.

use clap::{Arg, ArgMatches, Command, error::ErrorKind, parser::ValueSource};

use super::{http::SERVE_ONLY, layers::options};

/// The options of each command; the others have none. Without a command there is the server, which has all.
const TAKEN: [(&str, &[&str]); 4] = [
    ("install", &["executable-path", "config"]),
    (
        "doctor",
        &[
            "browser",
            "endpoint",
            "extension",
            "endpoint-token",
            "endpoint-context",
            "executable-path",
            "headed",
            "viewport",
            "user-data-dir",
            "profile-lock",
            "screenshot-dir",
            "secrets",
            "proxy",
            "proxy-bypass",
            "http",
            "token-file",
            "config",
        ],
    ),
    ("tools", &["dialect", "caps", "secrets", "config"]),
    ("demo", &DEMO),
];

/// The options of the demonstration, which its server gets too.
pub(crate) const DEMO: [&str; 10] = [
    "browser",
    "executable-path",
    "headed",
    "viewport",
    "user-data-dir",
    "profile-lock",
    "screenshot-dir",
    "action-timeout",
    "navigation-timeout",
    "config",
];

/// What a command takes; nothing where it takes nearly everything.
fn taken_by(command: &str) -> Option<&'static [&'static str]> {
    if matches!(command, "call" | "serve") {
        return None;
    }
    let known = TAKEN.iter().find(|(name, _)| *name == command);
    Some(known.map_or(&[], |(_, taken)| taken))
}

/// Whether a command takes an option.
fn takes(command: &str, option: &str) -> bool {
    match (command, taken_by(command)) {
        ("serve", _) => true,
        (_, Some(taken)) => taken.contains(&option),
        // A call to a server that runs needs its token.
        (_, None) => option == "token-file" || !SERVE_ONLY.contains(&option),
    }
}

/// The options that a command does not take.
fn refused_by(command: &str) -> Vec<Arg> {
    let refused = |option: &Arg| option.get_long().is_some_and(|name| !takes(command, name));
    options().into_iter().filter(refused).collect()
}

/// Leaves out of each command's help what it does not take.
pub(super) fn narrowed(mut command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        // An option of its own takes the place of the one that all commands have.
        let hidden =
            refused_by(&name).into_iter().map(|option| option.hide(true).default_value(None::<&'static str>));
        command = command.mut_subcommand(&name, |command| command.args(hidden));
    }
    command
}

/// The commands, each with the options that it takes and nothing that is hidden from people: what shells complete.
pub(super) fn offered(declared: &Command) -> Command {
    // Options that all commands have would be theirs again.
    let options: Vec<Arg> = declared.get_arguments().map(|option| option.clone().global(false)).collect();
    let visible = declared.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = visible.map(|command| {
        let refused = refused_by(command.get_name());
        let taken =
            options.iter().filter(|option| !refused.iter().any(|other| other.get_id() == option.get_id()));
        let own = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let about = command.get_about().cloned().unwrap_or_default();
        let offered = Command::new(command.get_name().to_owned()).about(about).disable_help_flag(true);
        offered.args(own.chain(taken).cloned().collect::<Vec<_>>())
    });
    let commands: Vec<Command> = commands.collect();
    let offered = Command::new("cicerone").version(env!("CARGO_PKG_VERSION"));
    offered.disable_help_flag(true).disable_help_subcommand(true).args(&options).subcommands(commands)
}

/// Refuses flags that the command does not take.
pub(super) fn check(command: &mut Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let is_flag = |matches: &ArgMatches, id: &str| {
        matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let Some((name, own)) = matches.subcommand() else {
        let given = SERVE_ONLY.into_iter().find(|option| is_flag(matches, &option.replace('-', "_")));
        return given.map_or(Ok(()), |option| {
            let message = format!("--{option} is an option of `cicerone serve`");
            Err(command.error(ErrorKind::UnknownArgument, message))
        });
    };
    for option in refused_by(name) {
        let id = option.get_id().as_str();
        if is_flag(matches, id) || is_flag(own, id) {
            let flag = option.get_long().unwrap_or_default();
            let taken: Vec<String> =
                taken_by(name).unwrap_or_default().iter().map(|name| format!("--{name}")).collect();
            let taken = if taken.is_empty() { "no options of the server".into() } else { taken.join(", ") };
            let message = match taken_by(name) {
                Some(_) => format!("`cicerone {name}` does not take --{flag}; it takes {taken}"),
                None => format!("--{flag} is an option of `cicerone serve`"),
            };
            return Err(command.error(ErrorKind::UnknownArgument, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_commands_are_options() {
        let known: Vec<String> =
            options().iter().filter_map(|option| option.get_long().map(str::to_owned)).collect();
        for (command, taken) in TAKEN {
            for option in taken {
                assert!(known.iter().any(|known| known == option), "{command} takes {option}");
            }
        }
    }
}
