//! EPD: positions with operations.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::board::Setup;
use tabiya_fuzz::check_position;

fuzz_target!(|data: &[u8]| {
    for line in String::from_utf8_lossy(data).lines() {
        if let Ok((setup, _)) = Setup::from_epd(line)
            && let Ok(validated) = setup.validate(setup.castling_mode())
        {
            check_position(&validated.position);
        }
    }
});
