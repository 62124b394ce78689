//! The division of a task's pages into shards, and the sum of the shards' progress.

use crate::guest::Progress;
use crate::model::Granularity;

/// Divides pages into runs of nearly equal length, `parallel` of them at most. More would only cost, because each
/// shard opens the document again. A model that reads the document as a whole gets one shard.
pub(crate) fn split(pages: &[u32], granularity: Granularity, parallel: usize) -> Vec<Vec<u32>> {
    let shards = match granularity {
        Granularity::Document => 1,
        Granularity::Page => parallel.min(pages.len()).max(1),
    };
    let (each, longer) = (pages.len() / shards, pages.len() % shards);
    let mut rest = pages;
    (0..shards)
        .map(|shard| {
            let (run, left) = rest.split_at(each + usize::from(shard < longer));
            rest = left;
            run.to_vec()
        })
        .collect()
}

/// Returns the progress of the task: the sum of all shards' pages, and the message of the shard that is furthest.
pub(crate) fn add_up(shards: &[Progress], pages: u32) -> Progress {
    let done = shards.iter().map(|shard| shard.done).fold(0, u32::saturating_add);
    let total = shards.iter().map(|shard| shard.total).fold(0, u32::saturating_add).max(pages);
    let furthest = shards.iter().max_by_key(|shard| shard.done);
    Progress { done: done.min(total), total, message: furthest.map_or_else(String::new, |shard| shard.message.clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_in_one_shard_and_order_is_kept() {
        let cases: [(u32, Granularity, usize, &[usize]); 6] = [
            (10, Granularity::Page, 4, &[3, 3, 2, 2]),
            (3, Granularity::Page, 4, &[1, 1, 1]),
            (1, Granularity::Page, 4, &[1]),
            (10, Granularity::Page, 1, &[10]),
            (10, Granularity::Document, 4, &[10]),
            (0, Granularity::Page, 4, &[0]),
        ];
        for (count, granularity, parallel, lengths) in cases {
            let pages: Vec<u32> = (1..=count).collect();
            let shards = split(&pages, granularity, parallel);
            assert_eq!(shards.iter().map(Vec::len).collect::<Vec<_>>(), lengths, "{count} pages, {parallel} at once");
            assert_eq!(shards.concat(), pages);
        }
    }

    #[test]
    fn progress_sums_all_shards() {
        let shard = |done, total, message: &str| Progress { done, total, message: message.to_owned() };
        let sum = add_up(&[shard(2, 5, "Reading"), shard(0, 0, "")], 10);
        assert_eq!(sum, shard(2, 10, "Reading"));
    }
}
