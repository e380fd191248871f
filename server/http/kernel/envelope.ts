// The JSON shape of every answer of the API, and what becomes of what goes wrong.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

export const ErrorEnvelope = Type.Object({
  error: Type.Literal(true),
  code: Type.String(),
  message: Type.String(),
  /** Which fields are refused, or the record as it is now. */
  data: Type.Optional(Type.Unknown()),
});

/** What every route may answer beside success. */
export const ErrorAnswers = { '4xx': ErrorEnvelope, '5xx': ErrorEnvelope };

/** The shape of a successful answer. */
export function EnvelopeOf<Data extends Type.TSchema>(data: Data) {
  return Type.Object({ error: Type.Literal(false), data });
}

export function ok<Data>(data: Data): { error: false; data: Data } {
  return { error: false, data };
}

/** A refusal: the pages translate `code` when they know it, else they show `message`. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** `fields`: a code for each field that is not taken; `current`: the record as somebody else left it. */
  readonly data?: { readonly fields: Readonly<Record<string, string>> } | { readonly current: unknown };
}

const LINK_REFUSED = 'This link is no longer valid, or does not open this device. Ask for a new link.';

export const Refused = {
  badRequest: { status: 400, code: 'bad-request', message: 'The request is not as the call takes it.' },
  badText: { status: 400, code: 'bad-text', message: "The text contains characters that can't be stored." },
  notSignedIn: { status: 401, code: 'not-signed-in', message: 'You are not signed in.' },
  forbidden: { status: 403, code: 'forbidden', message: 'You do not have the permission for this.' },
  foreignOrigin: { status: 403, code: 'foreign-origin', message: 'The request comes from another site.' },
  link: { status: 403, code: 'link-refused', message: LINK_REFUSED },
  device: { status: 404, code: 'no-such-device', message: 'There is no such device among those you see.' },
  notFound: { status: 404, code: 'not-found', message: 'There is nothing at this address.' },
  wrongMethod: { status: 405, code: 'wrong-method', message: 'This address does not take this method.' },
  conflict: { status: 409, code: 'conflict', message: 'Somebody else has changed this meanwhile.' },
  fields: { status: 422, code: 'bad-fields', message: 'Some fields are not as they must be.' },
  internal: { status: 500, code: 'internal', message: 'The server failed. Its log says more.' },
} as const satisfies Record<string, Refusal>;

/** A code for each field that is not as it must be. */
export function refusedFields(fields: Readonly<Record<string, string>>): Refusal {
  return { ...Refused.fields, data: { fields } };
}

/** The field's password is one of those that are tried first. */
export function commonPassword(field: 'password' | 'newPassword'): Refusal {
  const message = 'This password is too easy to guess. Use another one.';
  return { status: 422, code: 'common-password', message, data: { fields: { [field]: 'common-password' } } };
}

/** With the record as somebody else left it. */
export function conflictWith(current: unknown): Refusal {
  return { ...Refused.conflict, data: { current } };
}

/** Sends a refusal. The body is written out here: what a route declares for success does not fit it. */
export function refuse(reply: FastifyReply, { status, code, message, data }: Refusal): FastifyReply {
  const body = JSON.stringify({ error: true, code, message, data });
  return reply.code(status).type('application/json; charset=utf-8').serializer(asItIs).send(body);
}

const asItIs = (payload: unknown): string => String(payload);

/** `onError` is told of each fault, of ours and of requests. */
export function installErrorHandler(
  app: FastifyInstance,
  onError: (error: FastifyError, request: FastifyRequest) => void,
): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    onError(error, request);
    const refusal = refusalOf(error);
    if (refusal.status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
    return refuse(reply, refusal);
  });
}

/** Faults of the request keep their status; everything else is ours and says nothing of itself outside. */
export function refusalOf(error: Pick<FastifyError, 'statusCode' | 'validation' | 'message'>): Refusal {
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return Refused.internal;
  // A validator's words name fields and kinds, never the values that were sent; other messages may quote an address.
  if (error.validation !== undefined) return { ...Refused.badRequest, message: error.message };
  return { ...Refused.badRequest, status };
}
