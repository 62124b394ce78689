// The items of a sheet as a list, for whoever cannot or does not want to point at boxes.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ReviewedItem } from "../review/changes";
import { heading, percent, t } from "../text";

// Most items that the list shows, so that it stays quick.
const LISTED = 300;

interface Props {
  items: ReviewedItem[];
  colors: Map<string, number>;
  selected: string | undefined;
  onSelect: (item: ReviewedItem) => void;
}

export function ItemList({ items, colors, selected, onSelect }: Props) {
  const [wanted, setWanted] = useState("");
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const box = list.current;
    const entry = box?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (!box || !entry) return;
    // `scrollIntoView` would move the whole page as well.
    if (entry.offsetTop < box.scrollTop || entry.offsetTop + entry.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = entry.offsetTop - box.clientHeight / 2;
    }
  }, [selected]);
  const words = wanted.trim().toLocaleLowerCase();
  const found = words ? items.filter((item) => `${heading(item.kind)} ${item.label}`.toLocaleLowerCase().includes(words)) : items;
  return (
    <section aria-labelledby="items" class="item-list">
      <div class="bar">
        <h2 id="items">{t("items_of_sheet", { count: found.length })}</h2>
        {items.length > 8 && <input type="search" class="end" aria-label={t("search")} placeholder={t("search")} value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />}
      </div>
      {items.length === 0 && <p class="empty">{t("no_items")}</p>}
      {found.length > LISTED && <p class="note">{t("first_items", { count: LISTED })}</p>}
      <ul class="plain items" ref={list}>
        {found.slice(0, LISTED).map((item) => (
          <li key={item.id}>
            <button type="button" class={`item ${item.state}`} aria-pressed={item.id === selected} onClick={() => onSelect(item)}>
              <span class={`swatch c${colors.get(item.kind)}`} aria-hidden="true" />
              <span class="name">
                {heading(item.kind)} {item.label}
              </span>
              <span class="state">{item.state === "open" ? "" : t(item.state)}</span>
              <span class="number">{item.confidence === undefined ? "" : percent(item.confidence)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
