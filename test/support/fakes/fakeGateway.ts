// The network's edge for component tests: fetch answers from a table, translations come from their files, and a call
// that the test did not plan fails it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { Envelope } from '../../../shared/protocol/api.ts';

/** The folder with one of texts for each language. */
export const LOCALES = join(import.meta.dirname, '../../../public/locales');

export interface FakeCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

/** An answer, or how the call fails. A promise is a call that takes its time. */
export type FakeAnswer = Response | Error | Promise<Response | Error>;
export type FakeRoute = (call: FakeCall) => FakeAnswer;

export interface FakeGateway {
  readonly calls: readonly FakeCall[];
  /** Calls of one path. */
  callsOf(path: string): readonly FakeCall[];
  /** Answers `METHOD path`; the latest word counts. */
  on(route: string, answer: FakeRoute | Envelope<unknown>): void;
}

export function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' }, ...init });
}

/** Replaces `fetch` until the test has finished. */
export function fakeGateway(): FakeGateway {
  const calls: FakeCall[] = [];
  const unplanned: string[] = [];
  const routes = new Map<string, FakeRoute>();

  async function answer(input: string, init: RequestInit = {}): Promise<Response> {
    const call = readCall(input, init);
    calls.push(call);
    const route = routes.get(`${call.method} ${call.path}`);
    if (route === undefined) {
      const translation = translationOf(call.path);
      if (translation !== undefined) return json(translation);
      unplanned.push(`${call.method} ${call.path}`);
      throw new TypeError('Failed to fetch');
    }
    const result = await route(call);
    if (result instanceof Error) throw result;
    return result;
  }

  vi.stubGlobal('fetch', answer);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    expect(unplanned, 'calls that the test did not plan').toEqual([]);
  });
  return {
    calls,
    callsOf: (path) => calls.filter((call) => call.path === path),
    on: (route, planned) => {
      routes.set(route, typeof planned === 'function' ? planned : () => json(planned));
    },
  };
}

function readCall(input: string, init: RequestInit): FakeCall {
  const url = new URL(input, 'http://gateway.test');
  return {
    method: init.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    // A browser lowers the names; the component tests' one does not.
    headers: Object.fromEntries([...new Headers(init.headers)].map(([name, value]) => [name.toLowerCase(), value])),
    body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    signal: init.signal ?? undefined,
  };
}

function translationOf(path: string): unknown {
  const file = /^\/locales\/load\/([\w-]+)\/(\w+)$/.exec(path);
  return file === null ? undefined : readTranslation(file[1] ?? '', file[2] ?? '');
}

/** The texts of one namespace, from the file that the gateway serves. */
export function readTranslation(locale: string, namespace: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(LOCALES, locale, `${namespace}.json`), 'utf8')) as Record<string, string>;
}
