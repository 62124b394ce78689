import { useRef, useState } from "preact/hooks";
import { answered, client, type FanlightDocument } from "./api";
import { Loading, Problem, reason, Table, Title, useLoaded } from "./parts";
import { number, t, time } from "./text";

interface Upload {
  name: string;
  state: string;
  failed: boolean;
}

/** The list of documents, and the place where files are dropped. */
export function Documents() {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [problem, setProblem] = useState<unknown>();
  const [over, setOver] = useState(false);
  const [older, setOlder] = useState<FanlightDocument[]>([]);
  const [cursor, setCursor] = useState<string | null>();
  const files = useRef<HTMLInputElement>(null);
  const listed = useLoaded(async (signal) => {
    setOlder([]);
    setCursor(undefined);
    return answered(() => client.GET("/v1/documents", { params: { query: { limit: 50 } }, signal }));
  }, []);

  async function upload(list: FileList | null) {
    const chosen = [...(list ?? [])];
    const first = uploads.length;
    setUploads((all) => [...all, ...chosen.map((file) => ({ name: file.name, state: t("uploading"), failed: false }))]);
    for (const [position, file] of chosen.entries()) {
      const settle = (state: string, failed: boolean) =>
        setUploads((all) => all.map((one, at) => (at === first + position ? { ...one, state, failed } : one)));
      const form = new FormData();
      form.append("file", new Blob([file], { type: "application/pdf" }), file.name);
      try {
        // The schema describes the form's file as text, and the form is sent as it is.
        const body = form as unknown as { file: string };
        await answered(() => client.POST("/v1/documents", { body, bodySerializer: (form) => form as unknown as FormData }));
        settle(t("uploaded"), false);
        listed.reload();
      } catch (error) {
        settle(reason(error), true);
      }
    }
  }

  async function more() {
    const next = cursor === undefined ? listed.value?.next_cursor : cursor;
    if (!next) return;
    const page = await answered(() => client.GET("/v1/documents", { params: { query: { limit: 50, cursor: next } } }));
    setOlder((all) => [...all, ...page.documents]);
    setCursor(page.next_cursor);
  }

  async function remove(one: FanlightDocument) {
    if (!confirm(t("delete_sure", { name: one.original_filename }))) return;
    const params = { path: { document_id: one.document_id } };
    await answered(() => client.DELETE("/v1/documents/{document_id}", { params })).then(listed.reload, setProblem);
  }

  const all = [...(listed.value?.documents ?? []), ...older];
  const next = cursor === undefined ? listed.value?.next_cursor : cursor;
  return (
    <>
      <Title>{t("documents")}</Title>
      <button
        type="button"
        class={over ? "drop over" : "drop"}
        onClick={() => files.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void upload(event.dataTransfer?.files ?? null);
        }}
      >
        {t("drop")}
      </button>
      <input
        ref={files}
        type="file"
        accept="application/pdf,.pdf"
        multiple
        hidden
        onChange={(event) => void upload(event.currentTarget.files).then(() => files.current && (files.current.value = ""))}
      />
      {uploads.length > 0 && (
        <ul class="uploads" aria-label={t("uploads")} aria-live="polite">
          {uploads.map((one, position) => (
            <li key={position} class={one.failed ? "bad" : ""}>
              {one.name}: {one.state}
            </li>
          ))}
        </ul>
      )}
      <Problem error={problem ?? listed.error} />
      {!listed.value && !listed.error && <Loading />}
      {listed.value && all.length === 0 && <p>{t("no_documents")}</p>}
      {all.length > 0 && (
        <Table label={t("documents")}>
          <thead>
            <tr>
              <th>{t("name")}</th>
              <th class="number">{t("pages")}</th>
              <th>{t("uploaded")}</th>
              <th>
                <span class="hidden">{t("delete")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((one) => (
              <tr key={one.document_id}>
                <td>
                  <a href={`#/documents/${one.document_id}`}>{one.original_filename}</a>
                </td>
                <td class="number">{number(one.page_count)}</td>
                <td>{time(one.uploaded_at)}</td>
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
      {next && (
        <button type="button" onClick={() => void more().catch(setProblem)}>
          {t("more")}
        </button>
      )}
    </>
  );
}
