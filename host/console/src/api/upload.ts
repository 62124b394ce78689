// Uploading a file with progress, which `fetch` does not report.
import { client, type FanlightDocument, write } from "./client";

/** Uploads a PDF file. `onProgress` gets the part that has been sent, 0 to 1. */
export function upload(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<FanlightDocument> {
  const params = { query: { filename: file.name } };
  const headers = { "Content-Type": "application/pdf" };
  // The description of the API has the form; the server takes the file itself as well.
  const body = file as unknown as { file: string };
  const bodySerializer = (sent: unknown) => sent as Blob;
  const fetch = (request: Request) => send(request, file, onProgress, signal);
  return write(() => client.POST("/v1/documents", { params, headers, body, bodySerializer, fetch }));
}

function send(request: Request, file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const exchange = new XMLHttpRequest();
    exchange.open(request.method, request.url);
    request.headers.forEach((value, name) => exchange.setRequestHeader(name, value));
    exchange.responseType = "text";
    exchange.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    exchange.onload = () => resolve(new Response(exchange.responseText, { status: exchange.status, headers: headersOf(exchange) }));
    exchange.onerror = () => reject(new TypeError("not reached"));
    exchange.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => exchange.abort());
    exchange.send(file);
  });
}

function headersOf(exchange: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of exchange.getAllResponseHeaders().trim().split(/[\r\n]+/)) {
    const at = line.indexOf(":");
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
}
