// Choosing models, with what they cost before they run.
import { useState } from "preact/hooks";
import { client, type Model, read, write } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem } from "../parts/parts";
import { heading, t } from "../text";

// Models that need more than sheets: sections of a contents page, or a symbol. They run from a result.
const FROM_RESULT = ["content-extractor", "similar-symbols"];

interface Props {
  id: string;
  pages: number[];
  chosen: ReadonlySet<number>;
  models: Model[] | undefined;
  onRun: () => void;
}

/** Returns what a model costs on a number of pages. */
export function price(model: Model, pages: number): number {
  return model.credits_per === "page" ? model.credits * pages : model.credits;
}

export function Run({ id, pages, chosen, models, onRun }: Props) {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const [webhook, setWebhook] = useState("");
  const [again, setAgain] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const usage = useLoaded((signal) => read(() => client.GET("/v1/usage", { signal }), signal), [models]);
  if (!models) return <Loading />;
  const usable = models.filter((model) => model.installed && !FROM_RESULT.includes(model.name));
  const wanted = usable.filter((model) => names.has(model.name));
  const selection = chosen.size === 0 ? pages : pages.filter((page) => chosen.has(page));
  const pagesOf = (model: Model) => (model.granularity === "document" ? pages : selection);
  const cost = wanted.reduce((sum, model) => sum + price(model, pagesOf(model).length), 0);
  const left = usage.value?.remaining ?? undefined;

  async function run(event: Event) {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      for (const model of wanted) await submit(model);
      setNames(new Set());
    } catch (error) {
      setProblem(error);
    }
    onRun();
    usage.reload();
    setBusy(false);
  }
  async function submit(model: Model) {
    const own = pagesOf(model);
    const named = own.length === pages.length ? {} : { page_numbers: own };
    const body = { document_id: id, no_cache: again, ...named, ...(webhook ? { webhook_url: webhook } : {}) };
    await write(() => client.POST("/v1/models/{name}/jobs", { params: { path: { name: model.name } }, body }));
  }
  const toggle = (name: string) =>
    setNames((before) => {
      const after = new Set(before);
      if (!after.delete(name)) after.add(name);
      return after;
    });
  return (
    <form class="panel run" aria-labelledby="run" onSubmit={(event) => void run(event)}>
      <h2 id="run">{t("run")}</h2>
      <ul class="plain">
        {usable.map((model) => (
          <li key={model.name}>
            <label class={names.has(model.name) ? "choice chosen" : "choice"}>
              <input type="checkbox" checked={names.has(model.name)} onChange={() => toggle(model.name)} />
              <span>
                <span class="title">
                  <b>{heading(model.name)}</b>{" "}
                  <span class="cost">{t(model.credits_per === "page" ? "per_page" : "per_job", { count: model.credits })}</span>
                </span>
                <span class="note">{model.description}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <details>
        <summary>{t("options")}</summary>
        <label class="choice">
          <input type="checkbox" checked={again} onChange={() => setAgain(!again)} />
          <span>{t("run_again")}</span>
        </label>
        <label class="block">
          {t("webhook")}
          <input type="url" placeholder="https://" pattern="https://.*" value={webhook} onInput={(event) => setWebhook(event.currentTarget.value)} />
        </label>
      </details>
      <p class="total" role="status">
        {chosen.size === 0 ? t("on_all_sheets", { count: pages.length }) : t("on_sheets", { count: selection.length })}
        {left !== undefined && <span class="note"> · {t("credits_left", { count: left })}</span>}
      </p>
      <button type="submit" class="main wide" disabled={busy || wanted.length === 0}>
        {wanted.length === 0 ? t("choose_models") : t("run_for", { count: cost })}
      </button>
      <Problem error={problem} />
    </form>
  );
}
