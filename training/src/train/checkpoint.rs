//! Checkpoint files: a line of JSON, the parameters of the model, and the moments of the optimiser.

use super::adamw::{AdamW, Moments, SHARED_PARAMETERS};
use super::model::{Model, PARAMETERS};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use tabiya::tools::files::{named, read_bytes, write_whole};

/// The first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Head {
    format: String,
    parameters: usize,
    epochs: u32,
    steps: u64,
}

const FORMAT: &str = "tabiya checkpoint 3";

/// Lengths of the parts after the first line: model, moments of each parameter, shared moments.
const PARTS: [usize; 5] = [
    PARAMETERS,
    PARAMETERS,
    PARAMETERS,
    SHARED_PARAMETERS,
    SHARED_PARAMETERS,
];

/// A model in training.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Checkpoint {
    pub(super) model: Model,
    pub(super) optimiser: AdamW,
    /// Finished epochs.
    pub(super) epochs: u32,
}

impl Checkpoint {
    /// Writes the checkpoint; an older file is replaced only by a complete one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn save(&self, path: &Path) -> io::Result<()> {
        let head = Head {
            format: FORMAT.to_owned(),
            parameters: PARAMETERS,
            epochs: self.epochs,
            steps: self.optimiser.steps,
        };
        let mut bytes = serde_json::to_vec(&head)?;
        bytes.push(b'\n');
        let AdamW { own, shared, .. } = &self.optimiser;
        for numbers in [
            &self.model.0,
            &own.mean,
            &own.square,
            &shared.mean,
            &shared.square,
        ] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        write_whole(path, &bytes)
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a checkpoint of a network of this shape.
    pub(super) fn load(path: &Path) -> io::Result<Self> {
        let bytes = read_bytes(path)?;
        let bad = || {
            let reason = "not a checkpoint of a network of this shape";
            named(path)(io::Error::new(io::ErrorKind::InvalidData, reason))
        };
        let end = bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .ok_or_else(bad)?;
        let head: Head = serde_json::from_slice(&bytes[..end]).map_err(|_| bad())?;
        let (numbers, rest) = bytes[end + 1..].as_chunks();
        if head.format != FORMAT
            || head.parameters != PARAMETERS
            || numbers.len() != PARTS.iter().sum::<usize>()
            || !rest.is_empty()
        {
            return Err(bad());
        }
        let mut numbers = numbers.iter().map(|&number| f32::from_le_bytes(number));
        let [model, mean, square, shared_mean, shared_square] =
            PARTS.map(|length| numbers.by_ref().take(length).collect::<Vec<_>>());
        Ok(Self {
            model: Model(model),
            optimiser: AdamW {
                own: Moments { mean, square },
                shared: Moments {
                    mean: shared_mean,
                    square: shared_square,
                },
                steps: head.steps,
            },
            epochs: head.epochs,
        })
    }
}
