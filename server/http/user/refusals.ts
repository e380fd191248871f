import type { FastifyReply } from 'fastify';
import type { SignInAnswer } from '../../auth/signIn.ts';
import { refuse } from '../envelope.ts';

const BAD_CREDENTIALS = {
  status: 401,
  code: 'bad-credentials',
  message: 'The user name or the password is wrong.',
} as const;

const WRONG_PASSWORD = { status: 403, code: 'wrong-password', message: 'The present password is wrong.' } as const;

const SLOW_DOWN = { status: 429, code: 'slow-down', message: 'Too many attempts at once. Try again shortly.' } as const;

type SignInRefusal = Extract<SignInAnswer, { ok: false }>;

export function refuseSignIn(reply: FastifyReply, refusal: SignInRefusal): FastifyReply {
  return refusal.why === 'slow-down' ? slowDown(reply, refusal.retryAfterMs) : refuse(reply, BAD_CREDENTIALS);
}

/** A wrong password of somebody who is signed in is no reason to send them to the sign-in page, as 401 would. */
export function refusePasswordChange(reply: FastifyReply, refusal: SignInRefusal): FastifyReply {
  return refusal.why === 'slow-down' ? slowDown(reply, refusal.retryAfterMs) : refuse(reply, WRONG_PASSWORD);
}

function slowDown(reply: FastifyReply, retryAfterMs: number): FastifyReply {
  return refuse(reply.header('retry-after', Math.ceil(retryAfterMs / 1000)), SLOW_DOWN);
}
