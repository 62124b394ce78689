//! Plans drawn line by line: which symbols are detected on them, and hostile pages.

mod closing;
mod doors;
mod fixtures;
mod hostile;
mod pen;
