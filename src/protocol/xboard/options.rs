//! Commands that set options of the engine, and what is said about them.

use super::XBoard;
use super::failure::{Failure, refused};
use crate::engine::{OptionError, Remark};
use std::env;
use std::io::{self, Write};

impl<W: Write> XBoard<W> {
    /// `option`, `memory` and `cores`.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match self.engine.set_option(name, value) {
            Ok(remarks) => self.send_option_remarks(&remarks)?,
            // A file that cannot be used is the user's mistake, not the peer's.
            Err(OptionError::Refused(reason)) => self.tell_user(&reason)?,
            Err(error) => return Err(refused(error)),
        }
        self.output.set_log(self.engine.log());
        self.renew_pondering()?;
        Ok(self.resume_analysis()?)
    }

    /// `egtpath`.
    pub(super) fn set_tablebase_path(&mut self, path: &str) -> io::Result<()> {
        match self.engine.set_option("egtpath", path) {
            Ok(remarks) => self.send_option_remarks(&remarks)?,
            // XBoard sends its default folder even if nobody has created it.
            Err(error) if !env::split_paths(path).any(|folder| folder.exists()) => {
                self.send_remarks(&[error.to_string()])?;
            }
            Err(error) => self.tell_user(&error)?,
        }
        self.renew_pondering()?;
        self.resume_analysis()
    }

    fn send_option_remarks(&mut self, remarks: &[Remark]) -> io::Result<()> {
        for remark in remarks {
            match remark {
                Remark::Found(text) => self.send_remarks(std::slice::from_ref(text))?,
                Remark::Unusable(text) => self.tell_user(text)?,
            }
        }
        Ok(())
    }
}
