// The fetch client: one request, one result. What can be expected to fail is a value; nothing here throws.
import { sidHeaders } from './pageFlags.ts';
import { encodeQuery, type QueryValues } from './query.ts';

export type ApiFailure =
  | { readonly ok: false; readonly kind: 'aborted' }
  /** No answer came. `message` is the browser's own text. */
  | { readonly ok: false; readonly kind: 'network'; readonly message: string }
  /** An answer came and it is no success. `code` is a key that a page may translate, `message` the text to show else. */
  | {
      readonly ok: false;
      readonly kind: 'http';
      readonly status: number;
      readonly code?: string;
      readonly message: string;
      /** What the gateway says beside it: which fields it refuses, or the record as it is now. */
      readonly data?: unknown;
    };

export type ApiResult<T> = { readonly ok: true; readonly value: T } | ApiFailure;

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: QueryValues;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls the gateway and gives the envelope's `data`, unread: a caller that depends on its shape passes it to a parser.
 * A failure is logged once, without the query, where credentials stand.
 */
export async function requestJson<T>(path: string, options: RequestOptions = {}): Promise<ApiResult<T>> {
  const result = await send(path, options, async (response) => readAnswer<T>(path, response, await response.text()));
  return noted(path, options.method ?? 'GET', result);
}

function noted<T>(path: string, method: string, result: ApiResult<T>): ApiResult<T> {
  if (!result.ok && result.kind === 'http' && result.status === 401) onUnauthorised?.();
  if (!result.ok && result.kind === 'http' && result.code === RESTORING_CODE) onRestoring?.();
  if (!result.ok && result.kind !== 'aborted') {
    const status = result.kind === 'http' ? ` ${result.status}` : '';
    console.warn(`${method} ${path} failed:${status} ${result.message}`);
  }
  return result;
}

let onUnauthorised: (() => void) | undefined;

/** What a page does when the gateway answers 401: the session has ended. One handler a page. */
export function setUnauthorisedHandler(handler: (() => void) | undefined): void {
  onUnauthorised = handler;
}

const RESTORING_CODE = 'restoring';
let onRestoring: (() => void) | undefined;

/** What a page does when a backup is being restored: nothing that it shows will be true afterwards. One handler a page. */
export function setRestoringHandler(handler: (() => void) | undefined): void {
  onRestoring = handler;
}

/** Applies a parser to a successful result. */
export function mapResult<T, U>(result: ApiResult<T>, parse: (value: T) => U): ApiResult<U> {
  return result.ok ? { ok: true, value: parse(result.value) } : result;
}

/** Sends a file as it is; the answer is an envelope as everywhere else. */
export async function requestBytes<T>(
  path: string,
  { query, file, signal }: { readonly query: QueryValues; readonly file: Blob; readonly signal?: AbortSignal },
): Promise<ApiResult<T>> {
  const body = new Blob([file], { type: 'application/octet-stream' });
  const result = await send(path, { method: 'POST', query, file: body, signal }, async (response) =>
    readAnswer<T>(path, response, await response.text()),
  );
  return noted(path, 'POST', result);
}

export interface FileRange {
  readonly offset: number;
  readonly length: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FilePart {
  /** Shorter than what was asked for where the file ends. */
  readonly bytes: ArrayBuffer;
  /** Undefined for a server that has no strong one. */
  readonly etag: string | undefined;
}

/** A part of a file. A server that answers with the whole of it, or with more than was asked for, is refused. */
export async function requestRange(path: string, range: FileRange): Promise<ApiResult<FilePart>> {
  const headers = { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
  const result = await send(path, { headers, signal: range.signal }, async (response) => {
    if (response.status !== 206) return readAnswer<FilePart>(path, response, await response.text());
    const etag = response.headers.get('etag') ?? '';
    const bytes = await response.arrayBuffer();
    if (bytes.byteLength <= range.length) return { ok: true, value: { bytes, etag: strongTag(etag) } };
    return { ok: false, kind: 'http', status: response.status, message: `${path}: more than was asked for` };
  });
  return noted(path, 'GET', result);
}

function strongTag(etag: string): string | undefined {
  return etag === '' || etag.startsWith('W/') ? undefined : etag;
}

async function send<T>(
  path: string,
  options: RequestOptions & { readonly file?: Blob; readonly headers?: Readonly<Record<string, string>> },
  read: (response: Response) => Promise<ApiResult<T>>,
): Promise<ApiResult<T>> {
  try {
    const response = await fetch(path + encodeQuery(options.query), {
      method: options.method ?? 'GET',
      headers: {
        ...sidHeaders(),
        ...options.headers,
        ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      // Its type goes along as the request's.
      ...(options.file === undefined ? {} : { body: options.file }),
      signal: options.signal ?? null,
    });
    return await read(response);
  } catch (error) {
    if (options.signal?.aborted === true) return { ok: false, kind: 'aborted' };
    return { ok: false, kind: 'network', message: error instanceof Error ? error.message : String(error) };
  }
}

export interface AnswerHead {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
}

/** What an answer means: a flagged error, an answer that is no envelope, or data. Total. */
export function readAnswer<T>(path: string, head: AnswerHead, text: string): ApiResult<T> {
  const envelope = parseObject(text);
  const generic = `${path}: ${head.status} ${head.statusText}`.trimEnd();
  if (envelope === undefined) return { ok: false, kind: 'http', status: head.status, message: generic };
  if (envelope.error !== true && head.ok) return { ok: true, value: envelope.data as T };
  // A refusing status without the flag is somebody else's JSON, a proxy's say: its message is not for our users.
  const flagged = envelope.error === true;
  const { code, message, data } = envelope;
  return {
    ok: false,
    kind: 'http',
    status: head.status,
    ...(flagged && typeof code === 'string' && code !== '' ? { code } : {}),
    message: flagged && typeof message === 'string' && message !== '' ? message : generic,
    ...(flagged && data !== undefined ? { data } : {}),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
