//! Plans drawn line by line: what is a door on them and what isn't, and pages that no office would draw.

mod closing;
mod doors;
mod fixtures;
mod hostile;
mod pen;
