//! Disjoint sets.

/// Disjoint sets of the numbers below a count (union-find with path halving). Its methods panic on other numbers.
///
/// The smallest member of a set represents it, so that the outcome does not depend on the order of unions.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parents: Vec<usize>,
}

impl UnionFind {
    /// Creates a set of its own for each number below `count`.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count).collect() }
    }

    /// Returns the smallest member of the set that holds `member`.
    pub fn find(&mut self, member: usize) -> usize {
        let mut at = member;
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    /// Unites the sets that hold `a` and `b`, and returns the smallest member of the united set.
    pub fn unite(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
        a.min(b)
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
    }
}
