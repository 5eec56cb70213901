//! A [`Platform`] is an operating system and processor that browser builds are published for.

/// An operating system and processor that browser builds are published for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Linux on x86-64 with glibc.
    Linux64,
    /// macOS on Apple silicon.
    MacArm64,
    /// macOS on Intel.
    MacX64,
    /// Windows on x86-64.
    Win64,
}

impl Platform {
    /// The platform of this process; `None` if no builds are published for it.
    pub fn current() -> Option<Platform> {
        // The published Linux builds need glibc. A musl build of this program may run without glibc, and Alpine is the
        // one such system in common use.
        let musl = cfg!(target_env = "musl") && std::path::Path::new("/etc/alpine-release").exists();
        match (std::env::consts::OS, std::env::consts::ARCH) {
            ("linux", "x86_64") if !musl => Some(Platform::Linux64),
            ("macos", "aarch64") => Some(Platform::MacArm64),
            ("macos", "x86_64") => Some(Platform::MacX64),
            ("windows", "x86_64") => Some(Platform::Win64),
            _ => None,
        }
    }

    /// The name in the paths of published archives.
    pub fn name(self) -> &'static str {
        match self {
            Platform::Linux64 => "linux64",
            Platform::MacArm64 => "mac-arm64",
            Platform::MacX64 => "mac-x64",
            Platform::Win64 => "win64",
        }
    }
}
