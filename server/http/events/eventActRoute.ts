// What members do to events: one or many at once, each by its version.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { EVENT_ACT_PATH, EventActAnswer, EventActRequest } from '../../../shared/protocol/api/events.ts';
import type { AuditEntry } from '../../store/audit/auditEntry.ts';
import type { ActOnEvents, ActsDone } from '../../store/events/eventActs.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { auditEntryOf } from '../kernel/recordAudit.ts';
import { EVENT_ACCESS, type EventWorkDeps, eventScopeOf } from './eventWorkDeps.ts';

const config = { access: EVENT_ACCESS, changes: [] } as const;
/** Maximum events named in the audit entry's target: more are only counted in the entry. */
const NAMED_EVENTS = 20;

/** `POST /api/event/act`. */
export function registerEventActs(app: FastifyInstance, deps: EventWorkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Does something to events', body: EventActRequest, response: answers(EventActAnswer) };
  routes.post(EVENT_ACT_PATH, { schema, config }, async (request, reply) => {
    const prepared = await prepareActs(request, request.body, deps);
    if ('fields' in prepared) return refuse(reply, refusedFields(prepared.fields));
    const scope = eventScopeOf(scopeOf(callerOf(request)));
    const done = await deps.stores.eventActs.act(prepared, scope, (acts) => auditOfActs(request, prepared, acts));
    if (done.acted.length > 0) deps.bus.eventsActed.tell(done.acted);
    if (done.canceled.length > 0) deps.bus.messagesChanged.tell({ kind: 'changed', messages: done.canceled });
    return ok({ events: done.events, refused: done.refused });
  });
}

interface Faults {
  readonly fields: Readonly<Record<string, string>>;
}

async function prepareActs(
  request: FastifyRequest,
  { act, events, note = '', reason, assignee }: EventActRequest,
  deps: EventWorkDeps,
): Promise<ActOnEvents | Faults> {
  const { user } = callerOf(request);
  const acts = { act, events, note: note.trim(), by: { userId: user.id, username: user.username }, atMs: deps.now() };
  switch (act) {
    case 'acknowledge':
      return acts;
    case 'note':
    // Whoever reopens an event has to give a reason.
    case 'reopen':
      return acts.note === '' ? { fields: { note: 'required' } } : acts;
    case 'close':
      return withReason(acts, reason, deps);
    case 'assign':
      return withAssignee(acts, assignee, { request, deps });
  }
}

async function withReason(acts: ActOnEvents, code: string | undefined, { stores }: EventWorkDeps) {
  if (code === undefined) return { fields: { reason: 'required' } };
  const reason = (await stores.eventReasons.all()).find((each) => each.code === code && each.enabled);
  if (reason === undefined) return { fields: { reason: 'unknown' } };
  return { ...acts, reason: { code, isFalseAlarm: reason.isFalseAlarm } };
}

/** The assignee must be a member who sees the events, too: those of the gateway itself are for administrators. */
async function withAssignee(
  acts: ActOnEvents,
  username: string | undefined,
  { request, deps }: { readonly request: FastifyRequest; readonly deps: EventWorkDeps },
) {
  if (username === undefined) return { fields: { assignee: 'required' } };
  if (username === '') return acts;
  const { memberGroup, userId } = scopeOf(callerOf(request));
  const query = { memberGroup, self: userId, atMs: acts.atMs };
  const found = await deps.stores.eventAssignees.find(query, username);
  if (found === undefined) return { fields: { assignee: 'unknown' } };
  return { ...acts, assignee: { userId: found.userId, username: found.username, seesGateway: found.seesGateway } };
}

/** One audit entry for all events: who did what, and why. */
function auditOfActs(request: FastifyRequest, acts: ActOnEvents, { acted, events }: ActsDone): AuditEntry {
  const { act, note, reason, assignee } = acts;
  const devices = [...new Set(events.map(({ deviceid }) => deviceid))];
  return auditEntryOf(request, {
    action: `event.${act}`,
    target: devices.length === 1 ? (devices[0] ?? '') : '',
    detail: {
      events: acted
        .slice(0, NAMED_EVENTS)
        .map(({ id }) => id)
        .join(', '),
      count: acted.length,
      ...(reason === undefined ? {} : { reason: reason.code }),
      ...(act === 'assign' ? { assignee: assignee?.username ?? '' } : {}),
      ...(note === '' ? {} : { note }),
    },
  });
}
