// Two people review the same result: a three-way merge of what both say.
import { type Changes, cellName } from "./changes";

export interface Merged {
  changes: Changes;
  /** How many things both have changed, each in another way. Mine are kept. */
  conflicts: number;
}

/** Returns `theirs` with what `mine` changes of `base`. */
export function merge(base: Changes, mine: Changes, theirs: Changes): Merged {
  const items = mergeBy(base.items, mine.items, theirs.items, (item) => item.id);
  const cells = mergeBy(base.cells, mine.cells, theirs.cells, cellName);
  const added = mergeBy(base.added, mine.added, theirs.added, (one) => JSON.stringify(one));
  return {
    changes: { items: items.merged, cells: cells.merged, added: added.merged },
    conflicts: items.conflicts + cells.conflicts,
  };
}

function mergeBy<T>(base: T[], mine: T[], theirs: T[], nameOf: (one: T) => string): { merged: T[]; conflicts: number } {
  const index = (list: T[]) => new Map(list.map((one) => [nameOf(one), one]));
  const [before, own, other] = [index(base), index(mine), index(theirs)];
  const merged = new Map(other);
  let conflicts = 0;
  for (const name of new Set([...before.keys(), ...own.keys()])) {
    const [was, now, then] = [before.get(name), own.get(name), other.get(name)];
    if (same(was, now)) continue;
    if (!same(was, then) && !same(now, then)) conflicts += 1;
    if (now === undefined) merged.delete(name);
    else merged.set(name, now);
  }
  return { merged: [...merged.values()], conflicts };
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
