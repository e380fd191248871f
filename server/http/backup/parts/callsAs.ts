// API calls that the gateway makes in a caller's name, with the same permissions, checks, audit and notices as the calls of the
// caller's pages. They serve work that would otherwise repeat all of it, such as imports of records of many kinds.
import type { FastifyRequest } from 'fastify';
import { frameTokenHeaders } from '../../kernel/recognise.ts';
import { readSessionCookie, sessionCookieHeader } from '../../kernel/sessionCookie.ts';

export interface ApiCall {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly body: object;
}

export type ApiAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly code: string; readonly fields: Readonly<Record<string, string>> };

export type CallApi = (call: ApiCall) => Promise<ApiAnswer>;

/** The calls work beyond the end of the request, for as long as the caller's session lasts. */
export function callsAs(request: FastifyRequest): CallApi {
  const { server, ip } = request;
  const headers = sessionHeaders(request);
  return async ({ method, url, body }) => {
    const answer = await server.inject({ method, url, headers, payload: body, remoteAddress: ip });
    return readAnswer(answer.json());
  };
}

/** Headers of a request without TLS, whatever the caller's was: it never leaves the process. */
function sessionHeaders(request: FastifyRequest): Readonly<Record<string, string>> {
  const userAgent = request.headers['user-agent'] ?? '';
  const token = frameTokenHeaders(request);
  if (token !== undefined) return { 'user-agent': userAgent, ...token };
  return { 'user-agent': userAgent, cookie: sessionCookieHeader(readSessionCookie(request) ?? '') };
}

interface Envelope {
  readonly error: boolean;
  readonly code?: string;
  readonly data?: unknown;
}

function readAnswer({ error, code = 'internal', data }: Envelope): ApiAnswer {
  if (!error) return { ok: true, data };
  const { fields = {} } = (data ?? {}) as { readonly fields?: Readonly<Record<string, string>> };
  return { ok: false, code, fields };
}
