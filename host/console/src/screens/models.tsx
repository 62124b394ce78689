// The models of the server, and what each takes and returns.
import { client, type Model, read } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Markdown } from "../parts/markdown";
import { Loading, Problem, Table, Title } from "../parts/parts";
import { fieldsOf } from "../result/schema";
import { heading, t } from "../text";

export function Models() {
  const models = useLoaded((signal) => read(() => client.GET("/v1/models", { signal }), signal), []);
  const inference = models.value?.inference;
  return (
    <>
      <Title>{t("models")}</Title>
      <Problem error={models.error} />
      {!models.value && !models.error && <Loading />}
      {inference && <p class="note">{inference.adapter ? t("networks_on", { name: inference.adapter }) : t("networks_on_cpu")}</p>}
      <ul class="models plain">
        {models.value?.models.map((model) => (
          <li key={model.name} class="panel">
            <h2>
              <a href={`#/models/${model.name}`}>{heading(model.name)}</a> <State model={model} />
            </h2>
            <p>{model.description}</p>
            <p class="note">
              {model.version && `${model.version} · `}
              {t(model.credits_per === "page" ? "per_page" : "per_job", { count: model.credits })}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function State({ model }: { model: Model }) {
  const state = model.compiling ? "compiling" : model.installed ? "installed" : "not_installed";
  return <small class={`badge ${state}`}>{t(state)}</small>;
}

/** The card of a model: version, price, parameters and result, all from its own schema. */
export function ModelScreen({ name }: { name: string }) {
  const model = useLoaded((signal) => read(() => client.GET("/v1/models/{name}", { params: { path: { name } }, signal }), signal), [name]);
  const value = model.value;
  if (!value) return model.error ? <Problem error={model.error} /> : <Loading />;
  const facts = [
    [t("name"), <code>{value.name}</code>],
    [t("version"), value.version ?? "–"],
    [t("state"), <State model={value} />],
    [t("price"), t(value.credits_per === "page" ? "per_page" : "per_job", { count: value.credits })],
    [t("divided"), value.granularity ? t(value.granularity === "page" ? "by_page" : "by_document") : "–"],
    [t("path_of_api"), <code>POST {value.submit_path}</code>],
  ] as const;
  return (
    <>
      <nav class="path" aria-label={t("path")}>
        <a href="#/models">{t("models")}</a>
      </nav>
      <Title>{heading(value.name)}</Title>
      <p>{value.description}</p>
      <dl class="panel facts">
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <Versions versions={value.versions} />
      <Fields label={t("parameters")} schema={value.parameters} />
      <Fields label={t("result")} schema={value.result} />
      {value.installed && <Cards name={name} />}
    </>
  );
}

/** What the model and its networks say of themselves. */
function Cards({ name }: { name: string }) {
  const cards = useLoaded((signal) => read(() => client.GET("/v1/models/{name}/card", { params: { path: { name } }, signal }), signal), [name]);
  const value = cards.value;
  if (!value) return <Problem error={cards.error} />;
  return (
    <>
      <section class="card">
        <h2>{t("card")}</h2>
        {value.card ? <Markdown text={value.card} label={t("card")} /> : <p class="empty">{t("no_card")}</p>}
      </section>
      {value.networks.map(({ name, card }) => {
        const label = t("network_card", { name });
        return (
          card && (
            <details key={name} class="card">
              <summary>{label}</summary>
              <Markdown text={card} label={label} />
            </details>
          )
        );
      })}
    </>
  );
}

/** The installed versions, newest first: who has published each, what it may use, and whether it runs. */
function Versions({ versions }: { versions: Model["versions"] }) {
  if (versions.length === 0) return null;
  return (
    <section>
      <h2>{t("versions")}</h2>
      <Table label={t("versions")}>
        <thead>
          <tr>
            <th scope="col">{t("version")}</th>
            <th scope="col">{t("publisher")}</th>
            <th scope="col">{t("permissions")}</th>
            <th scope="col">{t("state")}</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((one) => (
            <tr key={one.version}>
              <td class="first">{one.version}</td>
              <td>{one.publisher ?? t("publisher_none")}</td>
              <td>{["document", ...one.permissions].map(permission).join(", ")}</td>
              <td>{t(`state_${one.state}`)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

/** Returns what a permission lets a plugin do, for people. */
function permission(name: string): string {
  if (name === "document") return t("may_document");
  if (name === "ocr") return t("may_ocr");
  if (name === "language") return t("may_language");
  return t("may_network", { name: name.replace(/^nn:/, "") });
}

function Fields({ label, schema }: { label: string; schema: unknown }) {
  const fields = fieldsOf(schema);
  return (
    <section>
      <h2>{label}</h2>
      {fields.length === 0 ? (
        <p class="empty">{t("no_fields")}</p>
      ) : (
        <Table label={label}>
          <tbody>
            {fields.map((field) => (
              <tr key={field.path}>
                <td class="first">
                  <code>{field.path}</code>
                </td>
                <td>{field.type}</td>
                <td>{field.description}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
