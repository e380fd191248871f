import type { FastifyReply } from 'fastify';

/** Aborts when the answer is sent, or nobody waits for it any more: what is still read then is read for nobody. */
export function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  // Whoever asked may have gone while the caller was looked up.
  if (reply.raw.destroyed) gone.abort();
  return gone.signal;
}
