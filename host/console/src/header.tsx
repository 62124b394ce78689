// The line at the top: where one is, the language, and the way out.
import { choose, type Language, language, LANGUAGES, t } from "./text";

interface Props {
  here: string;
  inside: boolean;
  account: string | undefined;
  onLanguage: (language: Language) => void;
  onLeave: () => void;
}

export function Header({ here, inside, account, onLanguage, onLeave }: Props) {
  const menu = [
    ["documents", t("documents")],
    ["jobs", t("jobs")],
    ["models", t("models")],
    ["usage", t("usage")],
    ["keys", t("keys")],
  ] as const;
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
          <Mark />
          Fanlight
        </a>
        {inside && (
          <nav aria-label={t("main_menu")}>
            {menu.map(([name, text]) => (
              <a key={name} href={`#/${name}`} aria-current={here === name ? "page" : undefined}>
                {text}
              </a>
            ))}
          </nav>
        )}
        <span class="bar end">
          {account && <span class="account">{account}</span>}
          <a href="docs">{t("api")}</a>
          <select
            aria-label={t("language")}
            value={language}
            onChange={(event) => {
              choose(event.currentTarget.value as Language);
              onLanguage(language);
            }}
          >
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </select>
          {inside && (
            <button type="button" class="quiet" onClick={onLeave}>
              {t("sign_out")}
            </button>
          )}
        </span>
      </header>
    </>
  );
}

/** A fanlight: the window above a door. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 14" aria-hidden="true">
      <path d="M1 13a11 11 0 0 1 22 0zM7 13a5 5 0 0 1 10 0M12 2v6M4.2 5.2l4.3 4.2M19.8 5.2l-4.3 4.2" />
    </svg>
  );
}
