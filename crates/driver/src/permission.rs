use std::fmt;

use async_trait::async_trait;

use crate::Result;

/// The power to decide in a context what sites may do, before they ask.
#[async_trait]
pub trait Permissions: Send + Sync {
    /// Sets what an origin (`https://example.com`) may do. Where an engine does not know a permission, it is
    /// [`Unsupported`](crate::DriverError::Unsupported).
    async fn set(&self, origin: &str, permission: Permission, setting: Setting) -> Result<()>;
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// It may.
    Granted,
    /// It may not.
    Denied,
    /// Nothing: it has to ask.
    Undecided,
}

impl Setting {
    /// The web's own word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::Denied => "denied",
            Self::Undecided => "prompt",
        }
    }
}

macro_rules! permissions {
    ($($(#[$doc:meta])* $name:ident $word:literal)*) => {
        /// What a site may be allowed to do. The names are those of the Permissions registry.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Permission {
            $($(#[$doc])* $name,)*
        }

        impl Permission {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The web's own word for it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

permissions! {
    /// How the device moves.
    Accelerometer "accelerometer"
    /// How bright it is around.
    AmbientLightSensor "ambient-light-sensor"
    /// To fetch while no page is open.
    BackgroundFetch "background-fetch"
    /// To finish sending when the network is back.
    BackgroundSync "background-sync"
    /// To use cameras.
    Camera "camera"
    /// To read what was copied.
    ClipboardRead "clipboard-read"
    /// To copy something.
    ClipboardWrite "clipboard-write"
    /// To see the screen.
    DisplayCapture "display-capture"
    /// Where the device is.
    Geolocation "geolocation"
    /// How the device turns.
    Gyroscope "gyroscope"
    /// Whether the person is there.
    IdleDetection "idle-detection"
    /// To get keys that are the system's.
    KeyboardLock "keyboard-lock"
    /// To use the fonts of the system.
    LocalFonts "local-fonts"
    /// Where north is.
    Magnetometer "magnetometer"
    /// To use microphones.
    Microphone "microphone"
    /// To use musical instruments.
    Midi "midi"
    /// To use tags nearby.
    Nfc "nfc"
    /// To show notifications.
    Notifications "notifications"
    /// To take payments.
    PaymentHandler "payment-handler"
    /// To be woken from time to time.
    PeriodicBackgroundSync "periodic-background-sync"
    /// To keep what it stored.
    PersistentStorage "persistent-storage"
    /// To keep the pointer.
    PointerLock "pointer-lock"
    /// To be sent messages while no page is open.
    Push "push"
    /// To keep the screen on.
    ScreenWakeLock "screen-wake-lock"
    /// To choose speakers.
    SpeakerSelection "speaker-selection"
    /// To use its cookies inside of other sites.
    StorageAccess "storage-access"
    /// The same, for what it embeds.
    TopLevelStorageAccess "top-level-storage-access"
    /// To place windows on all screens.
    WindowManagement "window-management"
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
