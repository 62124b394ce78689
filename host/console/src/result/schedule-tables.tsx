// Schedules as tables whose cells can be corrected, each beside its region on the sheet.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Table } from "../parts/parts";
import { cellName, type Changes, withCell } from "../review/changes";
import { heading, t } from "../text";
import type { Schedule } from "./schedules";

interface Props {
  schedules: Schedule[];
  changes: Changes;
  readOnly: boolean;
  /** The ID of the selected schedule, as in `schedules/0`. */
  selected: string | undefined;
  /** Returns the name of a sheet; absent for a single sheet, which needs none. */
  nameOf: ((page: number) => string) | undefined;
  onSelect: (id: string) => void;
  onChange: (changes: Changes) => void;
}

export function ScheduleTables({ schedules, changes, readOnly, selected, nameOf, onSelect, onChange }: Props) {
  return (
    <section class="schedules" aria-label={t("schedules")}>
      {schedules.map((schedule, at) => (
        <ScheduleTable
          key={at}
          schedule={schedule}
          position={at}
          changes={changes}
          readOnly={readOnly}
          selected={selected === `schedules/${at}`}
          sheet={schedule.page === undefined ? undefined : nameOf?.(schedule.page)}
          onSelect={() => onSelect(`schedules/${at}`)}
          onChange={onChange}
        />
      ))}
    </section>
  );
}

interface TableProps {
  schedule: Schedule;
  position: number;
  changes: Changes;
  readOnly: boolean;
  selected: boolean;
  /** The name of its sheet, where there are several. */
  sheet: string | undefined;
  onSelect: () => void;
  onChange: (changes: Changes) => void;
}

function ScheduleTable({ schedule, position, changes, readOnly, selected, sheet, onSelect, onChange }: TableProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // Not while the person types in it.
    if (selected && !section.current?.contains(document.activeElement)) section.current?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const title = schedule.title || t("schedule", { number: position + 1 });
  const corrected = useMemo(() => new Map(changes.cells.map((cell) => [cellName(cell), cell.text])), [changes.cells]);
  const id = `schedule-${position}`;
  return (
    <section ref={section} class={selected ? "panel schedule selected" : "panel schedule"} aria-labelledby={id} onFocusCapture={onSelect}>
      <div class="bar">
        <h2 id={id}>{title}</h2>
        {sheet && <span class="note">{sheet}</span>}
        {schedule.schedule_type && <span class="note">{heading(schedule.schedule_type)}</span>}
        <span class="note end">{t("rows", { count: schedule.rows.length })}</span>
        <button type="button" class="quiet" aria-label={t("show_on_sheet_name", { name: title })} onClick={onSelect}>
          {t("show_on_sheet")}
        </button>
      </div>
      <Table label={title}>
        <thead>
          <tr>
            {schedule.headers.map((header) => (
              <th key={header}>{header}</th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveByArrows}>
          {schedule.rows.map((row, at) => (
            <tr key={at}>
              {schedule.headers.map((header, column) => {
                const cell = { schedule: position, row: at, header };
                const now = corrected.get(cellName(cell));
                const text = now ?? row[header] ?? "";
                return (
                  <td key={header} class={now === undefined ? "cell" : "cell corrected"} title={now === undefined ? undefined : t("was", { text: row[header] ?? "" })}>
                    <input
                      aria-label={t("cell", { header, row: at + 1 })}
                      data-cell={`${at} ${column}`}
                      readOnly={readOnly}
                      size={Math.min(Math.max(text.length, 4), 40)}
                      value={text}
                      onChange={(event) => onChange(withCell(changes, { ...cell, text: event.currentTarget.value }, row[header]))}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

/** Goes a cell up or down, as in a spreadsheet. */
function moveByArrows(event: KeyboardEvent): void {
  const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };
  const step = steps[event.key];
  const cell = (event.target as HTMLElement).dataset["cell"]?.split(" ").map(Number);
  if (step === undefined || !cell) return;
  const [row = 0, column = 0] = cell;
  const next = (event.currentTarget as HTMLElement).querySelector<HTMLInputElement>(`[data-cell="${row + step} ${column}"]`);
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
}
