// Identifies the session that a request comes from.
import type { FastifyRequest } from 'fastify';
import type { Sessions, SignedIn } from '../../auth/sessions.ts';
import { type Refusal, Refused } from './envelope.ts';
import { readSessionCookie } from './sessionCookie.ts';

/** How the caller was recognized. A frame token never becomes a cookie, so some routes must know. */
type RecognisedBy = 'cookie' | 'frame-token';

export type Caller = SignedIn & { readonly by: RecognisedBy };

const FRAME_TOKEN_HEADER = 'connect-sid';
/** `1` where another site frames the page. */
const FRAMED_HEADER = 'page-framed';

/** The headers that carry a frame token; undefined where there is none that counts. */
function frameTokenHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> | undefined {
  const token = headers[FRAMED_HEADER] === '1' ? headers[FRAME_TOKEN_HEADER] : undefined;
  return token === undefined ? undefined : { [FRAME_TOKEN_HEADER]: String(token), [FRAMED_HEADER]: '1' };
}

/**
 * A framed page's request with a frame token belongs to the token, even when a cookie came along and the token isn't valid. In a page
 * that isn't framed, the token came with a link: it must not put the user who follows the link into another user's session.
 */
export async function recognise(request: FastifyRequest, sessions: Sessions): Promise<Caller | undefined> {
  const token = frameTokenHeaders(request)?.[FRAME_TOKEN_HEADER];
  if (token !== undefined) {
    const found = await sessions.findByFrameToken(token);
    return found === undefined ? undefined : { ...found, by: 'frame-token' };
  }
  const id = readSessionCookie(request);
  const found = id === undefined ? undefined : await sessions.find(id);
  return found === undefined ? undefined : { ...found, by: 'cookie' };
}

export function refusalFor(caller: Caller | undefined, needed: readonly string[]): Refusal | undefined {
  if (caller === undefined) return Refused.notSignedIn;
  return needed.every((permission) => caller.user.permissions.includes(permission)) ? undefined : Refused.forbidden;
}

export function refusalForAny(caller: Caller | undefined, wanted: readonly string[]): Refusal | undefined {
  if (caller === undefined) return Refused.notSignedIn;
  return wanted.some((permission) => caller.user.permissions.includes(permission)) ? undefined : Refused.forbidden;
}

export function textsOf(fields: unknown): Partial<Record<string, string>> {
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}
