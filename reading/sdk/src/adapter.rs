//! Converts between the contract's strings and the types of [`Model`].

use std::marker::PhantomData;

use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::exports::fanlight::plugin::model as contract;
use crate::model::{Failure, Granularity, Model, Request};
use crate::parameters;

/// Exports a [`Model`] from the component. [`crate::export_model!`] names it, so a plugin does not.
pub struct Adapter<M>(PhantomData<M>);

impl<M: Model> contract::Guest for Adapter<M> {
    fn describe() -> contract::Description {
        let description = M::description();
        contract::Description {
            name: description.name.to_owned(),
            version: description.version.to_owned(),
            summary: description.summary.to_owned(),
            parameters: parameters::schema::<M::Parameters>().to_string(),
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

/// Returns the JSON Schema of a type.
fn schema<T: JsonSchema>() -> String {
    schema_for!(T).as_value().to_string()
}

/// Parses the parameters of a request.
fn typed<M: Model>(request: contract::Request) -> Result<Request<M::Parameters>, Failure> {
    Ok(Request {
        parameters: parameters::read(&request.parameters).map_err(|error| invalid("the parameters", &error))?,
        pages: request.pages,
        document_sha256: request.document_sha256,
    })
}

/// Parses a JSON text. `what` names it in the error.
fn read<T: DeserializeOwned>(what: &str, json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| invalid(what, &error))
}

/// Returns the failure of a text that does not fit its type. `what` names it.
fn invalid(what: &str, error: &serde_json::Error) -> Failure {
    Failure::Internal(format!("{what} do not fit: {error}"))
}

/// Serializes a value as JSON.
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
