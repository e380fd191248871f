import type { FastifyReply } from 'fastify';

/** Aborts when the answer is sent, or nobody waits for it any more: what is still read then is read for nobody. */
export function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
