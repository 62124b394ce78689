// Contents of a project manual as a tree. Sections open their pages; requirements theirs.
import { useState } from "preact/hooks";
import { heading, t } from "../text";
import type { Division, Requirement, Section } from "./contents";

interface Props {
  divisions: Division[];
  page: number;
  onPage: (page: number) => void;
}

export function ContentsTree({ divisions, page, onPage }: Props) {
  const [chosen, setChosen] = useState<Section>();
  const choose = (section: Section) => {
    setChosen(section);
    if (section.first !== undefined) onPage(section.first);
  };
  return (
    <>
      <section aria-labelledby="contents" class="contents">
        <h2 id="contents">{t("contents")}</h2>
        {divisions.map((division) => (
          <details key={division.code} open={divisions.length < 12}>
            <summary>
              <b>{division.code}</b> {division.title} <span class="note">{t("sections_count", { count: division.sections.length })}</span>
            </summary>
            <ul class="plain">
              {division.sections.map((section, at) => (
                <li key={at}>
                  <SectionEntry section={section} open={isOpen(section, page)} chosen={section === chosen} onChoose={() => choose(section)} />
                </li>
              ))}
            </ul>
          </details>
        ))}
      </section>
      {chosen && (chosen.requirements.length > 0 || chosen.text) && <Requirements section={chosen} page={page} onPage={onPage} />}
    </>
  );
}

function isOpen({ first, last }: Section, page: number): boolean {
  return first !== undefined && page >= first && page <= (last ?? first);
}

function SectionEntry({ section, open, chosen, onChoose }: { section: Section; open: boolean; chosen: boolean; onChoose: () => void }) {
  const { code, title, first, last, found } = section;
  const text = (
    <>
      <code>{code}</code> <span class="name">{title}</span>
    </>
  );
  if (first === undefined && section.requirements.length === 0 && !section.text) {
    return (
      <span class="section">
        {text}
        {!found && <span class="note">{t("section_not_found")}</span>}
      </span>
    );
  }
  return (
    <button type="button" class={open ? "section open" : "section"} aria-pressed={chosen} onClick={onChoose}>
      {text}
      {first !== undefined && <span class="number">{last !== undefined && last !== first ? `${first}–${last}` : first}</span>}
    </button>
  );
}

function Requirements({ section, page, onPage }: { section: Section; page: number; onPage: (page: number) => void }) {
  const categories = [...new Set(section.requirements.map((one) => one.category))];
  return (
    <section aria-labelledby="requirements" class="requirements">
      <h2 id="requirements">
        {section.code} {section.title}
      </h2>
      {categories.map((category) => (
        <details key={category} open>
          <summary>
            {heading(category)} <span class="note">{section.requirements.filter((one) => one.category === category).length}</span>
          </summary>
          <ul class="plain">
            {section.requirements
              .filter((one) => one.category === category)
              .map((one, at) => (
                <li key={at}>
                  <RequirementEntry requirement={one} here={one.page === page} onPage={onPage} />
                </li>
              ))}
          </ul>
        </details>
      ))}
      {section.text && (
        <details>
          <summary>{t("text")}</summary>
          <pre tabIndex={0} role="group" aria-label={t("text")}>
            {section.text}
          </pre>
        </details>
      )}
    </section>
  );
}

function RequirementEntry({ requirement, here, onPage }: { requirement: Requirement; here: boolean; onPage: (page: number) => void }) {
  const { text, article, page } = requirement;
  return (
    <button type="button" class={here ? "requirement here" : "requirement"} disabled={page === undefined} onClick={() => page !== undefined && onPage(page)}>
      <span>{text}</span>
      <span class="note">
        {article} {page !== undefined && t("page", { page: String(page) })}
      </span>
    </button>
  );
}
