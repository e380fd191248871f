// The cookie that carries the session id.
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WALL_MONITOR_LIFE } from '../../auth/sessionTimes.ts';

const NAME = 'fleetglass_sid';
/** Browsers take a cookie of this prefix only over TLS and only from this very host. */
const SECURE_NAME = `__Host-${NAME}`;

/**
 * The session id from the header of an upgrade, which no framework has read. `secure`: TLS ends here. Behind a proxy both names may be
 * right, and the one that only TLS can set takes precedence.
 */
export function sessionCookieOf(header: string, secure: boolean): string | undefined {
  const cookieNamed = (name: string): string | undefined => {
    const own = header.split(';').map((pair) => pair.trim().split('='));
    return own.find(([key]) => key === name)?.[1];
  };
  return cookieNamed(SECURE_NAME) ?? (secure ? undefined : cookieNamed(NAME));
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request)];
}

/** A wall display's cookie outlives the browser's restart; any other ends with the browser, and earlier on the server. */
export function setSessionCookie(reply: FastifyReply, id: string, wallMonitor: boolean): void {
  const options = optionsFor(reply.request);
  const maxAge = Math.floor(WALL_MONITOR_LIFE.wholeMs / 1000);
  reply.setCookie(nameFor(reply.request), id, wallMonitor ? { ...options, maxAge } : options);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(nameFor(reply.request), optionsFor(reply.request));
}

function nameFor(request: FastifyRequest): string {
  return request.protocol === 'https' ? SECURE_NAME : NAME;
}

function optionsFor(request: FastifyRequest): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' };
}
