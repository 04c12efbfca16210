//! Checkpoint files: a line of JSON, then the parameters of the model and the moments of the
//! optimiser as 32-bit floats, low byte first.

use super::adamw::{AdamW, Moments, SHARED_PARAMETERS};
use super::model::{Model, PARAMETERS};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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
    /// The first checkpoints of this format have none.
    #[serde(default)]
    provenance: Value,
}

const FORMAT: &str = "tabiya checkpoint 4";
/// The beginning of a checkpoint of any format.
const BEGINNING: &[u8] = br#"{"format":"tabiya checkpoint "#;

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
    /// How the training makes it.
    pub(super) provenance: Value,
}

impl Checkpoint {
    /// Whether a file with these bytes is a checkpoint of any format.
    pub(super) fn is_checkpoint(bytes: &[u8]) -> bool {
        bytes.starts_with(BEGINNING)
    }

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
            provenance: self.provenance.clone(),
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

    /// What the provenance of a later training says about this one.
    pub(super) fn origin(&self) -> Value {
        json!({ "epochs": self.epochs, "provenance": self.provenance })
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read, is not a checkpoint of a network of this shape, or has a number
    /// that is not finite.
    pub(super) fn load(path: &Path) -> io::Result<Self> {
        Self::from_bytes(&read_bytes(path)?, path)
    }

    /// Reads a checkpoint from the bytes of the file `path`.
    ///
    /// # Errors
    /// If it is not a checkpoint of a network of this shape, or has a number that is not finite.
    pub(super) fn from_bytes(bytes: &[u8], path: &Path) -> io::Result<Self> {
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
        if !numbers.clone().all(f32::is_finite) {
            let reason = "a number of the checkpoint is infinite or not a number";
            let error = io::Error::new(io::ErrorKind::InvalidData, reason);
            return Err(named(path)(error));
        }
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
            provenance: head.provenance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            optimiser: AdamW::new(),
            model: Model::random(&mut ChaCha8Rng::seed_from_u64(1)),
            epochs: 1,
            provenance: Value::Null,
        }
    }

    /// Zeros would take the place of such a number in the network.
    #[test]
    fn a_checkpoint_with_a_number_that_is_not_finite_is_refused() {
        let file = std::env::temp_dir().join(format!("tabiya-nan-{}", std::process::id()));
        let checkpoint = checkpoint();
        checkpoint.save(&file).unwrap();
        assert!(Checkpoint::load(&file).unwrap() == checkpoint);
        let changes: [fn(&mut Checkpoint); 4] = [
            |checkpoint| checkpoint.model.0[0] = f32::NAN,
            |checkpoint| checkpoint.model.0[PARAMETERS - 1] = f32::INFINITY,
            |checkpoint| checkpoint.optimiser.own.mean[3] = f32::NAN,
            |checkpoint| checkpoint.optimiser.shared.square[0] = f32::NEG_INFINITY,
        ];
        for change in changes {
            let mut bad = checkpoint.clone();
            change(&mut bad);
            bad.save(&file).unwrap();
            let error = Checkpoint::load(&file).unwrap_err().to_string();
            assert!(error.contains("not a number"), "{error}");
        }
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_checkpoint_without_provenance_is_read() {
        let file = std::env::temp_dir().join(format!("tabiya-old-{}", std::process::id()));
        let checkpoint = checkpoint();
        checkpoint.save(&file).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        let mut head: Value = serde_json::from_slice(&bytes[..end]).unwrap();
        head.as_object_mut().unwrap().remove("provenance").unwrap();
        let old = [head.to_string().as_bytes(), &bytes[end..]].concat();
        std::fs::write(&file, old).unwrap();
        assert!(Checkpoint::load(&file).unwrap() == checkpoint);
        std::fs::remove_file(&file).unwrap();
    }
}
