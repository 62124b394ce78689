import { useState } from "preact/hooks";
import { client, read, type Schemas, type Session, write } from "../api/client";
import { isOwnKey } from "../api/session";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem, Table, Title } from "../parts/parts";
import { agreed } from "../parts/question";
import { t, time } from "../text";

type Created = Schemas["CreatedKey"];
const TIERS = ["free", "developer", "pro", "enterprise"] as const;

/** API keys of the account. Only a person who signed in by link sees them, not a program with a key. */
export function Keys({ session }: { session: Session | undefined }) {
  const params = { query: { limit: 100 } };
  const keys = useLoaded(async (signal) => (session ? read(() => client.GET("/v1/keys", { params, signal }), signal) : undefined), [session]);
  const [created, setCreated] = useState<Created>();
  const [problem, setProblem] = useState<unknown>();
  if (!session) {
    return (
      <>
        <Title>{t("keys")}</Title>
        <p>{t("keys_need_session")}</p>
      </>
    );
  }
  const revoke = async (id: string, name: string) => {
    if (!(await agreed(t("revoke_sure", { name }), t("revoke")))) return;
    await write(() => client.DELETE("/v1/keys/{key_id}", { params: { path: { key_id: id } } })).then(keys.reload, setProblem);
  };
  return (
    <>
      <Title>{t("keys")}</Title>
      <NewKey
        plan={session.account.plan}
        onCreated={(key) => {
          setCreated(key);
          keys.reload();
        }}
      />
      {created && <Secret key={created.id} created={created} onDone={() => setCreated(undefined)} />}
      <Problem error={problem ?? keys.error} />
      {!keys.value && !keys.error && <Loading />}
      {keys.value && (
        <Table label={t("keys")}>
          <thead>
            <tr>
              <th>{t("name")}</th>
              <th>{t("api_key")}</th>
              <th>{t("tier")}</th>
              <th>{t("created")}</th>
              <th>{t("last_used")}</th>
              <th>{t("valid_until")}</th>
              <th>
                <span class="hidden">{t("revoke")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.value.keys.map((key) => (
              <tr key={key.id}>
                <td class="first">{key.name}</td>
                <td>
                  <code>{key.prefix}…</code>
                </td>
                <td>{key.tier}</td>
                <td>{time(key.created_at)}</td>
                <td>{key.last_used_at ? time(key.last_used_at) : t("never")}</td>
                <td>{key.expires_at ? time(key.expires_at) : t("always")}</td>
                <td class="number">
                  {isOwnKey(key.prefix) ? (
                    <span class="note">{t("this_tab")}</span>
                  ) : (
                    <button type="button" class="quiet" aria-label={`${t("revoke")}: ${key.name}`} onClick={() => void revoke(key.id, key.name)}>
                      {t("revoke")}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}

function NewKey({ plan, onCreated }: { plan: string; onCreated: (key: Created) => void }) {
  const [name, setName] = useState("");
  const [tier, setTier] = useState<(typeof TIERS)[number]>();
  const [until, setUntil] = useState("");
  const [problem, setProblem] = useState<unknown>();
  const most = TIERS.findIndex((one) => one === plan);
  const submit = async (event: Event) => {
    event.preventDefault();
    setProblem(undefined);
    const body = { name, ...(tier ? { tier } : {}), ...(until ? { expires_at: new Date(`${until}T23:59:59`).toISOString() } : {}) };
    try {
      onCreated(await write(() => client.POST("/v1/keys", { body })));
      setName("");
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <form class="panel fields" onSubmit={(event) => void submit(event)}>
      <label>
        {t("name")}
        <input required maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label>
        {t("tier")}
        <select value={tier ?? plan} onChange={(event) => setTier(TIERS.find((one) => one === event.currentTarget.value))}>
          {TIERS.slice(0, most < 0 ? TIERS.length : most + 1).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        {t("valid_until")}
        <input type="date" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main">
        {t("create_key")}
      </button>
      <Problem error={problem} />
    </form>
  );
}

/** The new key, the only time that anybody sees it. */
function Secret({ created, onDone }: { created: Created; onDone: () => void }) {
  const [copied, setCopied] = useState("");
  const copy = (text: string) => void navigator.clipboard.writeText(text).then(() => setCopied(text), () => setCopied(""));
  const rows = [
    ["api_key", created.secret, "secret"],
    ["webhook_secret", created.webhook_secret, "webhook-secret"],
  ] as const;
  return (
    <section class="panel once" aria-labelledby="once">
      <h2 id="once">{t("key_once", { name: created.name })}</h2>
      {rows.map(([name, text, kind]) => (
        <p key={name} class="bar">
          <span>{t(name)}</span>
          <code class={kind}>{text}</code>
          <button type="button" aria-label={`${t(copied === text ? "copied" : "copy")}: ${t(name)}`} onClick={() => copy(text)}>
            {t(copied === text ? "copied" : "copy")}
          </button>
        </p>
      ))}
      <span role="status" class="hidden">
        {copied && t("copied")}
      </span>
      <button type="button" onClick={onDone}>
        {t("key_kept")}
      </button>
    </section>
  );
}
