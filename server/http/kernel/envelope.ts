// The JSON shape of every API answer, and the handling of errors.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

const ErrorEnvelope = Type.Object({
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
  readonly data?: RefusedFields | { readonly current: unknown };
}

interface RefusedFields {
  readonly fields: Readonly<Record<string, string>>;
  /** Places in a field of several lines. */
  readonly places?: Readonly<Record<string, TextPlace>>;
}

/** Lines and columns count from 1. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
  /** What stands there. */
  readonly name: string;
}

const LINK_REFUSED = "This link isn't valid or has expired. Ask for a new one.";

export const Refused = {
  badRequest: {
    status: 400,
    code: 'bad-request',
    message: "The server couldn't process the request. Reload the page and try again.",
  },
  badText: {
    status: 400,
    code: 'bad-text',
    message: "The text contains characters that can't be stored. Remove them and try again.",
  },
  notSignedIn: {
    status: 401,
    code: 'not-signed-in',
    message: "You aren't signed in, or your session has ended. Sign in again.",
  },
  forbidden: {
    status: 403,
    code: 'forbidden',
    message: "You don't have permission to do this. Ask your administrator for it.",
  },
  foreignOrigin: {
    status: 403,
    code: 'foreign-origin',
    message: 'A request from another website was blocked. Open this page directly.',
  },
  link: { status: 403, code: 'link-refused', message: LINK_REFUSED },
  device: { status: 404, code: 'no-such-device', message: "Device not found, or you don't have access to it." },
  notFound: { status: 404, code: 'not-found', message: "Not found, or you don't have access to it." },
  wrongMethod: { status: 405, code: 'wrong-method', message: "This address doesn't support this kind of request." },
  noMemberGroup: { status: 409, code: 'no-member-group', message: 'You need to be in a member group first.' },
  conflict: { status: 409, code: 'conflict', message: 'Another user has changed this. Reload to see the changes.' },
  fields: { status: 422, code: 'bad-fields', message: 'Check the marked fields.' },
  internal: {
    status: 500,
    code: 'internal',
    message: 'Something went wrong on the server. Try again, or tell your administrator.',
  },
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

/** The refusal with the record as another user left it. */
export function conflictWith(current: unknown): Refusal {
  return { ...Refused.conflict, data: { current } };
}

/** Sends a refusal. The body is written out here: what a route declares for success does not fit it. */
export function refuse(reply: FastifyReply, { status, code, message, data }: Refusal): FastifyReply {
  const body = JSON.stringify({ error: true, code, message, data });
  return reply.code(status).type('application/json; charset=utf-8').serializer(asItIs).send(body);
}

const asItIs = (payload: unknown): string => String(payload);

/** `onError` is called with each fault, the gateway's own and those of requests. */
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
