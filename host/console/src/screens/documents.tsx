import { useState } from "preact/hooks";
import { client, type FanlightDocument, read, write } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem, Table, Title } from "../parts/parts";
import { agreed } from "../parts/question";
import { day, size, number, t, time } from "../text";
import { Uploads } from "./uploads";

/** The list of documents, and the place where files are dropped. */
export function Documents() {
  const [problem, setProblem] = useState<unknown>();
  const [older, setOlder] = useState<FanlightDocument[]>([]);
  const [cursor, setCursor] = useState<string | null>();
  const listed = useLoaded(async (signal) => {
    const first = await read(() => client.GET("/v1/documents", { params: { query: { limit: 50 } }, signal }), signal);
    setOlder([]);
    setCursor(first.next_cursor);
    return first;
  }, []);

  async function more(cursor: string) {
    const page = await read(() => client.GET("/v1/documents", { params: { query: { limit: 50, cursor } } }));
    setOlder((all) => [...all, ...page.documents]);
    setCursor(page.next_cursor);
  }
  async function remove(one: FanlightDocument) {
    if (!(await agreed(t("delete_sure", { name: one.original_filename }), t("delete")))) return;
    const params = { path: { document_id: one.document_id } };
    await write(() => client.DELETE("/v1/documents/{document_id}", { params })).then(listed.reload, setProblem);
  }

  const all = [...(listed.value?.documents ?? []), ...older];
  return (
    <>
      <Title>{t("documents")}</Title>
      <Uploads onUploaded={listed.reload} />
      <Problem error={problem ?? listed.error} />
      {!listed.value && !listed.error && <Loading />}
      {listed.value && all.length === 0 && <p class="empty">{t("no_documents")}</p>}
      {all.length > 0 && (
        <Table label={t("documents")}>
          <thead>
            <tr>
              <th>{t("name")}</th>
              <th class="number">{t("sheets")}</th>
              <th class="number">{t("size")}</th>
              <th>{t("uploaded")}</th>
              <th>{t("kept_until")}</th>
              <th>
                <span class="hidden">{t("delete")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((one) => (
              <tr key={one.document_id}>
                <td class="first">
                  <a href={`#/documents/${one.document_id}`}>{one.original_filename}</a>
                </td>
                <td class="number">{number(one.page_count)}</td>
                <td class="number">{size(one.file_size_bytes)}</td>
                <td>{time(one.uploaded_at)}</td>
                <td>{day(one.expires_at)}</td>
                <td class="number">
                  <button type="button" class="quiet" aria-label={`${t("delete")}: ${one.original_filename}`} onClick={() => void remove(one)}>
                    {t("delete")}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {cursor && (
        <button type="button" onClick={() => void more(cursor).catch(setProblem)}>
          {t("more")}
        </button>
      )}
    </>
  );
}
