// What carries notifications: senders of the installation, and the browsers that members have allowed.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
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
import { senderContext } from '../../../notify/senders/secretBox.ts';
import type { StoredSender } from '../../../store/notify/notifySenders.ts';
import { answers } from '../../kernel/answers.ts';
import { conflictWith, ok, refuse, refusedFields } from '../../kernel/envelope.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { registerChanging } from '../../kernel/recordChanges.ts';
import { type OwnPushDeps, registerOwnPush } from './ownPushRoutes.ts';
import { faultsOfSender, tidySender } from './senderChecks.ts';
import {
  MAY_EDIT_SENDERS as config,
  NO_SENDER,
  SENDER_IN_USE,
  type SenderRoutesDeps,
  TOO_MANY_SENDERS,
} from './senderDeps.ts';
import { auditFieldsOf, SENDER_CSV_COLUMNS, type SecretState, senderCells, showSender } from './senderShape.ts';
import { registerSenderTest } from './testRoute.ts';

export async function registerSenderRoutes(app: FastifyInstance, deps: SenderRoutesDeps & OwnPushDeps): Promise<void> {
  registerList(app, deps);
  await registerChanging(app, ['sender'], async (routes) => {
    registerAdding(routes, deps);
    registerChange(routes, deps);
    registerRemoval(routes, deps);
  });
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

function registerAdding(app: FastifyInstance, { stores, secretBox }: SenderRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a sender', body: SenderContent, response: answers(Sender) };
  routes.post(SENDERS_PATH, { schema, config }, async (request, reply) => {
    const content = tidySender(request.body);
    const faults = faultsOfSender(content, undefined);
    if (Object.keys(faults).length > 0) return refuse(reply, refusedFields(faults));
    const { secret = '', ...fields } = content;
    const seal = secret === '' ? undefined : (id: number) => secretBox.seal(secret, senderContext(id));
    const added = await stores.notifySenders.insert(fields, seal);
    if (!added.ok) return refuse(reply, TOO_MANY_SENDERS);
    const after = auditFieldsOf(fields, secret === '' ? 'none' : 'set');
    await recordAudit(request, { action: 'sender.add', target: fields.name, after });
    return ok(showSender(added.value));
  });
}

function registerChange(app: FastifyInstance, { stores, secretBox }: SenderRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { notifySenders } = stores;
  const schema = { summary: 'Changes a sender', params, body: ChangedSender, response: answers(Sender) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const id = Number(request.params.id);
    const { version, ...body } = request.body;
    const known = await notifySenders.find(id);
    if (known === undefined) return refuse(reply, NO_SENDER);
    if (known.version !== version) return refuse(reply, conflictWith(showSender(known)));
    const content = tidySender(body);
    const faults = faultsOfSender(content, known);
    if (Object.keys(faults).length > 0) return refuse(reply, refusedFields(faults));
    const { secret, ...fields } = content;
    const sealed = secret === undefined || secret === '' ? secret : secretBox.seal(secret, senderContext(id));
    const done = await notifySenders.update({ id, version }, fields, sealed);
    if (!done.ok) return refuseChange(reply, done.reason, { id, deps: { stores } });
    await recordAudit(request, {
      action: 'sender.change',
      target: fields.name,
      before: auditFieldsOf(done.value, secretStateOf(done.value)),
      after: auditFieldsOf(fields, changedSecret(secret, done.value)),
    });
    const changed = await notifySenders.find(id);
    return changed === undefined ? refuse(reply, NO_SENDER) : ok(showSender(changed));
  });
}

function registerRemoval(app: FastifyInstance, { stores }: SenderRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Removes a sender that no rule uses',
    params,
    querystring: Type.Object({ version: VersionText }, closed),
    response: answers(Nothing),
  };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const id = Number(request.params.id);
    const done = await stores.notifySenders.remove({ id, version: Number(request.query.version) });
    if (!done.ok) return refuseChange(reply, done.reason, { id, deps: { stores } });
    const before = auditFieldsOf(done.value, secretStateOf(done.value));
    await recordAudit(request, { action: 'sender.remove', target: done.value.name, before });
    return ok({});
  });
}

function secretStateOf({ sealedSecret }: StoredSender): SecretState {
  return sealedSecret === '' ? 'none' : 'set';
}

function changedSecret(secret: string | undefined, known: StoredSender): SecretState {
  if (secret === undefined) return secretStateOf(known);
  return secret === '' ? 'none' : 'changed';
}

interface Changing {
  readonly id: number;
  readonly deps: Pick<SenderRoutesDeps, 'stores'>;
}

async function refuseChange(
  reply: FastifyReply,
  reason: 'gone' | 'conflict' | 'used',
  { id, deps }: Changing,
): Promise<FastifyReply> {
  switch (reason) {
    case 'gone':
      return refuse(reply, NO_SENDER);
    case 'used':
      return refuse(reply, SENDER_IN_USE);
    case 'conflict': {
      const current = await deps.stores.notifySenders.find(id);
      return refuse(reply, current === undefined ? NO_SENDER : conflictWith(showSender(current)));
    }
  }
}
