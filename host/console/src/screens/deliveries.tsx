// Webhook deliveries of a job, with replay.
import { useEffect, useState } from "preact/hooks";
import { client, read, type Schemas, write } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Problem } from "../parts/parts";
import { seconds, t, time } from "../text";

// How often pending deliveries are looked at again, in milliseconds.
const LOOK = 3000;

export function Deliveries({ job }: { job: string }) {
  const params = { path: { job_id: job } };
  const listed = useLoaded((signal) => read(() => client.GET("/v1/jobs/{job_id}/deliveries", { params, signal }), signal), [job]);
  const [problem, setProblem] = useState<unknown>();
  const deliveries = listed.value?.deliveries ?? [];
  const pending = deliveries.some((one) => one.status === "pending");
  useEffect(() => {
    const timer = pending ? setInterval(listed.reload, LOOK) : undefined;
    return () => clearInterval(timer);
  }, [pending]);
  if (deliveries.length === 0) return <Problem error={listed.error} />;
  const replay = () => void write(() => client.POST("/v1/jobs/{job_id}/deliveries", { params })).then(listed.reload, setProblem);
  return (
    <details class="panel">
      <summary>{t("deliveries", { count: deliveries.length })}</summary>
      <button type="button" onClick={replay}>
        {t("replay")}
      </button>
      <Problem error={problem} />
      <ul class="plain deliveries">
        {deliveries.map((one) => (
          <li key={one.id}>
            <span class={`status ${one.status}`}>{stateOf(one)}</span> <span class="note">{time(one.created_at)}</span>
            <ol>
              {one.attempts.map((attempt) => (
                <li key={attempt.number}>
                  {time(attempt.started_at)}: <code>{attempt.status_code ?? attempt.error ?? "…"}</code>
                  {attempt.duration_ms != null && ` (${seconds(attempt.duration_ms)})`}
                </li>
              ))}
            </ol>
            {one.next_attempt_at && (
              <span class="note">
                {t("next_attempt")}: {time(one.next_attempt_at)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function stateOf({ status }: Schemas["Delivery"]): string {
  return status === "delivered" ? t("delivered") : status === "failed" ? t("failed_job") : t("waiting");
}
