//! Compiles the web-process extension, which the host embeds. It has no dependencies but the libraries of the system.

use std::{env, path::PathBuf, process::Command};

const SOURCE: &str = "extension/lib.rs";
const LIBRARIES: [&str; 5] =
    ["webkit2gtk-4.1", "javascriptcoregtk-4.1", "soup-3.0", "gobject-2.0", "glib-2.0"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // WebKit is to find it there: `src/cursor.rs`.
    println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic-symbol=gdk_window_set_cursor");
    println!("cargo::rerun-if-changed={SOURCE}");
    let output = PathBuf::from(env::var("OUT_DIR")?).join("extension.so");
    let mut rustc = Command::new(env::var("RUSTC")?);
    rustc.args(["--edition=2024", "--crate-type=cdylib", "--crate-name=cicerone_extension"]);
    rustc.args(["-Copt-level=s", "-Cpanic=abort", "-Cstrip=symbols"]);
    rustc.args(LIBRARIES.map(|library| format!("-l{library}")));
    rustc.arg("-o").arg(output).arg(SOURCE);
    let status = rustc.status()?;
    if !status.success() {
        return Err(format!("the extension could not be compiled ({status})").into());
    }
    Ok(())
}
