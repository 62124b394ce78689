// What of a result is shown: by confidence and by kind.
import { heading, number, percent, t } from "../text";
import type { ReviewedItem } from "../review/changes";

interface Props {
  items: ReviewedItem[];
  kinds: string[];
  colors: Map<string, number>;
  least: number;
  hidden: ReadonlySet<string>;
  onLeast: (least: number) => void;
  onHidden: (hidden: ReadonlySet<string>) => void;
}

export function Filters({ items, kinds, colors, least, hidden, onLeast, onHidden }: Props) {
  const counts = new Map<string, number>();
  for (const item of items) if (item.state !== "rejected") counts.set(item.kind, (counts.get(item.kind) ?? 0) + 1);
  const hasConfidence = items.some((item) => item.confidence !== undefined) || least > 0;
  const toggle = (kind: string) => {
    const after = new Set(hidden);
    if (!after.delete(kind)) after.add(kind);
    onHidden(after);
  };
  return (
    <>
      {hasConfidence && (
        <label class="block">
          {t("least_confidence", { value: percent(least) })}
          <input type="range" min={0} max={1} step={0.01} value={least} aria-valuetext={percent(least)} onInput={(event) => onLeast(Number(event.currentTarget.value))} />
        </label>
      )}
      <fieldset class="kinds">
        <legend>{t("kinds")}</legend>
        {kinds.map((kind) => (
          <label key={kind} class="kind">
            <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} />
            <span class={`swatch c${colors.get(kind)}`} aria-hidden="true" />
            <span>{heading(kind)}</span>
            <span class="number">{number(counts.get(kind) ?? 0)}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
