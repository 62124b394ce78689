// Links that show a job, read-only, to people without a key.
import { useState } from "preact/hooks";
import { client, read, write } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { day, t } from "../text";

// Days that a link may be valid.
const DAYS = [1, 7, 30, 90];
const USUAL_DAYS = 7;

interface Props {
  job: string;
  onProblem: (error: unknown) => void;
}

export function Share({ job, onProblem }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details class="menu" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("share")}</summary>
      {open && <Links job={job} onProblem={onProblem} />}
    </details>
  );
}

function Links({ job, onProblem }: Props) {
  const [days, setDays] = useState(USUAL_DAYS);
  const [made, setMade] = useState<string>();
  const [copied, setCopied] = useState(false);
  const path = { job_id: job };
  const links = useLoaded((signal) => read(() => client.GET("/v1/jobs/{job_id}/shares", { params: { path }, signal }), signal), [job]);
  const make = async () => {
    const link = await write(() => client.POST("/v1/jobs/{job_id}/shares", { params: { path }, body: { days } }));
    setMade(link.url);
    setCopied(false);
    links.reload();
  };
  const revoke = async (share_id: string) => {
    await write(() => client.DELETE("/v1/jobs/{job_id}/shares/{share_id}", { params: { path: { ...path, share_id } } }));
    setMade(undefined);
    links.reload();
  };
  return (
    <div class="panel share">
      <p class="note">{t("share_how")}</p>
      <div class="bar">
        <select aria-label={t("share_days")} value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {t("days", { count })}
            </option>
          ))}
        </select>
        <button type="button" class="main" onClick={() => void make().catch(onProblem)}>
          {t("share_make")}
        </button>
      </div>
      {made && (
        <div class="bar">
          <input type="text" readOnly aria-label={t("share_link")} value={made} onFocus={(event) => event.currentTarget.select()} />
          <button type="button" onClick={() => void navigator.clipboard.writeText(made).then(() => setCopied(true), onProblem)}>
            {t(copied ? "copied" : "copy")}
          </button>
        </div>
      )}
      <ul class="plain">
        {links.value?.shares.map((link) => (
          <li key={link.id} class="bar">
            <span>{t("share_until", { day: day(link.expires_at) })}</span>
            <button type="button" class="quiet end" onClick={() => void revoke(link.id).catch(onProblem)}>
              {t("share_revoke")}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
