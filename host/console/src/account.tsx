// Keys, usage and models.
import { useState } from "preact/hooks";
import { answered, client, credentials, type Session } from "./api";
import { Loading, Problem, Table, Title, useLoaded } from "./parts";
import { number, t, time } from "./text";

export function Keys({ session }: { session: Session | undefined }) {
  const keys = useLoaded(
    async (signal) => (session ? answered(() => client.GET("/v1/keys", { params: { query: { limit: 100 } }, signal })) : undefined),
    [session],
  );
  const [name, setName] = useState("");
  const [secret, setSecret] = useState("");
  const [problem, setProblem] = useState<unknown>();
  if (!session) {
    return (
      <>
        <Title>{t("keys")}</Title>
        <p>{t("keys_need_session")}</p>
      </>
    );
  }

  const create = async (event: Event) => {
    event.preventDefault();
    setProblem(undefined);
    try {
      const made = await answered(() => client.POST("/v1/keys", { body: { name } }));
      setSecret(made.secret);
      setName("");
      keys.reload();
    } catch (error) {
      setProblem(error);
    }
  };
  const revoke = (id: string, name: string) => {
    if (!confirm(t("revoke_sure", { name }))) return;
    void answered(() => client.DELETE("/v1/keys/{key_id}", { params: { path: { key_id: id } } })).then(keys.reload, setProblem);
  };
  return (
    <>
      <Title>{t("keys")}</Title>
      <form class="panel bar" onSubmit={(event) => void create(event)}>
        <label>
          {t("name")} <input required maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" class="main">
          {t("create_key")}
        </button>
      </form>
      {secret && (
        <p class="panel" role="status">
          {t("key_once")}
          <br />
          <code class="secret">{secret}</code>
        </p>
      )}
      <Problem error={problem ?? keys.error} />
      {keys.value ? (
        <Table label={t("keys")}>
          <thead>
            <tr>
              <th>{t("name")}</th>
              <th>{t("api_key")}</th>
              <th>{t("tier")}</th>
              <th>{t("created")}</th>
              <th>{t("last_used")}</th>
              <th>
                <span class="hidden">{t("revoke")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.value.keys.map((key) => (
              <tr key={key.id}>
                <td>{key.name}</td>
                <td>
                  <code>{key.prefix}</code>
                </td>
                <td>{key.tier}</td>
                <td>{time(key.created_at)}</td>
                <td>{key.last_used_at ? time(key.last_used_at) : t("never")}</td>
                <td class="number">
                  {!credentials.key.startsWith(key.prefix.replace(/…$/, "")) && (
                    <button type="button" class="quiet" aria-label={`${t("revoke")}: ${key.name}`} onClick={() => revoke(key.id, key.name)}>
                      {t("revoke")}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      ) : (
        <Loading />
      )}
    </>
  );
}

export function Usage() {
  const usage = useLoaded((signal) => answered(() => client.GET("/v1/usage", { signal })), []);
  const value = usage.value;
  const models = value?.models ?? [];
  const net = models.map((one) => ({ name: one.model, credits: one.charged - one.refunded }));
  const most = Math.max(1, ...net.map((one) => one.credits));
  return (
    <>
      <Title>{t("usage")}</Title>
      <Problem error={usage.error} />
      {!value && !usage.error && <Loading />}
      {value && (
        <>
          <p>{value.limit === null ? t("used", { used: number(value.used) }) : t("used_of", { used: number(value.used), limit: number(value.limit) })}</p>
          <p class="note">{t("since", { time: time(value.period.start) })}</p>
          {net.length === 0 ? (
            <p>{t("nothing_used")}</p>
          ) : (
            <Table label={t("usage")}>
              <thead>
                <tr>
                  <th>{t("model")}</th>
                  <th class="number">{t("credits")}</th>
                  <th>
                    <span class="hidden">{t("count")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {net.map((one) => (
                  <tr key={one.name}>
                    <td>{one.name}</td>
                    <td class="number">{number(one.credits)}</td>
                    <td class="wide">
                      <svg class="chart" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                        <rect width={(one.credits / most) * 100} height="4" />
                      </svg>
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
          )}
        </>
      )}
    </>
  );
}

export function Models() {
  const models = useLoaded((signal) => answered(() => client.GET("/v1/models", { signal })), []);
  return (
    <>
      <Title>{t("models")}</Title>
      <Problem error={models.error} />
      {!models.value && !models.error && <Loading />}
      <ul class="models">
        {models.value?.models.map((model) => (
          <li key={model.name} class="panel">
            <h2>
              {model.name} <small>{model.version ?? ""}</small>
            </h2>
            <p>{model.description}</p>
            <p class="note">
              {t(model.compiling ? "compiling" : model.installed ? "installed" : "not_installed")} ·{" "}
              {t(model.credits_per === "page" ? "per_page" : "per_job", { credits: model.credits })}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
