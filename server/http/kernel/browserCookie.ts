// The cookie by which a browser is known to have signed in before. It opens nothing: see auth/knownBrowsers.ts.
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KNOWN_BROWSER_MS } from '../../auth/knownBrowsers.ts';

const NAME = 'fleetglass_browser';
/** Browsers take a cookie of this prefix only over TLS and only from this very host. */
const SECURE_NAME = `__Host-${NAME}`;

export function readBrowserCookie(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request)];
}

export function setBrowserCookie(reply: FastifyReply, secret: string): void {
  const secure = reply.request.protocol === 'https';
  const options: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'strict', secure };
  reply.setCookie(nameFor(reply.request), secret, { ...options, maxAge: KNOWN_BROWSER_MS / 1000 });
}

function nameFor(request: FastifyRequest): string {
  return request.protocol === 'https' ? SECURE_NAME : NAME;
}
