// Where a viewer gets the pictures of a document's pages: by the caller's key, or by a link that shows one job.
import { type Answer, client, read } from "./client";

export interface PageSource {
  /** Differs between documents. */
  key: string;
  /** Returns a whole page at a resolution of 72 to 200 dots per inch. */
  picture: (page: number, dpi: number, signal?: AbortSignal) => Promise<Blob>;
  /** Returns a tile of a zoom level. */
  tile: (page: number, place: TilePlace, signal?: AbortSignal) => Promise<Blob>;
}

export interface TilePlace {
  zoom: number;
  column: number;
  row: number;
}

const parseAs = "blob" as const;

/** The pages of a document of the caller's account. */
export function pagesOfDocument(document_id: string): PageSource {
  return {
    key: document_id,
    picture: (page, dpi, signal) => {
      const params = { path: { document_id, page_file: `${page}.png` }, query: { dpi } };
      return blob(() => client.GET("/v1/documents/{document_id}/pages/{page_file}", { params, parseAs, signal }), signal);
    },
    tile: (page, { zoom, column, row }, signal) => {
      const params = { path: { document_id, page, zoom, column, row_file: `${row}.png` } };
      const address = "/v1/documents/{document_id}/tiles/{page}/{zoom}/{column}/{row_file}";
      return blob(() => client.GET(address, { params, parseAs, signal }), signal);
    },
  };
}

/** The pages that a link shows. */
export function pagesOfLink(token: string): PageSource {
  return {
    key: token,
    picture: (page, dpi, signal) => {
      const params = { path: { token, page_file: `${page}.png` }, query: { dpi } };
      return blob(() => client.GET("/v1/shared/{token}/pages/{page_file}", { params, parseAs, signal }), signal);
    },
    tile: (page, { zoom, column, row }, signal) => {
      const params = { path: { token, page, zoom, column, row_file: `${row}.png` } };
      const address = "/v1/shared/{token}/tiles/{page}/{zoom}/{column}/{row_file}";
      return blob(() => client.GET(address, { params, parseAs, signal }), signal);
    },
  };
}

function blob(send: () => Promise<Answer<unknown>>, signal: AbortSignal | undefined): Promise<Blob> {
  return read(send as () => Promise<Answer<Blob>>, signal);
}
