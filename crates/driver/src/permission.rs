use std::fmt;

use async_trait::async_trait;

use crate::Result;

/// Sets the permissions of sites in a context, before they ask.
#[async_trait]
pub trait Permissions: Send + Sync {
    /// Sets a permission of an origin (`https://example.com`). A permission that the engine does not have is
    /// [`Unsupported`](crate::DriverError::Unsupported).
    async fn set(&self, origin: &str, permission: Permission, setting: Setting) -> Result<()>;
}

/// The state of a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// `granted`.
    Granted,
    /// `denied`.
    Denied,
    /// `prompt`: the site has to ask.
    Undecided,
}

impl Setting {
    /// Its name in the Permissions API.
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
        /// A permission, named as in the Permissions registry.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Permission {
            $($(#[$doc])* $name,)*
        }

        impl Permission {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in the Permissions API.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

permissions! {
    /// Acceleration of the device.
    Accelerometer "accelerometer"
    /// Ambient light level.
    AmbientLightSensor "ambient-light-sensor"
    /// Downloads that outlive the page.
    BackgroundFetch "background-fetch"
    /// Sending deferred until the network is back.
    BackgroundSync "background-sync"
    /// Video input.
    Camera "camera"
    /// Reading the clipboard.
    ClipboardRead "clipboard-read"
    /// Writing the clipboard.
    ClipboardWrite "clipboard-write"
    /// Capturing the screen.
    DisplayCapture "display-capture"
    /// Position of the device.
    Geolocation "geolocation"
    /// Rotation of the device.
    Gyroscope "gyroscope"
    /// Whether the user is idle.
    IdleDetection "idle-detection"
    /// Capturing system keys.
    KeyboardLock "keyboard-lock"
    /// Listing installed fonts.
    LocalFonts "local-fonts"
    /// Magnetic field around the device.
    Magnetometer "magnetometer"
    /// Audio input.
    Microphone "microphone"
    /// MIDI devices.
    Midi "midi"
    /// NFC tags.
    Nfc "nfc"
    /// Showing notifications.
    Notifications "notifications"
    /// Handling payments.
    PaymentHandler "payment-handler"
    /// Periodic wake-ups of the service worker.
    PeriodicBackgroundSync "periodic-background-sync"
    /// Storage that is not evicted.
    PersistentStorage "persistent-storage"
    /// Capturing the pointer.
    PointerLock "pointer-lock"
    /// Push messages.
    Push "push"
    /// Keeping the screen on.
    ScreenWakeLock "screen-wake-lock"
    /// Choosing audio outputs.
    SpeakerSelection "speaker-selection"
    /// Third-party cookies and storage.
    StorageAccess "storage-access"
    /// Storage access on behalf of embedded sites.
    TopLevelStorageAccess "top-level-storage-access"
    /// Placing windows on all screens.
    WindowManagement "window-management"
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
