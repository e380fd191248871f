import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../../server/store/notify/outbox/recordAttempt.ts';
import type { PlannedMessage, StoredMessage } from '../../../../server/store/notify/plannedMessage.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { storedEvent } from '../events/storedEvent.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { addMessage, addSender, PLANNED_AT_MS, plannedMessage } from './plannedMessage.ts';

const SENT = { outcome: 'sent', answer: '200 OK' } as const;
const RETRY = { outcome: 'retry', answer: '503' } as const;
const DAY_MS = 86_400_000;

describeOnBothEngines('the outbox', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let memberGroup: number;
  let sender: number;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db, undefined, database.reading);
    memberGroup = await stores.memberGroups.insert({ name: 'Night' });
    sender = await addSender(database.db);
  });
  afterEach(() => database.close());

  const addEvent = async (): Promise<number> => {
    const added = [storedEvent('speeding', PLANNED_AT_MS)];
    const [event = 0] = await stores.eventLog.write({ added, changed: [], days: [] });
    return event;
  };
  const add = (change: Partial<PlannedMessage> = {}, event = 1): Promise<number> =>
    addMessage(database.db, plannedMessage({ memberGroup, sender, ...change }), event);
  const take = async (): Promise<StoredMessage> => {
    const [message] = await stores.notifyQueue.due(sender, PLANNED_AT_MS, 1);
    if (message === undefined) throw new Error('nothing is due');
    return message;
  };
  const attemptOf = (message: StoredMessage, change: Partial<AttemptRecord> = {}): AttemptRecord => ({
    message,
    attempt: { atMs: PLANNED_AT_MS, tookMs: 20.4, ...SENT, concernsSender: true },
    next: { state: 'sent', dueAtMs: 0 },
    subject: 'Speeding',
    body: 'Bus 1 \u0000 speeds',
    ...change,
  });
  const failed = (message: StoredMessage, atMs = PLANNED_AT_MS): AttemptRecord =>
    attemptOf(message, {
      attempt: { atMs, tookMs: 0, ...RETRY, concernsSender: true },
      next: { state: 'waiting', dueAtMs: atMs + 5_000 },
    });
  const detail = async (id: number) => {
    const found = await stores.notifyMessages.detail(memberGroup, id);
    if (found === undefined) throw new Error(`no message ${id}`);
    return found;
  };
  const healthOf = () =>
    database.db.selectFrom('notify_sender').selectAll().where('id', '=', sender).executeTakeFirstOrThrow();

  it('gives what is due of a sender, the one that has waited longest first, as it was written', async () => {
    const late = await add({ dueAtMs: PLANNED_AT_MS - 1 });
    const later = await add({ userId: 7, address: 'ann@example.org', waitsQuiet: true });
    await add({ dueAtMs: PLANNED_AT_MS + 3_000 });
    const other = await addSender(database.db);
    await add({ sender: other });
    const due = await stores.notifyQueue.due(sender, PLANNED_AT_MS, 10);
    expect(due.map(({ id }) => id)).toEqual([late, later]);
    expect(due[1]).toMatchObject({ userId: 7, address: 'ann@example.org', waitsQuiet: true, attempts: 0, body: '' });
    expect(await stores.notifyQueue.nextDueMs(sender, PLANNED_AT_MS)).toBe(PLANNED_AT_MS + 3_000);
    expect(await stores.notifyQueue.nextDueMs(other, PLANNED_AT_MS)).toBeUndefined();
    expect(await stores.notifyQueue.sendersWaiting()).toEqual([sender, other]);
    expect(await stores.notifyQueue.waitingCount()).toBe(4);
  });

  it('gives each member group its turn, and of each the emergencies first and the digests last', async () => {
    const other = await stores.memberGroups.insert({ name: 'Day' });
    const digest = await add({ dueAtMs: PLANNED_AT_MS - 9, digestKey: 'rule 1' });
    const early = await add({ dueAtMs: PLANNED_AT_MS - 8, severity: 'minor' });
    const late = await add({ dueAtMs: PLANNED_AT_MS - 7, severity: 'minor' });
    const emergency = await add({ dueAtMs: PLANNED_AT_MS - 1, severity: 'critical' });
    const [first, second] = [
      await add({ memberGroup: other, severity: 'minor' }),
      await add({ memberGroup: other, severity: 'minor' }),
    ];
    const ids = async (limit: number) =>
      (await stores.notifyQueue.due(sender, PLANNED_AT_MS, limit)).map(({ id }) => id);
    expect(await ids(10)).toEqual([emergency, first, early, second, late, digest]);
    expect(await ids(2)).toEqual([emergency, first]);
  });

  it('tells how many are due, and since when', async () => {
    expect(await stores.notifyQueue.overdue(PLANNED_AT_MS)).toEqual({ count: 0, sinceMs: undefined });
    await add({ dueAtMs: PLANNED_AT_MS + 3_000 });
    await add({ dueAtMs: PLANNED_AT_MS - 7 });
    await add();
    expect(await stores.notifyQueue.overdue(PLANNED_AT_MS)).toEqual({ count: 2, sinceMs: PLANNED_AT_MS - 7 });
  });

  it('keeps an attempt, its text, what it led to, and how the sender fares', async () => {
    const id = await add();
    await stores.notifyQueue.record(failed(await take()));
    await stores.notifyQueue.record(
      failed(
        await stores.notifyQueue.due(sender, PLANNED_AT_MS + 5_000, 1).then(([m]) => m as StoredMessage),
        PLANNED_AT_MS + 60_000,
      ),
    );
    expect(await healthOf()).toMatchObject({
      failures: 2,
      failing_since_ms: PLANNED_AT_MS,
      last_failure_at_ms: PLANNED_AT_MS + 60_000,
      last_failure: '503',
    });
    expect(await stores.notifySenderHealth.failed()).toMatchObject([{ sender, failures: 2 }]);
    const [message] = await stores.notifyQueue.due(sender, PLANNED_AT_MS + DAY_MS, 1);
    expect(message).toMatchObject({ id, attempts: 2, subject: 'Speeding', body: 'Bus 1 \ufffd speeds' });
    await stores.notifyQueue.record(attemptOf(message as StoredMessage));
    expect(await healthOf()).toMatchObject({ failures: 0, failing_since_ms: 0, last_sent_at_ms: PLANNED_AT_MS + 20 });
    const { message: row, attempts } = await detail(id);
    expect(row).toMatchObject({ state: 'sent', attempts: 3, answer: '200 OK', finishedAtMs: PLANNED_AT_MS + 20 });
    expect(attempts.map(({ outcome, answer }) => [outcome, answer])).toEqual([
      ['retry', '503'],
      ['retry', '503'],
      ['sent', '200 OK'],
    ]);
  });

  it('keeps how the sender fares where the message was deleted with its member group while it was on its way', async () => {
    await add();
    const message = await take();
    await stores.memberGroups.remove(memberGroup);
    const repeat = plannedMessage({ memberGroup, sender });
    const kept = await stores.notifyQueue.record(attemptOf(message, { repeat }));
    expect(kept).toEqual({ isTaken: false, repeatId: undefined });
    expect(await healthOf()).toMatchObject({ last_sent_at_ms: PLANNED_AT_MS + 20 });
    expect(await database.db.selectFrom('notify_message').select('id').execute()).toEqual([]);
  });

  it('keeps an attempt during which the clock was set by years', async () => {
    const id = await add();
    const attempt = { atMs: 0, tookMs: PLANNED_AT_MS, ...SENT, concernsSender: true };
    await stores.notifyQueue.record(attemptOf(await take(), { attempt }));
    expect((await detail(id)).message).toMatchObject({ state: 'sent', finishedAtMs: PLANNED_AT_MS });
  });

  it('adds the repeat with the result, unless the event is answered', async () => {
    const event = await addEvent();
    const id = await add({}, event);
    const repeat = plannedMessage({ memberGroup, sender, dueAtMs: PLANNED_AT_MS + 300_000 });
    const { repeatId } = await stores.notifyQueue.record(attemptOf(await take(), { repeat }));
    expect(repeatId).toBeGreaterThan(id);
    await database.db.updateTable('event').set({ status: 1 }).execute();
    const [second] = await stores.notifyQueue.due(sender, PLANNED_AT_MS + 300_000, 1);
    const next = { ...repeat, key: randomUUID() };
    const answered = await stores.notifyQueue.record(attemptOf(second as StoredMessage, { repeat: next }));
    expect(answered).toEqual({ isTaken: true, repeatId: undefined });
  });

  it('adds no repeat of what was canceled by hand while it was on its way', async () => {
    const id = await add({}, await addEvent());
    const message = await take();
    const act = { memberGroup, ids: [id], atMs: PLANNED_AT_MS };
    await stores.notifyMessageActs.cancel(act, () => ({ actor: 'ann', action: 'notifymessage.cancel' }));
    const repeat = plannedMessage({ memberGroup, sender, dueAtMs: PLANNED_AT_MS + 300_000 });
    const kept = await stores.notifyQueue.record(attemptOf(message, { repeat }));
    expect(kept).toEqual({ isTaken: true, repeatId: undefined });
    expect(await stores.notifyQueue.waitingCount()).toBe(0);
  });

  it('a repeat of a digest tells of the same events', async () => {
    const [event, joined] = [await addEvent(), await addEvent()];
    const id = await add({ digestKey: 'a' }, event);
    const row = { message_id: id, event_id: joined, event_begin_at_ms: PLANNED_AT_MS };
    await database.db.insertInto('notify_digest_event').values(row).execute();
    await database.db.updateTable('notify_message').set({ events: 2 }).execute();
    const repeat = plannedMessage({ memberGroup, sender, digestKey: 'repeat', dueAtMs: PLANNED_AT_MS + 1 });
    await stores.notifyQueue.record(attemptOf(await take(), { repeat }));
    await database.db.updateTable('event').set({ status: 1 }).where('id', '=', event).execute();
    const [again] = await stores.notifyQueue.due(sender, PLANNED_AT_MS + 1, 1);
    expect(again?.events).toBe(2);
    expect(await stores.notifyQueue.stillDue(again as StoredMessage)).toBe('open');
    await database.db.updateTable('event').set({ status: 3 }).where('id', '=', joined).execute();
    expect(await stores.notifyQueue.stillDue(again as StoredMessage)).toBe('answered');
  });

  it('knows whether a message is still to be sent', async () => {
    const event = await addEvent();
    await add({}, event);
    const message = await take();
    expect(await stores.notifyQueue.stillDue(message)).toBe('open');
    await database.db.updateTable('event').set({ status: 1 }).execute();
    expect(await stores.notifyQueue.stillDue(message)).toBe('answered');
    await database.db.deleteFrom('event').execute();
    expect(await stores.notifyQueue.stillDue(message)).toBe('gone');
    await stores.notifyQueue.finish(message, { state: 'canceled', answer: 'event-gone', atMs: PLANNED_AT_MS });
    expect(await stores.notifyQueue.stillDue(message)).toBe('not-waiting');
    expect(await stores.notifyQueue.finish(message, { state: 'failed', answer: '', atMs: 0 })).toBe(false);
  });

  it('leaves alone what was decided otherwise meanwhile', async () => {
    const id = await add();
    const message = await take();
    const act = { memberGroup, ids: [id], atMs: PLANNED_AT_MS };
    const { cancel, resend } = stores.notifyMessageActs;
    await cancel(act, () => ({ actor: 'ann', action: 'notifymessage.cancel' }));
    expect(await stores.notifyQueue.record(failed(message))).toMatchObject({ isTaken: false });
    expect((await detail(id)).message).toMatchObject({ state: 'canceled', answer: 'by-hand' });
    // The other side took it all the same.
    expect(await stores.notifyQueue.record(attemptOf(message))).toMatchObject({ isTaken: true });
    await resend(act, randomUUID, () => ({ actor: 'ann', action: 'notifymessage.resend' }));
    expect(await stores.notifyQueue.record(attemptOf(message))).toMatchObject({ isTaken: false });
    const again = await take();
    expect(again).toMatchObject({ id, isByHand: true, attempts: 0, firstDueAtMs: PLANNED_AT_MS });
    expect(again.key).not.toBe(message.key);
    expect((await detail(id)).attempts).toHaveLength(3);
  });

  it('resends and cancels messages of the group alone, with one entry in the audit', async () => {
    const other = await stores.memberGroups.insert({ name: 'Day' });
    const [own, foreign] = [await add(), await add({ memberGroup: other })];
    const entries: number[] = [];
    const auditOf = (changed: readonly unknown[]) => {
      entries.push(changed.length);
      return { actor: 'ann', action: 'notifymessage.cancel' } as const;
    };
    const act = { memberGroup, ids: [own, foreign], atMs: PLANNED_AT_MS };
    expect(await stores.notifyMessageActs.resend(act, randomUUID, auditOf)).toEqual([]);
    expect(await stores.notifyMessageActs.cancel(act, auditOf)).toEqual([{ id: own, sender }]);
    expect(await stores.notifyMessageActs.cancel(act, auditOf)).toEqual([]);
    expect(entries).toEqual([1]);
    expect(await stores.audit.list({ limit: 10 })).toHaveLength(1);
  });

  it('ends what nobody can send any more, in parts', async () => {
    const old = [await add({ dueAtMs: PLANNED_AT_MS - 9 }), await add({ dueAtMs: PLANNED_AT_MS - 8 })];
    await add();
    const which = { firstDueBeforeMs: PLANNED_AT_MS, limit: 1 };
    const end = { state: 'failed', answer: 'too old', atMs: PLANNED_AT_MS } as const;
    expect(await stores.notifyQueue.finishOfSender(sender, which, end)).toEqual([old[0]]);
    expect(await stores.notifyQueue.finishOfSender(sender, which, end)).toEqual([old[1]]);
    expect(await stores.notifyQueue.finishOfSender(sender, which, end)).toEqual([]);
  });

  it('lists the log of a group, newest first, by each of its filters', async () => {
    const other = await stores.memberGroups.insert({ name: 'Day' });
    const ids: number[] = [];
    for (let at = 0; at < 5; at++) {
      const made = { createdAtMs: PLANNED_AT_MS + at, dueAtMs: PLANNED_AT_MS + at, deviceId: `BUS${at}` };
      ids.push(await add({ ...made, rule: at }, 100 + at));
    }
    await add({ memberGroup: other });
    const joined = { message_id: ids[1] ?? 0, event_id: 104, event_begin_at_ms: PLANNED_AT_MS };
    await database.db.insertInto('notify_digest_event').values(joined).execute();
    await stores.notifyQueue.record(attemptOf(await take()));
    const query = { sort: 'createdAtMs', descending: true, memberGroup, limit: 3 } as const;
    const start = { at: 'offset', offset: 0 } as const;
    const list = async (filter: object) => {
      const page = await stores.notifyMessages.page({ ...query, position: start, ...filter });
      return page?.rows.map(({ id }) => ids.indexOf(id));
    };
    const first = await stores.notifyMessages.page({ ...query, position: start });
    expect(first?.total).toBe(5);
    expect(first?.rows.map(({ id }) => ids.indexOf(id))).toEqual([4, 3, 2]);
    expect(await list({ position: { at: 'after', values: first?.next ?? [] } })).toEqual([1, 0]);
    expect(await list({ state: 'sent' })).toEqual([0]);
    expect(await list({ sender: 999 })).toEqual([]);
    expect(await list({ rule: 3 })).toEqual([3]);
    expect(await list({ deviceId: 'BUS2' })).toEqual([2]);
    expect(await list({ event: 104 })).toEqual([4, 1]);
    expect(await list({ fromMs: PLANNED_AT_MS + 1, toMs: PLANNED_AT_MS + 3 })).toEqual([2, 1]);
    expect(await stores.notifyMessages.detail(other, ids[0] ?? 0)).toBeUndefined();
    const [logged] = await stores.notifyMessages.rowsOf([ids[3] ?? 0]);
    expect(logged).toMatchObject({ memberGroup, message: { id: ids[3], deviceid: 'BUS3' } });
  });

  it('counts what waits, and what ended within the last 24 hours', async () => {
    await add({ dueAtMs: PLANNED_AT_MS - 1 });
    await add();
    await stores.notifyQueue.record(attemptOf(await take()));
    const none = { sent: 0, failed: 0, canceled: 0 };
    const { counts } = stores.notifyMessages;
    expect(await counts(memberGroup, PLANNED_AT_MS + 100)).toEqual({ ...none, waiting: 1, sent: 1 });
    expect(await counts(memberGroup, PLANNED_AT_MS + DAY_MS + 100)).toEqual({ ...none, waiting: 1 });
  });

  it('deletes old messages with their attempts, in parts, and never one that waits', async () => {
    const waiting = await add({ createdAtMs: 1 });
    for (let at = 0; at < 3; at++) {
      await add({ createdAtMs: 2 + at, dueAtMs: PLANNED_AT_MS - 10 });
      await stores.notifyQueue.record(attemptOf(await take()));
    }
    expect(await stores.notifyMessageRemoval.removeOlder(4, 1)).toBe(1);
    expect(await stores.notifyMessageRemoval.removeOlder(4, 10)).toBe(1);
    const left = await database.db.selectFrom('notify_message').select('id').orderBy('id').execute();
    expect(left).toHaveLength(2);
    expect(left[0]?.id).toBe(waiting);
    expect(await database.db.selectFrom('notify_attempt').selectAll().execute()).toHaveLength(1);
  });
});
