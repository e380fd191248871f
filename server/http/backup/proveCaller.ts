import type { FastifyRequest } from 'fastify';
import type { OwnAccess, ProofAnswer } from '../../auth/ownAccess.ts';
import { readBrowserCookie } from '../kernel/browserCookie.ts';
import { callerOf, clientInfoOf } from '../kernel/caller.ts';

interface GivenProof {
  readonly password: string;
  /** Left out when there is no second factor. */
  readonly code?: string | undefined;
}

/** Checks the caller's password, and the code where there is a second factor: the browser may have been left open. */
export function proveCaller(
  request: FastifyRequest,
  ownAccess: Pick<OwnAccess, 'prove'>,
  { password, code }: GivenProof,
): Promise<ProofAnswer> {
  const own = { caller: callerOf(request), client: clientInfoOf(request), browser: readBrowserCookie(request) };
  return ownAccess.prove({ ...own, password, code });
}
