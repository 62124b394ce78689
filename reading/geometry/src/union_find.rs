//! Disjoint sets.

/// Disjoint sets of the numbers below a count (union-find with path halving).
///
/// The smallest member of a set represents it, so that the outcome does not depend on the order of unions.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// Creates a set of its own for each number below `count`.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect() }
    }

    /// Adds a number in a set of its own and returns it.
    pub fn push(&mut self) -> usize {
        let new = self.parents.len();
        self.parents.push(new as u32);
        new
    }

    /// Returns the smallest member of the set that holds `member`; `member` itself if it is not below the count.
    pub fn find(&mut self, member: usize) -> usize {
        let mut at = member;
        while let Some(&parent) = self.parents.get(at) {
            let parent = parent as usize;
            if parent == at {
                break;
            }
            let Some(&grandparent) = self.parents.get(parent) else { break };
            if let Some(own) = self.parents.get_mut(at) {
                *own = grandparent;
            }
            at = grandparent as usize;
        }
        at
    }

    /// Unites the sets that hold `a` and `b`, and returns the smallest member of the united set.
    pub fn unite(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        if let Some(parent) = self.parents.get_mut(high) {
            *parent = low as u32;
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn united_members_share_their_smallest_one() {
        let mut sets = UnionFind::new(6);
        assert_eq!(sets.unite(4, 5), 4);
        assert_eq!(sets.unite(1, 3), 1);
        assert_eq!(sets.unite(5, 3), 1);
        let roots: Vec<usize> = (0..6).map(|member| sets.find(member)).collect();
        assert_eq!(roots, [0, 1, 2, 1, 1, 1]);
        assert_eq!((sets.push(), sets.find(6)), (6, 6));
    }

    #[test]
    fn a_number_that_is_not_a_member_represents_itself() {
        assert_eq!(UnionFind::new(2).find(9), 9);
    }
}
