// Saving a review, and what happens when somebody else was faster.
import { Problem } from "../parts/parts";
import { t, time } from "../text";
import type { OpenReview } from "./use-review";

export function SaveBar({ review }: { review: OpenReview }) {
  const { stored, changed } = review;
  const state = changed
    ? t("unsaved")
    : stored?.reviewed_at
      ? t("saved", { name: stored.reviewed_by ?? "", time: time(stored.reviewed_at), version: stored.version })
      : t("not_reviewed");
  return (
    <>
      <span role="status" class={changed ? "save-state changed" : "save-state"}>
        {state}
      </span>
      <button type="button" disabled={!review.canUndo} onClick={review.undo}>
        {t("undo")}
      </button>
      <button type="button" class="main" disabled={!changed || review.saving} onClick={() => void review.save()}>
        {t("save_review")}
      </button>
    </>
  );
}

export function ReviewProblems({ review }: { review: OpenReview }) {
  const { conflict } = review;
  return (
    <>
      <Problem error={review.error} />
      {conflict && (
        <div class="panel conflict" role="alert">
          <p>
            <b>{t("review_changed", { name: conflict.theirs.reviewed_by ?? "", time: conflict.theirs.reviewed_at ? time(conflict.theirs.reviewed_at) : "" })}</b>{" "}
            {t("review_kept")} {conflict.conflicts > 0 && t("both_changed", { count: conflict.conflicts })}
          </p>
          <div class="bar">
            <button type="button" class="main" onClick={review.takeBoth}>
              {t("take_both")}
            </button>
            <button type="button" onClick={review.discard}>
              {t("take_theirs")}
            </button>
          </div>
        </div>
      )}
    </>
  );
}
