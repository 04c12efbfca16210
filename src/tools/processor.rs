//! The processor that a build needs.
//!
//! A build may use every instruction of the processor that it was compiled for. On a lesser one it
//! would end by an illegal instruction, without a message. So `main` calls [`complaint`] first.
//!
//! `is_x86_feature_detected!` assumes the features of the build, so this module asks CPUID. Its
//! code is a loop over constants, which gives the compiler no reason to use vectors. The check
//! fails if code before `main` uses a missing instruction, or if a processor lacks only features
//! that the table does not list.

use std::env::consts::ARCH;

/// The level of x86-64 that the build requires, or the name of another architecture.
#[must_use]
pub const fn level() -> &'static str {
    if !cfg!(target_arch = "x86_64") {
        ARCH
    } else if cfg!(target_feature = "avx512bw") {
        "x86-64-v4"
    } else if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
        "x86-64-v3"
    } else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
        "x86-64-v2"
    } else {
        "x86-64"
    }
}

/// One sentence about a feature that the build requires and this processor lacks.
#[must_use]
pub fn complaint() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    for feature in x86::FEATURES {
        if feature.is_required && !feature.is_present() {
            return Some(feature.complaint);
        }
    }
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid, __cpuid_count, CpuidResult};

    /// A feature of the processor.
    pub(super) struct Feature {
        pub(super) is_required: bool,
        pub(super) complaint: &'static str,
        leaf: u32,
        subleaf: u32,
        register: fn(CpuidResult) -> u32,
        mask: u32,
    }

    impl Feature {
        pub(super) fn is_present(&self) -> bool {
            // A leaf that a processor does not have gives the bits of another one.
            let last = __cpuid(self.leaf & 0x8000_0000).eax;
            self.leaf <= last
                && (self.register)(__cpuid_count(self.leaf, self.subleaf)) & self.mask != 0
        }
    }

    macro_rules! features {
        ($($name:tt: $leaf:literal $subleaf:literal $register:ident $bit:literal,)*) => {
            /// The features that a compiler uses by itself, each with its bit of CPUID.
            pub(super) static FEATURES: &[Feature] = &[$(Feature {
                is_required: cfg!(target_feature = $name),
                complaint: concat!(
                    "tabiya: this processor lacks ",
                    $name,
                    ", which this build uses; `cargo build --release` makes one that fits\n",
                ),
                leaf: $leaf,
                subleaf: $subleaf,
                register: |result| result.$register,
                mask: 1 << $bit,
            }),*];

            #[cfg(test)]
            const DETECTED: &[fn() -> bool] = &[$(|| is_x86_feature_detected!($name)),*];
        };
    }

    features! {
        "sse3": 1 0 ecx 0,
        "ssse3": 1 0 ecx 9,
        "sse4.1": 1 0 ecx 19,
        "sse4.2": 1 0 ecx 20,
        "popcnt": 1 0 ecx 23,
        "avx": 1 0 ecx 28,
        "xsave": 1 0 ecx 27, // the system's permission to use AVX
        "f16c": 1 0 ecx 29,
        "fma": 1 0 ecx 12,
        "movbe": 1 0 ecx 22,
        "lzcnt": 0x8000_0001 0 ecx 5,
        "bmi1": 7 0 ebx 3,
        "bmi2": 7 0 ebx 8,
        "avx2": 7 0 ebx 5,
        "adx": 7 0 ebx 19,
        "avx512f": 7 0 ebx 16,
        "avx512dq": 7 0 ebx 17,
        "avx512cd": 7 0 ebx 28,
        "avx512bw": 7 0 ebx 30,
        "avx512vl": 7 0 ebx 31,
        "avx512vbmi": 7 0 ecx 1,
        "avx512vbmi2": 7 0 ecx 6,
        "avx512vnni": 7 0 ecx 11,
        "avx512bitalg": 7 0 ecx 12,
        "avx512vpopcntdq": 7 0 ecx 14,
        "gfni": 7 0 ecx 8,
        "avxvnni": 7 1 eax 4,
    }

    /// A wrong bit is seen only if it differs from the right one on this processor.
    #[test]
    fn each_feature_is_read_as_the_standard_library_reads_it() {
        for (feature, detected) in FEATURES.iter().zip(DETECTED) {
            assert_eq!(feature.is_present(), detected(), "{}", feature.complaint);
        }
    }

    #[test]
    fn no_two_features_have_the_same_bit() {
        let numbered = CpuidResult {
            eax: 0,
            ebx: 1,
            ecx: 2,
            edx: 3,
        };
        let bits = FEATURES.iter().map(|feature| {
            let register = (feature.register)(numbered);
            (feature.leaf, feature.subleaf, register, feature.mask)
        });
        let bits: std::collections::HashSet<_> = bits.collect();
        assert_eq!(bits.len(), FEATURES.len());
    }
}
