// Actions of members on events: all events of one request in one transaction, each with a step that stays.

import { sql } from 'kysely';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { statusAfter } from '../../../shared/protocol/events/eventActs.ts';
import {
  EVENT_STATUSES,
  type EventAct,
  type EventStatus,
  SEVERITIES,
  type Severity,
} from '../../../shared/protocol/events/eventWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { createAuditStore } from '../audit/audit.ts';
import type { AuditEntry } from '../audit/auditEntry.ts';
import { bigint } from '../engine/bigint.ts';
import type { StoreDb } from '../engine/database.ts';
import { lockingRows } from '../engine/lockingRows.ts';
import { type CanceledMessage, cancelAnswered } from '../notify/answeredMessages.ts';
import { isInScope } from './list/eventChecks.ts';
import type { EventScope } from './list/eventFilter.ts';
import { toEventRow, wideEvents } from './list/eventRows.ts';

export interface ActOnEvents {
  readonly act: EventAct;
  /** The versions that the caller last saw, at most EVENTS_AT_ONCE. */
  readonly events: readonly { readonly id: number; readonly version: number }[];
  readonly by: { readonly userId: number; readonly username: string };
  readonly note: string;
  /** The reason for closing. */
  readonly reason?: { readonly code: string; readonly isFalseAlarm: boolean } | undefined;
  /** The new assignee; undefined removes the assignment. */
  readonly assignee?: EventAssigned | undefined;
  readonly atMs: number;
}

interface EventAssigned {
  readonly userId: number;
  readonly username: string;
  /** Whether events of the gateway itself can be assigned too. */
  readonly seesGateway: boolean;
}

export interface ActedEvent {
  readonly id: number;
  readonly archiveNumber: number;
  readonly type: string;
  /** Edition of the terminal's protocol when the event began; '' where no terminal reported it. */
  readonly edition: string;
  readonly severity: Severity;
  readonly before: EventStatus;
  readonly after: EventStatus;
}

type ActFailure = 'gone' | 'conflict' | 'not-now';

interface RefusedEvent {
  readonly id: number;
  readonly failure: ActFailure;
  /** The user who acted first; '' where there is none. */
  readonly by: string;
  /** The present state of the event. */
  readonly event: EventRow | null;
}

export interface ActsDone {
  readonly acted: readonly ActedEvent[];
  /** The events as they are after the action. */
  readonly events: readonly EventRow[];
  readonly refused: readonly RefusedEvent[];
  /** Messages that were waiting for an answer. */
  readonly canceled: readonly CanceledMessage[];
}

export interface EventActStore {
  /** `auditOf` gives the audit entry, which is stored unless nothing was done: neither is ever in the database without the other. */
  act(acts: ActOnEvents, scope: EventScope, auditOf: (done: ActsDone) => AuditEntry): Promise<ActsDone>;
}

export function createEventActStore(db: StoreDb): EventActStore {
  return {
    act: (acts, scope, auditOf) =>
      db.transaction().execute(async (work) => {
        const done = await actOnAll(work, acts, scope);
        if (done.acted.length > 0) await createAuditStore(work, work).add(auditOf(done), wallMs(acts.atMs));
        return done;
      }),
  };
}

interface KnownEvent {
  readonly id: number;
  readonly beginAtMs: number;
  readonly archiveNumber: number;
  readonly type: string;
  readonly edition: string;
  readonly severity: Severity;
  readonly version: number;
  readonly status: EventStatus;
}

interface LockedChange extends ActedEvent {
  readonly beginAtMs: number;
}

/** Pure. Whether the action is possible, and the status of the event after it. */
function decideAct(
  event: Pick<KnownEvent, 'version' | 'status' | 'archiveNumber'> | undefined,
  version: number,
  { act, assignee, reason }: Pick<ActOnEvents, 'act' | 'assignee' | 'reason'>,
): EventStatus | { readonly failure: ActFailure } {
  if (event === undefined) return { failure: 'gone' };
  if (event.version !== version) return { failure: 'conflict' };
  if (event.archiveNumber === 0 && assignee?.seesGateway === false) return { failure: 'not-now' };
  const chosen = { act, assignee: assignee?.username, isFalseAlarm: reason?.isFalseAlarm };
  return statusAfter(event.status, chosen) ?? { failure: 'not-now' };
}

async function actOnAll(work: StoreDb, acts: ActOnEvents, scope: EventScope): Promise<ActsDone> {
  const known = await lockedEvents(work, acts, scope);
  const acted: LockedChange[] = [];
  const failures = new Map<number, ActFailure>();
  for (const [id, version] of new Map(acts.events.map((event) => [event.id, event.version]))) {
    const event = known.get(id);
    const decided = decideAct(event, version, acts);
    if (typeof decided === 'object') failures.set(id, decided.failure);
    else if (event !== undefined) acted.push({ ...event, before: event.status, after: decided });
  }
  await change(work, acts, acted);
  await addSteps(work, acts, acted);
  const canceled = await cancelAnswered(work, {
    events: idsOf(acted.filter(({ before, after }) => before === 'new' && after !== 'new')),
    atMs: acts.atMs,
    by: acts.by.username,
  });
  const rows = await rowsById(work, [...known.keys()], scope.memberGroup);
  const firsts = await lastUsers(work, [...failures.keys()]);
  return {
    acted,
    events: acted.flatMap(({ id }) => rows.get(id) ?? []),
    refused: [...failures].map(([id, failure]) => {
      const by = failure === 'conflict' ? (firsts.get(id) ?? '') : '';
      return { id, failure, by, event: rows.get(id) ?? null };
    }),
    canceled,
  };
}

/** The events that the caller sees. No other transaction can change them until this one ends. */
async function lockedEvents(
  work: StoreDb,
  { events }: ActOnEvents,
  scope: EventScope,
): Promise<ReadonlyMap<number, KnownEvent>> {
  const seen = work
    .selectFrom('event')
    .select(['id', 'begin_at_ms', 'version', 'status', 'severity', 'archive_number', 'type', 'edition'])
    .where('id', 'in', [...new Set(events.map(({ id }) => id))])
    .where(isInScope(scope))
    // The fixed order prevents two requests from waiting for each other.
    .orderBy('id');
  const rows = await lockingRows(work, seen).execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        beginAtMs: row.begin_at_ms,
        version: row.version,
        archiveNumber: row.archive_number,
        type: row.type,
        edition: row.edition,
        severity: SEVERITIES[row.severity] ?? 'info',
        status: EVENT_STATUSES[row.status] ?? 'new',
      },
    ]),
  );
}

/** Changes all events in the same way. */
async function change(work: StoreDb, acts: ActOnEvents, acted: readonly LockedChange[]): Promise<void> {
  const [first] = acted;
  if (first === undefined) return;
  const { act, atMs, assignee, reason } = acts;
  const begun = acted.map(({ beginAtMs }) => beginAtMs);
  // The times tell PostgreSQL which months to read.
  let update = work
    .updateTable('event')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', idsOf(acted))
    .where('begin_at_ms', '>=', Math.min(...begun))
    .where('begin_at_ms', '<=', Math.max(...begun));
  if (setsStatus(acts)) {
    // Whatever is done to a new event also acknowledges it.
    const acknowledged = sql<number>`case when acknowledged_at_ms = 0 then ${bigint(atMs)} else acknowledged_at_ms end`;
    update = update.set({ status: EVENT_STATUSES.indexOf(first.after), acknowledged_at_ms: acknowledged });
  }
  if (act === 'assign') update = update.set({ assignee: assignee?.userId ?? null });
  if (act === 'close') update = update.set({ closed_at_ms: atMs, reason: reason?.code ?? '' });
  if (act === 'reopen') update = update.set({ closed_at_ms: 0, reason: '' });
  await update.execute();
}

/** A note, and removing an assignment, leave the status unchanged. */
function setsStatus({ act, assignee }: ActOnEvents): boolean {
  return act !== 'note' && (act !== 'assign' || assignee !== undefined);
}

async function addSteps(work: StoreDb, acts: ActOnEvents, acted: readonly LockedChange[]): Promise<void> {
  if (acted.length === 0) return;
  const { act, by, note, reason, assignee, atMs } = acts;
  const steps = acted.map(({ id, before, after }) => ({
    event_id: id,
    at_ms: atMs,
    user_id: by.userId,
    user_name: by.username,
    act,
    from_status: EVENT_STATUSES.indexOf(before),
    to_status: EVENT_STATUSES.indexOf(after),
    assignee_name: assignee?.username ?? '',
    reason: reason?.code ?? '',
    note,
  }));
  await work.insertInto('event_step').values(steps).execute();
}

async function rowsById(
  work: StoreDb,
  ids: readonly number[],
  memberGroup: number,
): Promise<ReadonlyMap<number, EventRow>> {
  const rows = await wideEvents(work, ids).execute();
  return new Map(rows.map((row) => [row.id, toEventRow(row, memberGroup)]));
}

/** The user of the last step of each event. */
async function lastUsers(work: StoreDb, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const last = work
    .selectFrom('event_step')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('event_id', 'in', ids)
    .groupBy('event_id');
  const steps = work.selectFrom('event_step').select(['event_id', 'user_name']).where('id', 'in', last);
  return new Map((await steps.execute()).map((step) => [step.event_id, step.user_name]));
}

const idsOf = (events: readonly { readonly id: number }[]): number[] => events.map(({ id }) => id);
