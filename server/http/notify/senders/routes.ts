// What carries notifications: senders of the installation, and the browsers that members have allowed.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  ChangedSender,
  SENDER_SORTS,
  SENDERS_PATH,
  Sender,
  SenderContent,
  SenderFilters,
} from '../../../../shared/protocol/api/notify/senders.ts';
import { closed, IdText, Nothing, VersionText } from '../../../../shared/protocol/api/records.ts';
import { createSenderActs, type SenderActs } from '../../../notify/acts/senders.ts';
import { answers } from '../../kernel/answers.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { actorOf } from '../../kernel/records/recordRoutes.ts';
import { type OwnPushDeps, registerOwnPush } from './ownPushRoutes.ts';
import { MAY_EDIT_SENDERS as config, refusalOfSender, type SenderRoutesDeps } from './senderDeps.ts';
import { SENDER_CSV_COLUMNS, senderCells, showSender } from './senderShape.ts';
import { registerSenderTest } from './testRoute.ts';

export async function registerSenderRoutes(app: FastifyInstance, deps: SenderRoutesDeps & OwnPushDeps): Promise<void> {
  const { stores, secretBox, bus, now } = deps;
  registerList(app, deps);
  registerChanges(app, createSenderActs({ store: stores.notifySenders, audit: stores.audit, secretBox, bus, now }));
  registerSenderTest(app, deps);
  registerOwnPush(app, deps);
}

const path = `${SENDERS_PATH}/:id`;
const params = Type.Object({ id: IdText }, closed);

function registerList(app: FastifyInstance, { stores }: SenderRoutesDeps): void {
  listRoutes(app, {
    path: SENDERS_PATH,
    summary: 'Senders',
    access: config.access,
    row: Sender,
    sorts: SENDER_SORTS,
    order: { sort: 'name', descending: false },
    filters: SenderFilters,
    scope: () => undefined,
    load: async (query) => {
      const page = await stores.notifySenders.page(query);
      return page && { ...page, rows: page.rows.map(showSender) };
    },
    csv: { fileName: 'senders.csv', columns: SENDER_CSV_COLUMNS, cells: () => senderCells },
  });
}

function registerChanges(app: FastifyInstance, acts: SenderActs): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const adding = { summary: 'Adds a sender', body: SenderContent, response: answers(Sender) };
  routes.post(SENDERS_PATH, { schema: adding, config }, async (request, reply) => {
    const done = await acts.add(actorOf(request), request.body);
    return done.ok ? ok(showSender(done.value)) : refuse(reply, refusalOfSender(done.reason));
  });

  const changing = { summary: 'Changes a sender', params, body: ChangedSender, response: answers(Sender) };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const done = await acts.change(actorOf(request), { id: Number(request.params.id), version }, content);
    return done.ok ? ok(showSender(done.value)) : refuse(reply, refusalOfSender(done.reason));
  });

  const removing = {
    summary: 'Removes a sender that no rule uses',
    params,
    querystring: Type.Object({ version: VersionText }, closed),
    response: answers(Nothing),
  };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { id: Number(request.params.id), version: Number(request.query.version) };
    const done = await acts.remove(actorOf(request), named);
    return done.ok ? ok({}) : refuse(reply, refusalOfSender(done.reason));
  });
}
