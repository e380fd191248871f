// Why calls of the accounts are refused.
import type { FastifyReply } from 'fastify';
import type { PasswordAnswer, ProofAnswer } from '../../auth/ownAccess.ts';
import type { SecondStepAnswer, SignInAnswer } from '../../auth/signIn.ts';
import { type Refusal, refuse } from '../kernel/envelope.ts';

export const NO_MEMBER = {
  status: 404,
  code: 'no-such-member',
  message: "Member not found, or you don't have access to this member.",
} as const;
export const NO_MEMBER_GROUP = {
  status: 404,
  code: 'no-such-group',
  message: "Member group not found, or you don't have access to it.",
} as const;
export const NO_SESSION = { status: 404, code: 'no-such-session', message: 'This session has already ended.' } as const;
export const BEYOND_OWN = {
  status: 403,
  code: 'beyond-own',
  message: "This needs permissions or groups that you don't have.",
} as const;
export const OWN_ACCOUNT = {
  status: 403,
  code: 'own-account',
  message: "You can't change this for your own account.",
} as const;
export const LAST_ADMINISTRATOR = {
  status: 409,
  code: 'last-administrator',
  message: 'At least one active administrator is required. Make another member one first.',
} as const;

const BAD_CREDENTIALS = {
  status: 401,
  code: 'bad-credentials',
  message: "The username or password isn't correct. Try again.",
} as const;

const WRONG_PASSWORD = {
  status: 403,
  code: 'wrong-password',
  message: "The current password isn't correct. Enter it again.",
} as const;

const SLOW_DOWN = {
  status: 429,
  code: 'slow-down',
  message: 'Too many attempts. Wait a moment and try again.',
} as const;

const WRONG_CODE = {
  status: 401,
  code: 'wrong-code',
  message: 'The code is wrong or already used. Enter a new one.',
} as const;

const CODE_REQUIRED: Refusal = {
  status: 422,
  code: 'code-required',
  message: 'Enter the code from your authenticator app, or a recovery code.',
  data: { fields: { code: 'required' } },
};

export const TICKET_ENDED = {
  status: 401,
  code: 'sign-in-again',
  message: 'This took too long. Enter your password again.',
} as const;

type SignInRefusal = Extract<SignInAnswer, { ok: false; reason: 'bad-credentials' | 'slow-down' }>;

export function refuseSecondStep(reply: FastifyReply, refusal: Extract<SecondStepAnswer, { ok: false }>): FastifyReply {
  switch (refusal.reason) {
    case 'slow-down':
      return slowDown(reply, refusal.retryAfterMs);
    case 'wrong-code':
      return refuse(reply, WRONG_CODE);
    case 'ticket-ended':
      return refuse(reply, TICKET_ENDED);
  }
}

export function refuseSignIn(reply: FastifyReply, refusal: SignInRefusal): FastifyReply {
  return refusal.reason === 'slow-down' ? slowDown(reply, refusal.retryAfterMs) : refuse(reply, BAD_CREDENTIALS);
}

/** A wrong password of somebody who is signed in is no reason to send them to the sign-in page, as 401 would. */
export function refusePasswordChange(
  reply: FastifyReply,
  refusal: Extract<PasswordAnswer, { ok: false }>,
): FastifyReply {
  return refusal.reason === 'slow-down' ? slowDown(reply, refusal.retryAfterMs) : refuse(reply, WRONG_PASSWORD);
}

/** For users who are signed in: 422, since 401 would end the page's session. */
export function refuseProof(reply: FastifyReply, refusal: Extract<ProofAnswer, { ok: false }>): FastifyReply {
  switch (refusal.reason) {
    case 'code-required':
      return refuse(reply, CODE_REQUIRED);
    case 'wrong-code':
      return refuse(reply, { ...WRONG_CODE, status: 422, data: { fields: { code: 'wrong-code' } } });
    case 'bad-credentials':
    case 'slow-down':
      return refusePasswordChange(reply, refusal);
  }
}

function slowDown(reply: FastifyReply, retryAfterMs: number): FastifyReply {
  return refuse(reply.header('retry-after', Math.ceil(retryAfterMs / 1000)), SLOW_DOWN);
}
