// Contents of a project manual as a tree. Sections open their pages; requirements are highlighted on theirs.
import { useEffect, useRef, useState } from "preact/hooks";
import { heading, t } from "../text";
import type { Division, Requirement, Section } from "./contents";
import type { Item } from "./items";

interface Props {
  divisions: Division[];
  page: number;
  onPage: (page: number) => void;
  /** The ID of the selected place of a requirement. */
  selected: string | undefined;
  onSelect: (place: Item) => void;
}

export function ContentsTree({ divisions, page, onPage, selected, onSelect }: Props) {
  const [chosen, setChosen] = useState<Section>();
  useEffect(() => {
    // A click on the sheet opens the section whose requirement is there.
    const section = divisions.flatMap((division) => division.sections).find((one) => one.requirements.some((own) => isAt(own, selected)));
    if (section) setChosen(section);
  }, [selected, divisions]);
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
      {chosen && (chosen.requirements.length > 0 || chosen.text) && (
        <Requirements section={chosen} page={page} selected={selected} onPage={onPage} onSelect={onSelect} />
      )}
    </>
  );
}

function isAt({ places }: Requirement, selected: string | undefined): boolean {
  return places.some((place) => place.id === selected);
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

interface RequirementsProps extends Omit<Props, "divisions"> {
  section: Section;
}

function Requirements({ section, page, onPage, selected, onSelect }: RequirementsProps) {
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
                  <RequirementEntry requirement={one} here={one.page === page} chosen={isAt(one, selected)} onPage={onPage} onSelect={onSelect} />
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

interface EntryProps extends Pick<Props, "onPage" | "onSelect"> {
  requirement: Requirement;
  here: boolean;
  chosen: boolean;
}

function RequirementEntry({ requirement, here, chosen, onPage, onSelect }: EntryProps) {
  const { text, article, page, places } = requirement;
  const entry = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (chosen) entry.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const open = () => {
    const [place] = places;
    if (place) onSelect(place);
    else if (page !== undefined) onPage(page);
  };
  return (
    <button ref={entry} type="button" class={here ? "requirement here" : "requirement"} aria-pressed={chosen} disabled={page === undefined} onClick={open}>
      <span>{text}</span>
      <span class="note">
        {article} {page !== undefined && t("page", { page: String(page) })}
      </span>
    </button>
  );
}
