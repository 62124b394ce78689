import { useEffect, useState } from "preact/hooks";
import { client, read } from "../api/client";
import { credentials } from "../api/credentials";
import { hasValidKey } from "../api/session";
import { useLoaded } from "../parts/loaded";
import { Problem, Title } from "../parts/parts";
import { t } from "../text";

// How often it is looked whether the person has signed in in another tab, in milliseconds.
const LOOK = 3000;

interface Props {
  ended?: boolean;
  /** Signs in with what the browser has; false if that is not enough. */
  onTry: () => Promise<boolean>;
}

export function SignIn({ ended = false, onTry }: Props) {
  const [refused, setRefused] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [key, setKey] = useState("");
  const options = useLoaded((signal) => read(() => client.GET("/v1/sign-in-options", { signal }), signal), []);
  const provider = options.value?.provider_path;
  useEffect(() => {
    // A link that is opened in another tab signs this one in as well.
    const look = () => void (document.visibilityState === "visible" && onTry().catch(() => {}));
    const timer = setInterval(look, LOOK);
    addEventListener("focus", look);
    return () => {
      clearInterval(timer);
      removeEventListener("focus", look);
    };
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    setRefused(false);
    setProblem(undefined);
    credentials.key = key.trim();
    try {
      if ((await hasValidKey()) && (await onTry())) return;
      setRefused(true);
    } catch (error) {
      setProblem(error);
    }
    credentials.key = "";
  };
  return (
    <div class="sign-in">
      <Title>{ended ? t("session_ended") : t("sign_in")}</Title>
      <p class="note">{ended ? t("nothing_lost") : t("about")}</p>
      {location.hash === "#/sign-in-failed" && (
        <p class="problem" role="alert">
          {t("sign_in_failed")}
        </p>
      )}
      {provider && (
        <section class="panel">
          <h2>{t("sign_in_provider")}</h2>
          <p>{t("sign_in_provider_how")}</p>
          <a class="button main" href={provider.slice(1)}>
            {t("sign_in")}
          </a>
        </section>
      )}
      <section class="panel">
        <h2>{t("sign_in_link")}</h2>
        <p>{t("sign_in_link_how")}</p>
        <p>
          <code class="command">fanlight sign-in</code>
        </p>
      </section>
      <form class="panel" onSubmit={(event) => void submit(event)}>
        <h2>{t("sign_in_key")}</h2>
        <label class="block">
          {t("api_key")}
          <input type="password" autocomplete="off" required value={key} onInput={(event) => setKey(event.currentTarget.value)} />
        </label>
        <p class="note">{t("sign_in_key_how")}</p>
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
