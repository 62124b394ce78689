// The console: signing in, the menu, and the screen that the address names.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Keys, Models, Usage } from "./account";
import { beginWithSession, credentials, hasValidKey, onSignedOut, type Session, signOut } from "./api";
import { DocumentScreen } from "./document";
import { Documents } from "./documents";
import { JobScreen } from "./job";
import { Loading, Problem, Title } from "./parts";
import { choose, type Language, language, LANGUAGES, t } from "./text";

type State = "starting" | "out" | "in";

function useAddress(): string[] {
  const read = () => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
  const [address, setAddress] = useState(read);
  useEffect(() => {
    const changed = () => setAddress(read());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return address;
}

function Console() {
  const [state, setState] = useState<State>("starting");
  const [session, setSession] = useState<Session>();
  const [ended, setEnded] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [, setLanguage] = useState(language);
  const address = useAddress();

  async function begin() {
    if (credentials.key && !(await hasValidKey())) credentials.key = "";
    const session = await beginWithSession();
    setSession(session);
    setState(session || credentials.key ? "in" : "out");
  }
  useEffect(() => {
    onSignedOut.listener = () => {
      setEnded(true);
      setSession(undefined);
      setState("out");
    };
    begin().catch((error: unknown) => {
      setProblem(error);
      setState("out");
    });
  }, []);
  const leave = async () => {
    await signOut(session).catch(setProblem);
    setSession(undefined);
    setState("out");
  };

  const menu = [
    ["documents", t("documents")],
    ["keys", t("keys")],
    ["usage", t("usage")],
    ["models", t("models")],
  ] as const;
  const here = address[0] ?? "documents";
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector("h1")?.focus();
        }}
      >
        {t("skip")}
      </a>
      <header>
        <a class="brand" href="#/documents">
          Fanlight
        </a>
        {state === "in" && (
          <nav aria-label={t("main_menu")}>
            {menu.map(([name, text]) => (
              <a key={name} href={`#/${name}`} aria-current={here === name || (here === "jobs" && name === "documents") ? "page" : undefined}>
                {text}
              </a>
            ))}
          </nav>
        )}
        <span class="bar end">
          <a href="docs">{t("api")}</a>
          <select
            aria-label={t("language")}
            value={language}
            onChange={(event) => {
              choose(event.currentTarget.value as Language);
              setLanguage(language);
            }}
          >
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </select>
          {state === "in" && (
            <button type="button" class="quiet" onClick={() => void leave()}>
              {t("sign_out")}
            </button>
          )}
        </span>
      </header>
      <main id="content">
        <Problem error={problem} />
        {state === "starting" && <Loading />}
        {state === "out" && <SignIn ended={ended} onKey={() => setState("in")} />}
        {state === "in" && <Screen key={address.join("/")} address={address} session={session} />}
      </main>
    </>
  );
}

function Screen({ address, session }: { address: string[]; session: Session | undefined }) {
  const [screen, id] = address;
  if (screen === undefined || (screen === "documents" && !id)) return <Documents />;
  if (screen === "documents" && id) return <DocumentScreen id={id} />;
  if (screen === "jobs" && id) return <JobScreen id={id} />;
  if (screen === "keys") return <Keys session={session} />;
  if (screen === "usage") return <Usage />;
  if (screen === "models") return <Models />;
  return <Title>{t("not_found")}</Title>;
}

function SignIn({ ended, onKey }: { ended: boolean; onKey: () => void }) {
  const [refused, setRefused] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [key, setKey] = useState("");
  const submit = async (event: Event) => {
    event.preventDefault();
    setRefused(false);
    setProblem(undefined);
    credentials.key = key.trim();
    try {
      if (await hasValidKey()) return onKey();
      setRefused(true);
    } catch (error) {
      setProblem(error);
    }
    credentials.key = "";
  };
  return (
    <div class="sign-in">
      <Title>{t("sign_in")}</Title>
      <p>{t("about")}</p>
      {ended && <p role="alert">{t("session_ended")}</p>}
      <section class="panel">
        <p>{t("sign_in_link")}</p>
        <p>
          <code>fanlight sign-in</code>
        </p>
      </section>
      <form class="panel" onSubmit={(event) => void submit(event)}>
        <p>{t("sign_in_key")}</p>
        <label class="block">
          {t("api_key")}
          <input type="password" autocomplete="off" required value={key} onInput={(event) => setKey(event.currentTarget.value)} />
        </label>
        <button type="submit" class="main">
          {t("sign_in")}
        </button>
        {refused && (
          <p class="problem" role="alert">
            {t("key_refused")}
          </p>
        )}
        <Problem error={problem} />
      </form>
    </div>
  );
}

document.documentElement.lang = language;
const root = document.getElementById("console");
if (root) render(<Console />, root);
