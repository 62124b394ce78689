// Has content-extractor read the sections of a contents page.
import { useState } from "preact/hooks";
import { client, type Job, read, write } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Problem } from "../parts/parts";
import { t } from "../text";
import type { Division } from "./contents";

const READER = "content-extractor";

export function ReadSections({ job, divisions }: { job: Job; divisions: Division[] }) {
  const [problem, setProblem] = useState<unknown>();
  const model = useLoaded((signal) => read(() => client.GET("/v1/models/{name}", { params: { path: { name: READER } }, signal }), signal), []);
  if (!model.value?.installed) return null;
  const start = async () => {
    const body = { job_id: job.id, division_codes: divisions.map((division) => division.code), no_cache: false };
    try {
      const made = await write(() => client.POST("/v1/specs/content-extract", { body }));
      location.hash = `#/jobs/${made.job_id}`;
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <>
      <button type="button" class="main" onClick={() => void start()}>
        {t("read_sections", { count: model.value.credits })}
      </button>
      <Problem error={problem} />
    </>
  );
}
