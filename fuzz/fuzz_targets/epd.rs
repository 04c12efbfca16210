//! EPD: positions with operations.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::board::Epd;
use tabiya_fuzz::check_position;

fuzz_target!(|data: &[u8]| {
    for line in String::from_utf8_lossy(data).lines() {
        if let Ok(epd) = line.parse::<Epd>()
            && let Ok(validated) = epd.setup.validate(epd.mode)
        {
            check_position(&validated.position);
        }
    }
});
