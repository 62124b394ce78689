import { client, read, type Schemas } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem, Table, Title } from "../parts/parts";
import { heading, number, t, time } from "../text";

/** The credits of the period, by model. */
export function Usage() {
  const usage = useLoaded((signal) => read(() => client.GET("/v1/usage", { signal }), signal), []);
  const value = usage.value;
  return (
    <>
      <Title>{t("usage")}</Title>
      <Problem error={usage.error} />
      {!value && !usage.error && <Loading />}
      {value && (
        <>
          <section class="panel">
            <p class="figure">{value.limit === null ? t("used", { count: value.used }) : t("used_of", { used: value.used, limit: value.limit })}</p>
            {value.limit !== null && <meter class="quota" aria-label={t("credits")} value={value.used} max={value.limit} high={value.limit * 0.9} />}
            <p class="note">
              {t("since", { time: time(value.period.start) })} · {t("tier")}: {value.tier}
            </p>
          </section>
          {value.models.length === 0 ? <p class="empty">{t("nothing_used")}</p> : <Chart models={value.models} />}
        </>
      )}
    </>
  );
}

/** A bar for each model, and the same as a table for whoever reads rather than looks. */
function Chart({ models }: { models: Schemas["ModelUsage"][] }) {
  const rows = models
    .map((one) => ({ ...one, credits: one.charged - one.refunded }))
    .sort((a, b) => b.credits - a.credits || a.model.localeCompare(b.model));
  const most = Math.max(1, ...rows.map((one) => one.credits));
  return (
    <>
      <figure class="panel">
        <figcaption>{t("by_model")}</figcaption>
        <div class="chart" aria-hidden="true">
          {rows.map((one) => (
            <div key={one.model} class="bar-row">
              <span>{heading(one.model)}</span>
              <span class="track">
                <span class="length" style={{ width: `${(one.credits / most) * 100}%` }} />
              </span>
              <span class="number">{number(one.credits)}</span>
            </div>
          ))}
        </div>
      </figure>
      <Table label={t("usage")}>
        <thead>
          <tr>
            <th>{t("model")}</th>
            <th class="number">{t("jobs")}</th>
            <th class="number">{t("charged")}</th>
            <th class="number">{t("refunded")}</th>
            <th class="number">{t("credits")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.model}>
              <td class="first">
                <a href={`#/models/${one.model}`}>{heading(one.model)}</a>
              </td>
              <td class="number">{number(one.jobs)}</td>
              <td class="number">{number(one.charged)}</td>
              <td class="number">{number(one.refunded)}</td>
              <td class="number">{number(one.credits)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
