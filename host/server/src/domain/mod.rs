//! The rules of the service: documents, jobs, and what becomes of them.
//!
//! | module | holds |
//! |---|---|
//! | [`service`] | the state that all of them share |
//! | [`upload`] | receiving documents |
//! | [`inspection`], [`permits`] | questions to the PDF engine about documents and their pages |
//! | [`catalog`], [`cards`] | the service's own models, and what models and networks say of themselves |
//! | [`submission`], [`batch`] | checking, charging and queueing jobs |
//! | [`extraction`], [`sections`] | the sections of a specification that a submission selects |
//! | [`estimate`] | how long jobs will take |
//! | [`idempotency`] | requests that are carried out only once |
//! | [`worker`] | running queued jobs |
//! | [`delivery`] | posting finished jobs to webhooks |
//! | [`job`], [`result`], [`waiting`] | what clients read of a job |
//! | [`annotations`] | the items of a result that can be drawn into its document |
//! | [`tables`] | the schedules of a result as files for spreadsheet programs |
//! | [`review`] | what people say of a result, and the result as reviewed |
//! | [`labels`] | reviewed results as labels that measure a model |
//! | [`links`], [`seal`] | signed links to files, and encryption of stored secrets |
//! | [`signing_in`] | sign-in links of the local owner |
//! | [`retention`] | deleting expired data |

pub(crate) mod annotations;
pub(crate) mod batch;
pub(crate) mod cards;
pub(crate) mod catalog;
pub(crate) mod delivery;
pub(crate) mod estimate;
pub(crate) mod extraction;
pub(crate) mod idempotency;
pub(crate) mod inspection;
pub(crate) mod job;
pub(crate) mod labels;
pub(crate) mod links;
pub(crate) mod permits;
pub(crate) mod result;
pub(crate) mod retention;
pub(crate) mod review;
pub(crate) mod seal;
pub(crate) mod sections;
pub(crate) mod service;
pub(crate) mod signing_in;
pub(crate) mod submission;
pub(crate) mod tables;
pub(crate) mod tiles;
pub(crate) mod upload;
pub(crate) mod waiting;
pub(crate) mod worker;
