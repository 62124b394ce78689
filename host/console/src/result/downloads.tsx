// Files of a result. They follow the review that is saved.
import { useRef } from "preact/hooks";
import { save, type Saved } from "../api/files";
import { t } from "../text";

interface Props {
  job: string;
  stem: string;
  boxes: boolean;
  tables: boolean;
  reviewed: boolean;
  onProblem: (error: unknown) => void;
}

export function Downloads({ job, stem, boxes, tables, reviewed, onProblem }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  const files: [Saved, string][] = [
    ...(boxes ? [["annotated.pdf", t("annotated_pdf")] as [Saved, string]] : []),
    ...(tables ? ([["tables.xlsx", "XLSX"], ["tables.csv", "CSV"]] as [Saved, string][]) : []),
    ...(reviewed ? [["reviewed", t("reviewed_json")] as [Saved, string]] : []),
    ["result", t("result_json")],
  ];
  const get = (file: Saved) => {
    if (menu.current) menu.current.open = false;
    void save(job, file, stem).catch(onProblem);
  };
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current) return;
        menu.current.open = false;
        menu.current.querySelector("summary")?.focus();
      }}
    >
      <summary>{t("download")}</summary>
      <div class="panel">
        {reviewed && <p class="note">{t("as_reviewed")}</p>}
        {files.map(([file, name]) => (
          <button key={file} type="button" class="quiet" onClick={() => get(file)}>
            {name}
          </button>
        ))}
      </div>
    </details>
  );
}
