//! Pictures and recordings.
//!
//! A [`Picture`] is decoded from PNG or JPEG, fitted into a size, and encoded again. [`Overlay`]s are drawn onto it.
//! [`GifWriter`] and [`WebmWriter`] make a file of pictures as they come. [`sheets`] reads the pages of a PDF.
//!
//! This crate knows of no browser and does nothing but compute.

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
