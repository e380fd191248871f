import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AUDIT_SORTS, type AuditRow } from '../../../shared/protocol/api/audit.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import type { AuditRecord } from '../../store/audit/auditEntry.ts';
import type { AuditQuery } from '../../store/audit/auditList.ts';
import { allRows, csvTimestamp } from '../kernel/allRows.ts';
import { callerOf } from '../kernel/caller.ts';
import { sendCsv } from '../kernel/csv.ts';
import { EnvelopeOf, ErrorAnswers, ok } from '../kernel/envelope.ts';
import { listQueryFields, pageOf } from '../kernel/listQuery.ts';
import type { Caller } from '../kernel/recognise.ts';

export interface AuditDeps {
  readonly audit: Pick<AuditStore, 'count' | 'page'>;
}

const Moment = Type.Optional(Type.String({ pattern: '^\\d{1,15}$' }));

const ListQuery = Type.Object(
  {
    ...listQueryFields(AUDIT_SORTS),
    actor: Type.Optional(Type.String({ maxLength: 256 })),
    action: Type.Optional(Type.String({ pattern: '^[a-z]{1,40}(\\.[a-z-]{1,40})?$' })),
    from: Moment,
    to: Moment,
  },
  { additionalProperties: false },
);

const Fields = Type.Record(Type.String(), Type.Unknown());
const Row = Type.Object({
  id: Type.Integer(),
  atMs: Type.Integer(),
  actor: Type.String(),
  action: Type.String(),
  target: Type.String(),
  address: Type.String(),
  detail: Fields,
  before: Type.Union([Fields, Type.Null()]),
  after: Type.Union([Fields, Type.Null()]),
});

const config = { access: { kind: 'permissions', all: [Permission.Audit] } } as const;
/** No group has this number. */
const NO_GROUP = 0;

/** `GET /api/audit/entries` and the same as CSV. */
export async function registerAudit(app: FastifyInstance, { audit }: AuditDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const Rows = Type.Object({ total: Type.Integer(), rows: Type.Array(Row) });

  routes.get(
    '/api/audit/entries',
    {
      schema: {
        summary: 'Who did what to what, when, from where',
        querystring: ListQuery,
        response: { 200: EnvelopeOf(Rows), ...ErrorAnswers },
      },
      config,
    },
    async (request) => {
      const query = queryOf(callerOf(request), request.query);
      const [total, records] = await Promise.all([audit.count(query), audit.page(query, pageOf(request.query))]);
      return ok({ total, rows: records.map(toRow) });
    },
  );

  routes.get(
    '/api/audit/entries/csv',
    { schema: { summary: 'The audit as CSV', querystring: ListQuery, response: ErrorAnswers }, config },
    async (request, reply) => {
      const query = queryOf(callerOf(request), request.query);
      const [newest] = await audit.page({ ...query, sort: 'at', descending: true }, { offset: 0, limit: 1 });
      // What is added while the file is on its way would shift its rows.
      const fixed = { ...query, upToId: newest?.id ?? 0 };
      return sendCsv(
        reply,
        'audit.csv',
        csvOf((page) => audit.page(fixed, page)),
      );
    },
  );
}

/** Without `system` a reader sees what people did who have nothing to do with groups that are not the reader's own. */
function queryOf({ user, session, groups }: Caller, given: Static<typeof ListQuery>): AuditQuery {
  const { search = '', actor, action, from, to, sort = 'at', descending } = given;
  const readersGroups = groups.map(({ serialno }) => serialno);
  return {
    search,
    actor,
    action,
    sort,
    fromMs: from === undefined ? undefined : wallMs(Number(from)),
    toMs: to === undefined ? undefined : wallMs(Number(to)),
    // Without a wish the newest come first.
    descending: given.sort === undefined ? true : descending === '1',
    byMembersOf: user.permissions.includes(Permission.System)
      ? undefined
      : { group: session.memberGroup ?? NO_GROUP, readersGroups },
  };
}

function toRow({ before, after, ...record }: AuditRecord): AuditRow {
  return { ...record, before: before ?? null, after: after ?? null };
}

const CSV_HEAD = ['id', 'time', 'who', 'what', 'to what', 'from where', 'detail', 'before', 'after'] as const;

async function* csvOf(
  load: Parameters<typeof allRows<AuditRecord>>[0],
): AsyncGenerator<readonly (readonly string[])[]> {
  yield [CSV_HEAD];
  yield* allRows(load, (record) => [
    String(record.id),
    csvTimestamp(record.atMs),
    record.actor,
    record.action,
    record.target,
    record.address,
    ...[record.detail, record.before, record.after].map((fields) =>
      fields === undefined || Object.keys(fields).length === 0 ? '' : JSON.stringify(fields),
    ),
  ]);
}
