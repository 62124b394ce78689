//! Prices in credits.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The price list, by model name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Prices(BTreeMap<String, Price>);

/// The price of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Price {
    /// Credits for each unit.
    pub(crate) credits: u32,
    /// The unit that is charged.
    pub(crate) per: Unit,
}

/// The unit that credits are charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    /// The job, regardless of the document.
    Job,
    /// Each billed page.
    Page,
}

/// The price of a model that is not on the list.
const UNLISTED: Price = Price { credits: 1, per: Unit::Job };

impl Prices {
    /// Returns the price of a model.
    pub(crate) fn price(&self, model: &str) -> Price {
        self.0.get(model).copied().unwrap_or(UNLISTED)
    }
}

impl Price {
    /// Returns the credits of a job. The billed pages are the requested ones, whether they exist or not; without a
    /// request all pages of the document.
    pub(crate) fn credits(self, requested: Option<&[u32]>, page_count: u32) -> u32 {
        let pages = requested.map_or(page_count.max(1), |pages| u32::try_from(pages.len()).unwrap_or(u32::MAX));
        match self.per {
            Unit::Job => self.credits,
            Unit::Page => self.credits.saturating_mul(pages),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::configuration::{Configuration, Flags};

    #[test]
    fn a_job_costs_what_the_price_list_says() {
        let prices = Configuration::load(&Flags::default()).unwrap().prices;
        let cases: [(&str, Option<&[u32]>, u32, u32); 13] = [
            ("toc-parser", None, 75, 1),
            ("content-extractor", None, 75, 1),
            ("drawing-classifier", None, 75, 1),
            ("schedule-extractor", Some(&[1, 2, 3]), 75, 1),
            ("door-detector", None, 75, 150),
            ("door-detector", Some(&[1, 2, 3]), 75, 6),
            ("door-detector", Some(&[1, 1]), 75, 4),
            ("toilet-detector", Some(&[900]), 75, 3),
            ("elevation-detector", None, 0, 2),
            ("fixture-detector", Some(&[1]), 75, 3),
            ("room-detector", Some(&[1]), 75, 2),
            ("room-detector", Some(&[1, 2]), 75, 4),
            ("somebody-elses", None, 75, 1),
        ];
        for (model, requested, page_count, expected) in cases {
            let credits = prices.price(model).credits(requested, page_count);
            assert_eq!(credits, expected, "{model}, {requested:?} of {page_count}");
        }
    }
}
