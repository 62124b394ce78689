//! What a submission costs in credits.

/// How a model is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Price {
    /// So many credits, whatever the document.
    Job(u32),
    /// So many credits for each page billed.
    Page(u32),
}

/// The service's price list. A model that is not on it costs one credit a job.
fn price(model: &str) -> Price {
    match model {
        "door-detector" | "elevation-detector" | "room-detector" => Price::Page(2),
        "toilet-detector" | "fixture-detector" => Price::Page(3),
        _ => Price::Job(1),
    }
}

/// The credits of a job. The pages billed are those that were asked for, whether they exist or not; else all of the
/// document's.
pub(crate) fn credits(model: &str, asked_for: Option<&[u32]>, page_count: u32) -> u32 {
    let pages = asked_for.map_or(page_count.max(1), |pages| u32::try_from(pages.len()).unwrap_or(u32::MAX));
    match price(model) {
        Price::Job(credits) => credits,
        Price::Page(credits) => credits.saturating_mul(pages),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_costs_what_the_price_list_says() {
        let cases: [(&str, Option<&[u32]>, u32, u32); 7] = [
            ("toc-parser", None, 75, 1),
            ("schedule-extractor", Some(&[1, 2, 3]), 75, 1),
            ("door-detector", None, 75, 150),
            ("door-detector", Some(&[1, 2, 3]), 75, 6),
            ("toilet-detector", Some(&[900]), 75, 3),
            ("elevation-detector", None, 0, 2),
            ("somebody-elses", None, 75, 1),
        ];
        for (model, asked_for, page_count, expected) in cases {
            assert_eq!(credits(model, asked_for, page_count), expected, "{model}, {asked_for:?} of {page_count}");
        }
    }
}
