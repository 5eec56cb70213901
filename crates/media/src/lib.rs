//! Images and recordings.
//!
//! A [`Picture`] is decoded from PNG or JPEG, scaled, and encoded again. [`Overlay`]s are drawn onto it. [`GifWriter`]
//! and [`WebmWriter`] write recordings frame by frame. [`sheets`] reads page counts and sizes from a PDF.
//!
//! Pure computation: this crate knows no browser and does no I/O.

mod draw;
mod gif;
mod overlay;
mod palette;
mod pdf;
mod picture;
mod text;
mod webm;

pub use crate::{
    gif::GifWriter,
    overlay::{Overlay, Spot},
    pdf::{Sheets, sheets},
    picture::{BadPicture, Picture, Placed},
    webm::{VideoChunk, WebmWriter},
};
