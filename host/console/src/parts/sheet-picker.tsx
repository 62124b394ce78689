// Goes from sheet to sheet of a document.
import { t } from "../text";

interface Props {
  current: number;
  count: number;
  nameOf: (page: number) => string;
  /** The sheets that have names of their own. */
  named?: ReadonlyMap<number, string>;
  onTurn: (page: number) => void;
}

export function SheetPicker({ current, count, nameOf, named, onTurn }: Props) {
  return (
    <>
      <button type="button" aria-label={t("previous_sheet")} title={t("previous_sheet")} disabled={current <= 1} onClick={() => onTurn(current - 1)}>
        ‹
      </button>
      <select aria-label={t("sheets")} value={current} onChange={(event) => onTurn(Number(event.currentTarget.value))}>
        {Array.from({ length: count }, (_, at) => at + 1).map((page) => (
          <option key={page} value={page}>
            {named?.has(page) ? `${nameOf(page)} · ${page}/${count}` : t("sheet_of", { name: nameOf(page), count })}
          </option>
        ))}
      </select>
      <button type="button" aria-label={t("next_sheet")} title={t("next_sheet")} disabled={current >= count} onClick={() => onTurn(current + 1)}>
        ›
      </button>
    </>
  );
}
