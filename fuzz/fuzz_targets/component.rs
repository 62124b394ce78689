#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fanlight_fuzz::targets::component(bytes));
