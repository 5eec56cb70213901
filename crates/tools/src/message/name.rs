/// Declares the names, each with the code that goes with it.
macro_rules! names {
    ($($name:ident => $code:expr),* $(,)?) => {
        /// The name of an error. It does not change with the wording.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorName {
            $($name),*
        }

        impl ErrorName {
            /// As in replies.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name)),*
                }
            }

            /// The code for clients that expect numbers.
            pub fn code(self) -> i32 {
                match self {
                    $(Self::$name => $code),*
                }
            }
        }
    };
}

const FORBIDDEN: i32 = -32002;
const TIMEOUT: i32 = -32003;
const NOT_FOUND: i32 = -32004;
const FAILED: i32 = -32005;

names! {
    AlreadyRecording => FAILED,
    AlreadyRunning => FAILED,
    Ambiguous => FAILED,
    BadArguments => FAILED,
    BadLocale => FAILED,
    BadPattern => FAILED,
    BadPicture => FAILED,
    BadStorageState => FAILED,
    BadTarget => FAILED,
    BadUrl => FORBIDDEN,
    BookmarkRefused => FAILED,
    BrowserEnded => FAILED,
    BrowserError => FAILED,
    ContextExists => FAILED,
    CookieDropped => FAILED,
    Crashed => FAILED,
    DialogOpen => FAILED,
    DownloadFailed => FAILED,
    FetchFailed => FAILED,
    FileError => FAILED,
    FileField => FAILED,
    Forbidden => FORBIDDEN,
    ForeignRef => NOT_FOUND,
    GivenUp => FAILED,
    ImageError => FAILED,
    InstallFailed => FAILED,
    InternalError => FAILED,
    Interrupted => FAILED,
    LastContext => FAILED,
    LaunchFailed => FAILED,
    Misfit => FAILED,
    Missed => FAILED,
    NavigationFailed => FAILED,
    NoAnswer => FAILED,
    NoConsoleBuffer => FAILED,
    NoContext => NOT_FOUND,
    NoDialog => FAILED,
    NoFrame => NOT_FOUND,
    NoFrames => FAILED,
    NoHistory => FAILED,
    NoOrigin => FAILED,
    NoPage => FAILED,
    NoTab => NOT_FOUND,
    NotEmulated => FAILED,
    NotFound => NOT_FOUND,
    NothingToKeep => FAILED,
    NotInside => FAILED,
    NotReady => FAILED,
    NotRecording => FAILED,
    NotStarted => FAILED,
    NotTaken => FAILED,
    NoWindow => NOT_FOUND,
    OffViewport => FAILED,
    PermissionRefused => FAILED,
    ProxyFailed => FAILED,
    RecordingEnded => FAILED,
    RequestFailed => FAILED,
    ScriptError => FAILED,
    SharedProcess => FAILED,
    StaleRef => NOT_FOUND,
    Stayed => FAILED,
    StorageError => FAILED,
    TabClosed => FAILED,
    Timeout => TIMEOUT,
    TooLarge => FAILED,
    TraceFailed => FAILED,
    UnknownKey => FAILED,
    UnknownRef => NOT_FOUND,
    UnknownSecret => FAILED,
    UnknownTimeZone => FAILED,
    Unsupported => FAILED,
    VaultError => FAILED,
    Withheld => FAILED,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_published_codes() {
        for (name, text, code) in [
            (ErrorName::Timeout, "Timeout", -32003),
            (ErrorName::StaleRef, "StaleRef", -32004),
            (ErrorName::Forbidden, "Forbidden", -32002),
            (ErrorName::Misfit, "Misfit", -32005),
        ] {
            assert_eq!((name.as_str(), name.code()), (text, code));
        }
    }
}
