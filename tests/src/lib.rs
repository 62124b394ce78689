//! See `docs/architecture.md`.
