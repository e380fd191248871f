// The calls that add, change and remove a versioned record of a member group, declared once for each kind of record. Its list is declared beside it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { IdText, Nothing, type RecordOf, VersionText } from '../../../../shared/protocol/api/records.ts';
import type { Actor, ContentRefusal, RecordActs, RecordRefusal } from '../../../records/recordActs.ts';
import type { Outcome } from '../../../store/outcome.ts';
import type { PermissionsAccess } from '../access.ts';
import { answers } from '../answers.ts';
import { callerOf } from '../caller.ts';
import { scopeOf } from '../callerScope.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../envelope.ts';

export interface RecordRoutes<Content extends Type.TSchema, Row extends Type.TSchema, Stored, Own extends string> {
  readonly path: string;
  /** For the API's document, with its article: `a data plan`. */
  readonly noun: string;
  readonly access: PermissionsAccess;
  readonly content: Content;
  /** The content with the version that is changed. */
  readonly changed: Type.TSchema;
  readonly row: Row;
  readonly acts: RecordActs<RecordOf<Content>, Stored, Own>;
  /** The record as callers see it. */
  readonly show: (stored: Stored) => RecordOf<Row> | Promise<RecordOf<Row>>;
  readonly refusals: Refusals<Own>;
}

/** How calls answer refusals that differ between kinds of records. */
type Refusals<Own extends string> = Readonly<Record<Own | 'gone' | 'tooMany', Refusal>>;

const params = Type.Object({ id: IdText });
const querystring = Type.Object({ version: VersionText }, { additionalProperties: false });

/** `POST path`, `PUT path/:id` and `DELETE path/:id`. */
export function recordRoutes<
  Content extends Type.TSchema,
  Row extends Type.TSchema,
  Stored,
  Own extends string = never,
>(
  app: FastifyInstance,
  { path, noun, access, content, changed, row, acts, show, refusals }: RecordRoutes<Content, Row, Stored, Own>,
): void {
  const answer = async (
    reply: FastifyReply,
    acted: Promise<Outcome<Stored, RecordRefusal<Stored, Own>>>,
    shown: (value: Stored) => unknown,
  ) => {
    const done = await acted;
    if (done.ok) return ok(await shown(done.value));
    const { reason } = done;
    const refused = reason.kind === 'conflict' ? { ...reason, current: await show(reason.current) } : reason;
    return refuse(reply, recordRefusal(refused, refusals));
  };
  const adding = { summary: `Adds ${noun}`, body: content, response: answers(row) };
  app.post(path, { schema: adding, config: { access, addsToGroup: true } }, (request, reply) =>
    answer(reply, acts.add(actorOf(request), request.body as RecordOf<Content>), show),
  );
  const changing = { summary: `Changes ${noun}`, params, body: changed, response: answers(row) };
  app.put(`${path}/:id`, { schema: changing, config: { access } }, (request, reply) => {
    const { version, ...given } = request.body as RecordOf<Content> & { readonly version: number };
    // The schema has bounded the content and the version.
    const wanted = given as unknown as RecordOf<Content>;
    return answer(reply, acts.change(actorOf(request), { id: idOf(request), version }, wanted), show);
  });
  const removing = { summary: `Deletes ${noun}`, params, querystring, response: answers(Nothing) };
  app.delete(`${path}/:id`, { schema: removing, config: { access } }, (request, reply) => {
    const version = Number((request.query as { readonly version: string }).version);
    return answer(reply, acts.remove(actorOf(request), { id: idOf(request), version }), () => ({}));
  });
}

/** The member who asks, as use cases know them. */
export function actorOf(request: FastifyRequest): Actor {
  const caller = callerOf(request);
  const { id: userId, username, permissions } = caller.user;
  return { userId, username, permissions, address: request.ip, memberGroup: scopeOf(caller).memberGroup };
}

function idOf(request: FastifyRequest): number {
  return Number((request.params as { readonly id: string }).id);
}

/** The current record of a conflict is the one that callers see. */
export function recordRefusal<Own extends string = never>(
  refused: RecordRefusal<unknown, Own>,
  refusals: Refusals<Own>,
): Refusal {
  switch (refused.kind) {
    case 'fields':
    case 'own':
      return contentRefusal(refused, refusals);
    case 'gone':
      return refusals.gone;
    case 'conflict':
      return conflictWith(refused.current);
    case 'taken':
      return { ...refusedFields({ [refused.field]: 'taken' }), status: 409 };
    case 'too-many':
      return refusals.tooMany;
  }
}

/** `own`: answers by the codes that a kind of record has beside those of fields. */
export function contentRefusal<Own extends string>(
  refused: ContentRefusal<Own>,
  own: Readonly<Record<Own, Refusal>>,
): Refusal {
  return refused.kind === 'fields' ? refusedFields(refused.fields) : own[refused.code];
}
