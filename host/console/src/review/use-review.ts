// The review of a job: as the server has it, and as this person is changing it.
import { useEffect, useState } from "preact/hooks";
import { client, read, Refused, type Review, write } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { type Changes, changesOf } from "./changes";
import { merge } from "./merge";

// Most steps that can be undone.
const STEPS = 200;

export interface Conflict {
  theirs: Review;
  conflicts: number;
}

export interface OpenReview {
  stored: Review | undefined;
  changes: Changes | undefined;
  changed: boolean;
  canUndo: boolean;
  saving: boolean;
  conflict: Conflict | undefined;
  error: unknown;
  change: (changes: Changes) => void;
  undo: () => void;
  save: () => Promise<void>;
  /** Puts the person's changes on top of those that somebody else has saved. */
  takeBoth: () => void;
  /** Gives the person's changes up. */
  discard: () => void;
}

// Changes that are not saved outlive a reload of the page and a sign-in, in this tab.
interface Draft {
  base: Review;
  changes: Changes;
}
const draftName = (job: string) => `fanlight.review.${job}`;

function keptDraft(job: string): Draft | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(draftName(job)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function keepDraft(job: string, draft: Draft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(draftName(job), JSON.stringify(draft));
    else sessionStorage.removeItem(draftName(job));
  } catch {
    // A full store only means that a reload loses the draft.
  }
}

export function useReview(job: string): OpenReview {
  const params = { path: { job_id: job } };
  const load = (signal?: AbortSignal) => read(() => client.GET("/v1/jobs/{job_id}/review", { params, ...(signal ? { signal } : {}) }), signal);
  const loaded = useLoaded(load, [job]);
  const [stored, setStored] = useState<Review>();
  const [steps, setSteps] = useState<Changes[]>([]);
  const [conflict, setConflict] = useState<Conflict>();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const edit = steps.at(-1);

  useEffect(() => {
    if (!loaded.value) return;
    const draft = keptDraft(job);
    // The draft keeps what it is based on, so that saving finds out whether somebody else was faster.
    setStored(draft?.base ?? loaded.value);
    setSteps(draft ? [draft.changes] : []);
  }, [loaded.value]);
  useEffect(() => {
    if (stored) keepDraft(job, edit && { base: stored, changes: edit });
  }, [edit, stored]);
  useEffect(() => {
    if (!edit) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [edit]);

  async function save() {
    if (!stored || !edit) return;
    setSaving(true);
    setError(undefined);
    const header = { "If-Match": `"${stored.version}"` };
    try {
      const now = await write(() => client.PUT("/v1/jobs/{job_id}/review", { params: { ...params, header }, body: edit }));
      setStored(now);
      setSteps([]);
      setConflict(undefined);
    } catch (error) {
      if (error instanceof Refused && error.code === "REVIEW_CHANGED") await learn(stored, edit);
      else setError(error);
    }
    setSaving(false);
  }
  async function learn(base: Review, mine: Changes) {
    const theirs = await load();
    setConflict({ theirs, conflicts: merge(changesOf(base), mine, changesOf(theirs)).conflicts });
  }
  function takeBoth() {
    if (!conflict || !stored || !edit) return;
    const { changes } = merge(changesOf(stored), edit, changesOf(conflict.theirs));
    setStored(conflict.theirs);
    setSteps([changes]);
    setConflict(undefined);
  }
  function discard() {
    if (conflict) setStored(conflict.theirs);
    setSteps([]);
    setConflict(undefined);
    setError(undefined);
  }
  return {
    stored,
    changes: edit ?? (stored && changesOf(stored)),
    changed: edit !== undefined,
    canUndo: steps.length > 0,
    saving,
    conflict,
    error: error ?? loaded.error,
    change: (changes) => setSteps((all) => [...all.slice(-STEPS), changes]),
    undo: () => setSteps((all) => all.slice(0, -1)),
    save,
    takeBoth,
    discard,
  };
}
