//! From the contract's strings to the types of [`Model`] and back.

use std::marker::PhantomData;

use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::exports::fanlight::plugin::model as contract;
use crate::model::{Failure, Granularity, Model, Request};

/// A [`Model`] as the component's export. Made by [`crate::export_model!`].
pub struct Adapter<M>(PhantomData<M>);

impl<M: Model> contract::Guest for Adapter<M> {
    fn describe() -> contract::Description {
        let description = M::description();
        contract::Description {
            name: description.name.to_owned(),
            version: description.version.to_owned(),
            summary: description.summary.to_owned(),
            parameters: schema::<M::Parameters>(),
            partial: schema::<M::Partial>(),
            result: schema::<M::Outcome>(),
            granularity: match description.granularity {
                Granularity::Document => contract::Granularity::Document,
                Granularity::Page => contract::Granularity::Page,
            },
            max_pages: description.max_pages,
            presents: M::PRESENTS,
        }
    }

    fn analyze(request: contract::Request) -> Result<String, contract::Failure> {
        let partial = M::analyze(&typed::<M>(request)?)?;
        Ok(write(&partial)?)
    }

    fn conclude(request: contract::Request, partials: Vec<String>) -> Result<String, contract::Failure> {
        let request = typed::<M>(request)?;
        let partials =
            partials.iter().map(|partial| read("a partial result", partial)).collect::<Result<Vec<_>, _>>()?;
        Ok(write(&M::conclude(&request, partials)?)?)
    }

    fn present(stored: String) -> Result<String, contract::Failure> {
        if !M::PRESENTS {
            return Ok(stored);
        }
        let presented = M::present(read("the stored result", &stored)?)?;
        Ok(write(&presented)?)
    }
}

fn schema<T: JsonSchema>() -> String {
    schema_for!(T).as_value().to_string()
}

fn typed<M: Model>(request: contract::Request) -> Result<Request<M::Parameters>, Failure> {
    Ok(Request {
        parameters: read("the parameters", &request.parameters)?,
        pages: request.pages,
        document_sha256: request.document_sha256,
    })
}

fn read<T: DeserializeOwned>(what: &str, json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::Internal(format!("{what} do not fit: {error}")))
}

fn write<T: Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Internal(format!("can't write the result: {error}")))
}

impl From<Failure> for contract::Failure {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::PdfCorrupt(detail) => Self::PdfCorrupt(detail),
            Failure::Unsupported(detail) => Self::Unsupported(detail),
            Failure::Internal(detail) => Self::Internal(detail),
        }
    }
}
