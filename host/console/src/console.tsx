// The console: signing in, the menu, and the screen that the address names.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { connection } from "./api/connection";
import { credentials, signedIn } from "./api/credentials";
import type { Session } from "./api/client";
import { beginWithSession, hasValidKey, signOut } from "./api/session";
import { Header } from "./header";
import { useGate } from "./parts/loaded";
import { Loading, Problem, Title } from "./parts/parts";
import { Question } from "./parts/question";
import { DocumentScreen } from "./screens/document";
import { Documents } from "./screens/documents";
import { JobScreen } from "./screens/job";
import { Jobs } from "./screens/jobs";
import { Keys } from "./screens/keys";
import { ModelScreen, Models } from "./screens/models";
import { Shared } from "./screens/shared";
import { SignIn } from "./screens/sign-in";
import { Usage } from "./screens/usage";
import { language, t } from "./text";

type State = "starting" | "out" | "in";

function useAddress(): string[] {
  const read = () => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
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
  const [problem, setProblem] = useState<unknown>();
  const [, redraw] = useState(language);
  const accepted = useGate(signedIn);
  const address = useAddress();

  /** Signs in with what the browser has; false if that is not enough. */
  async function begin(): Promise<boolean> {
    if (credentials.key && !(await hasValidKey())) credentials.key = "";
    const session = await beginWithSession();
    setSession(session);
    if (!session && !credentials.key) return false;
    setProblem(undefined);
    setState("in");
    signedIn.set(true);
    return true;
  }
  useEffect(() => {
    begin().then(
      (done) => done || setState("out"),
      (error: unknown) => {
        setProblem(error);
        setState("out");
      },
    );
  }, []);
  const leave = async () => {
    await signOut(session).catch(setProblem);
    setSession(undefined);
    setState("out");
  };
  const here = address[0] ?? "documents";
  if (here === "shared" && address[1]) {
    return (
      <>
        <Header here={here} inside={false} account={undefined} onLanguage={redraw} onLeave={() => {}} />
        <Connection />
        <main id="content" class="full">
          <Shared token={address[1]} />
        </main>
      </>
    );
  }
  return (
    <>
      <Header here={here} inside={state === "in"} account={session?.account.name} onLanguage={redraw} onLeave={() => void leave()} />
      <Connection />
      <main id="content" class={here === "jobs" && address[1] ? "full" : undefined}>
        <Problem error={problem} />
        {state === "starting" && <Loading />}
        {state === "out" && <SignIn onTry={begin} />}
        {state === "in" && <Screen key={address.join("/")} address={address} session={session} />}
      </main>
      {state === "in" && !accepted && <SignInAgain onTry={begin} />}
      <Question />
    </>
  );
}

function Screen({ address, session }: { address: string[]; session: Session | undefined }) {
  const [screen, id] = address;
  if (screen === undefined || (screen === "documents" && !id)) return <Documents />;
  if (screen === "documents" && id) return <DocumentScreen id={id} />;
  if (screen === "jobs") return id ? <JobScreen id={id} /> : <Jobs />;
  if (screen === "keys") return <Keys session={session} />;
  if (screen === "usage") return <Usage />;
  if (screen === "models") return id ? <ModelScreen name={id} /> : <Models />;
  return <Title>{t("not_found")}</Title>;
}

/** Says that the server cannot be reached, and when it can again. */
function Connection() {
  const open = useGate(connection);
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (!open) setWasLost(true);
    const timer = open && wasLost ? setTimeout(() => setWasLost(false), 4000) : undefined;
    return () => clearTimeout(timer);
  }, [open, wasLost]);
  return (
    <div role="status" class={open ? "connection" : "connection lost"}>
      {!open ? t("connection_lost") : wasLost ? t("connection_back") : ""}
    </div>
  );
}

/** Lets a person sign in again over the screen, which keeps all that was done on it. */
function SignInAgain({ onTry }: { onTry: () => Promise<boolean> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="again" aria-label={t("session_ended")} onCancel={(event) => event.preventDefault()}>
      <SignIn ended onTry={onTry} />
    </dialog>
  );
}

document.documentElement.lang = language;
const root = document.getElementById("console");
if (root) render(<Console />, root);
