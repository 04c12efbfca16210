//! What the program does besides playing: each tool reads, works and writes, and talks to nobody.

pub mod datagen;
pub mod genfens;
pub mod referee;
