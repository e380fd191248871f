import { describe, expect, it } from 'vitest';
import { CLOSE_GRACE_MS, Deliverer } from '../../../../server/notify/delivery/deliverer.ts';
import type { SendOptions, SendResult } from '../../../../server/notify/outgoing.ts';
import { turnUntil, waitFor } from '../../../support/waitFor.ts';
import { openDeliveryScene, type Sent } from './deliveryScene.ts';

const NEVER = new Promise<SendResult>(() => undefined);
const FAILED: SendResult = { outcome: 'retry', answer: '503 Service Unavailable' };
const DAY_MS = 24 * 60 * 60_000;

describe('Deliverer', () => {
  it('sends what waits at its start and what is added later, and keeps what the other side said', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const before = await scene.add({ sender });
    await scene.deliverer.start();
    const { message, body, attempts } = await scene.reaches(before.id, 'sent', 1);
    expect(attempts).toMatchObject([{ outcome: 'sent', answer: '200 OK', atMs: scene.now() }]);
    expect(message).toMatchObject({ attempts: 1, answer: '200 OK', subject: 'Speeding', finishedAtMs: scene.now() });
    expect(body).toBe('Made at 0');
    const later = await scene.add({ sender });
    scene.deliverer.wake([sender]);
    await scene.reaches(later.id, 'sent');
    expect(scene.sent.map(({ message: { key } }) => key)).toHaveLength(2);
    expect(scene.changed).toEqual([before.id, later.id]);
    expect(scene.figures.count('webhook', 'sent')).toBe(2);
  });

  it('waits for the time of a message', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const dueAtMs = scene.now() + 90_000;
    const { id } = await scene.add({ sender, dueAtMs });
    await scene.deliverer.start();
    await turnUntil('its time', () => {
      scene.timers.advance(10_000);
      return scene.sent.length > 0;
    });
    expect(scene.sent[0]?.atMs).toBeGreaterThanOrEqual(dueAtMs);
    await scene.reaches(id, 'sent');
  });

  it('one slow sender does not hold up another', async () => {
    const scene = await openDeliveryScene();
    const [slow, quick] = [await scene.addSender(), await scene.addSender()];
    scene.answers.of = ({ sender }) => (sender === slow ? NEVER : Promise.resolve({ outcome: 'sent', answer: '' }));
    for (let at = 0; at < 10; at++) await scene.add({ sender: slow });
    const { id } = await scene.add({ sender: quick });
    await scene.deliverer.start();
    await scene.reaches(id, 'sent');
    expect(scene.sent.filter(({ sender }) => sender === slow).length).toBeLessThanOrEqual(4);
  });

  it('tries again after a failure, with the same key and the same text, and tells when a sender keeps failing', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = async () => FAILED;
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    const first = await scene.reaches(id, 'waiting', 1);
    expect(first.message).toMatchObject({ dueAtMs: scene.now() + 5_000, answer: FAILED.answer });
    await turnUntil('it keeps failing', () => {
      scene.timers.advance(5_000);
      return scene.failing.length > 0;
    });
    expect(scene.failing).toEqual([`${sender} true`]);
    scene.answers.of = async () => ({ outcome: 'sent', answer: '' });
    await turnUntil('it is sent', async () => {
      scene.timers.advance(60_000);
      return (await scene.detail(id)).message.state === 'sent';
    });
    expect(scene.failing).toEqual([`${sender} true`, `${sender} false`]);
    expect(scene.sent.length).toBeGreaterThanOrEqual(6);
    expect(new Set(scene.sent.map(({ message: { key } }) => key)).size).toBe(1);
    expect(new Set(scene.sent.map(({ message: { body } }) => body))).toEqual(new Set(['Made at 0']));
  });

  it('gives up a day after the first attempt was due', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = async () => FAILED;
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    await turnUntil('it is given up', async () => {
      scene.timers.advance(30 * 60_000);
      return (await scene.detail(id)).message.state === 'failed';
    });
    const { message, attempts } = await scene.detail(id);
    expect(message.finishedAtMs - message.createdAtMs).toBeGreaterThanOrEqual(DAY_MS);
    expect(attempts.length).toBe(message.attempts);
    expect(scene.figures.count('webhook', 'failed')).toBe(1);
  });

  it('gives up at once what the other side refuses, and what nobody could send for more than a day', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = async () => ({ outcome: 'refused', answer: '410 Gone' });
    const refused = await scene.add({ sender });
    const old = await scene.add({ sender, dueAtMs: scene.now() - 2 * DAY_MS });
    await scene.deliverer.start();
    await scene.reaches(refused.id, 'failed', 1);
    await scene.reaches(old.id, 'failed');
    expect(scene.sent).toHaveLength(1);
  });

  it('counts a transport that never ends as a failure after its time', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = () => NEVER;
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    await waitFor('it is sent', () => scene.sent.length > 0);
    scene.timers.advance(33_000);
    const { attempts } = await scene.reaches(id, 'waiting', 1);
    expect(attempts[0]?.answer).toBe('No answer within 30 s');
  });

  it('cancels what was answered before its time, but sends it where a member asks for it', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const { id, event } = await scene.add({ sender, dueAtMs: scene.now() + 5_000 });
    await scene.deliverer.start();
    await scene.answer(event);
    const { message } = await scene.reachesAfter(5_000, id, 'canceled');
    expect(message.answer).toBe('answered');
    expect(scene.sent).toEqual([]);
    const act = { memberGroup: scene.memberGroup, ids: [id], atMs: scene.now() };
    const audit = { actor: 'ann', action: 'notifymessage.resend' } as const;
    await scene.stores.notifyMessageActs.resend(act, scene.deps.newKey, () => audit);
    scene.deliverer.wake([sender]);
    await scene.reaches(id, 'sent');
  });

  it('a message that is sent again by hand has another key and a new text', async () => {
    const worded: string[] = [];
    const scene = await openDeliveryScene();
    const { compose } = scene.deps;
    const deliverer = new Deliverer({
      ...scene.deps,
      compose: async (message, destination) => {
        worded.push(message.body);
        return compose(message, destination);
      },
    });
    const sender = await scene.addSender();
    const { id } = await scene.add({ sender });
    await deliverer.start();
    await scene.reaches(id, 'sent');
    scene.timers.advance(1_000);
    const act = { memberGroup: scene.memberGroup, ids: [id], atMs: scene.now() };
    const audit = { actor: 'ann', action: 'notifymessage.resend' } as const;
    await scene.stores.notifyMessageActs.resend(act, scene.deps.newKey, () => audit);
    deliverer.wake([sender]);
    const { body, message, attempts } = await scene.reaches(id, 'sent', 2);
    expect([body, message.attempts, attempts.length]).toEqual(['Made at 1000', 1, 2]);
    expect(scene.sent[1]?.message.key).not.toBe(scene.sent[0]?.message.key);
    expect(worded).toEqual(['', '']);
    await deliverer.close();
  });

  it('a message canceled while it waits for another attempt is not sent', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = async () => FAILED;
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    await scene.reaches(id, 'waiting', 1);
    const act = { memberGroup: scene.memberGroup, ids: [id], atMs: scene.now() };
    await scene.stores.notifyMessageActs.cancel(act, () => ({ actor: 'ann', action: 'notifymessage.cancel' }));
    const other = await scene.add({ sender, dueAtMs: scene.now() + 60_000 });
    await turnUntil('the other is tried', () => {
      scene.timers.advance(10_000);
      return scene.sent.length > 1;
    });
    expect((await scene.reaches(other.id, 'waiting', 1)).attempts).toHaveLength(1);
    expect((await scene.detail(id)).message).toMatchObject({ state: 'canceled', answer: 'by-hand' });
  });

  it('what the other side took while somebody canceled it counts as sent', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    let take: (result: SendResult) => void = () => undefined;
    scene.answers.of = () => new Promise((resolve) => (take = resolve));
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    await waitFor('it is on its way', () => scene.sent.length > 0);
    const act = { memberGroup: scene.memberGroup, ids: [id], atMs: scene.now() };
    await scene.stores.notifyMessageActs.cancel(act, () => ({ actor: 'ann', action: 'notifymessage.cancel' }));
    take({ outcome: 'sent', answer: '202 Accepted' });
    expect((await scene.reaches(id, 'sent', 1)).message.answer).toBe('202 Accepted');
  });

  it('closes while a message is under way, which is sent under the same key after the start', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const aborted = ({ message: { key } }: Sent, { signal }: SendOptions): Promise<SendResult> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ outcome: 'retry', answer: `broken off ${key}` }));
      });
    scene.answers.of = aborted;
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    await waitFor('it is on its way', () => scene.sent.length > 0);
    await scene.deliverer.close();
    expect((await scene.detail(id)).message).toMatchObject({ state: 'waiting', attempts: 0 });
    scene.answers.of = async () => ({ outcome: 'sent', answer: '' });
    const next = new Deliverer(scene.deps);
    await next.start();
    await scene.reaches(id, 'sent', 1);
    await next.close();
    const keys = scene.sent.map(({ message: { key } }) => key);
    expect(keys[1]).toBe(keys[0]);
  });

  it('closes within seconds while a transport hangs that hears nothing, and while a message cannot be made', async () => {
    const scene = await openDeliveryScene();
    const { compose } = scene.deps;
    const sender = await scene.addSender();
    const [hanging, unmade] = [await scene.add({ sender }), await scene.add({ sender })];
    scene.answers.of = () => NEVER;
    let asked = 0;
    const deliverer = new Deliverer({
      ...scene.deps,
      compose: (message, destination) => {
        asked++;
        return message.id === unmade.id ? new Promise(() => undefined) : compose(message, destination);
      },
    });
    await deliverer.start();
    await waitFor('both are under way', () => asked === 2 && scene.sent.length === 1);
    const closed = deliverer.close();
    scene.timers.advance(CLOSE_GRACE_MS);
    await closed;
    for (const { id } of [hanging, unmade]) {
      expect((await scene.detail(id)).message).toMatchObject({ state: 'waiting', attempts: 0 });
    }
  });

  it('keeps the messages of a sender that is turned off, and cancels those of one that is deleted', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender({ enabled: false });
    const { id } = await scene.add({ sender });
    const orphan = await scene.add({ sender: 999 });
    await scene.deliverer.start();
    expect((await scene.reaches(orphan.id, 'canceled')).message.answer).toBe('no-sender');
    expect((await scene.detail(id)).message.state).toBe('waiting');
    scene.senders.set(sender, {});
    scene.deliverer.sendersChanged();
    await scene.reaches(id, 'sent');
  });

  it('sends nothing by a sender that is turned off while its messages are read', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const { id } = await scene.add({ sender });
    let opened = 0;
    let turnOff = (): void => undefined;
    const openSender = (id: number) => {
      opened++;
      return scene.deps.openSender(id);
    };
    const queue = {
      ...scene.deps.queue,
      due: async (...given: Parameters<typeof scene.deps.queue.due>) => {
        const due = await scene.deps.queue.due(...given);
        turnOff();
        return due;
      },
    };
    const deliverer = new Deliverer({ ...scene.deps, queue, openSender });
    turnOff = () => {
      scene.senders.set(sender, { enabled: false });
      deliverer.sendersChanged();
      turnOff = () => undefined;
    };
    await deliverer.start();
    await waitFor('the sender is read again, or used', () => opened > 1 || scene.sent.length > 0);
    await deliverer.close();
    expect(scene.sent).toEqual([]);
    expect((await scene.detail(id)).message).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('begins no more messages than its sender may send in a minute', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender({ perMinute: 6 });
    for (let at = 0; at < 4; at++) await scene.add({ sender });
    await scene.deliverer.start();
    await turnUntil('all are sent', () => {
      scene.timers.advance(1_000);
      return scene.sent.length === 4;
    });
    const gaps = scene.sent.slice(1).map(({ atMs }, at) => atMs - (scene.sent[at]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
  });

  it('repeats a message until its event is answered', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const repeatUntilMs = scene.now() + DAY_MS;
    const { event } = await scene.add({ sender, repeatMs: 300_000, repeatUntilMs });
    await scene.deliverer.start();
    await turnUntil('it is repeated', () => {
      scene.timers.advance(60_000);
      return scene.sent.length >= 3;
    });
    expect(new Set(scene.sent.map(({ message: { key } }) => key)).size).toBe(scene.sent.length);
    await scene.answer(event);
    const waiting = async (): Promise<number> => (await scene.stores.notifyQueue.sendersWaiting()).length;
    await turnUntil('nothing is repeated any more', async () => {
      scene.timers.advance(60_000);
      return (await waiting()) === 0;
    });
  });

  it('repeats nothing beyond the end of the chain', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const { id } = await scene.add({ sender, repeatMs: 300_000, repeatUntilMs: scene.now() + 299_000 });
    await scene.deliverer.start();
    await scene.reaches(id, 'sent');
    expect(await scene.stores.notifyQueue.waitingCount()).toBe(0);
  });

  it('sends a digest as long as one of its events is unanswered', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const dueAtMs = scene.now() + 60_000;
    const [told, silent] = [
      await scene.add({ sender, dueAtMs, digestKey: 'a' }),
      await scene.add({ sender, dueAtMs, digestKey: 'b' }),
    ];
    const other = await scene.add({ sender: 999 });
    const joined = { message_id: told.id, event_id: other.event, event_begin_at_ms: scene.now() };
    await scene.db.insertInto('notify_digest_event').values(joined).execute();
    await scene.answer(told.event);
    await scene.answer(silent.event);
    await scene.deliverer.start();
    await scene.reachesAfter(60_000, told.id, 'sent');
    await scene.reachesAfter(0, silent.id, 'canceled');
  });

  it('a member who left the group is not told, and the message says why', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const { id } = await scene.add({ sender, kind: 'email', userId: 7 });
    await scene.deliverer.start();
    expect((await scene.reaches(id, 'canceled')).message.answer).toBe('not-in-group');
  });

  it('a message that cannot be made is tried again later, and holds up no other', async () => {
    const faults: string[] = [];
    let isBroken = true;
    const scene = await openDeliveryScene({ onFault: (error) => faults.push(error.message) });
    const compose = scene.deps.compose;
    const sender = await scene.addSender();
    const broken = await scene.add({ sender });
    const whole = await scene.add({ sender });
    const deliverer = new Deliverer({
      ...scene.deps,
      compose: async (message, destination) => {
        if (isBroken && message.id === broken.id) throw new Error('a bad template');
        return compose(message, destination);
      },
    });
    await deliverer.start();
    await scene.reaches(whole.id, 'sent');
    const { attempts } = await scene.reaches(broken.id, 'waiting', 1);
    expect(attempts[0]).toMatchObject({ outcome: 'retry', answer: 'The message could not be made' });
    expect(faults).toEqual([`the message ${broken.id} could not be made`]);
    isBroken = false;
    await scene.reachesAfter(5_000, broken.id, 'sent', 2);
    await deliverer.close();
  });

  it('a message that waits for a picture is asked for again at its time', async () => {
    let isReady = false;
    const scene = await openDeliveryScene();
    const { compose } = scene.deps;
    const sender = await scene.addSender();
    const { id } = await scene.add({ sender });
    const deliverer = new Deliverer({
      ...scene.deps,
      compose: async (message, destination) =>
        isReady ? compose(message, destination) : { wait: scene.now() + 3_000 },
    });
    await deliverer.start();
    const due = await waitFor(
      'it waits',
      async () => (await scene.detail(id)).message.dueAtMs - scene.now(),
      (waitMs) => waitMs > 0,
    );
    expect(due).toBe(3_000);
    isReady = true;
    expect((await scene.reachesAfter(3_000, id, 'sent', 1)).attempts).toHaveLength(1);
    await deliverer.close();
  });

  it('what was sent while the database failed is kept once it answers, and is not sent twice', async () => {
    const faults: string[] = [];
    const scene = await openDeliveryScene({ onFault: (error) => faults.push(error.message) });
    const sender = await scene.addSender();
    const { id } = await scene.add({ sender });
    let isBroken = true;
    const { record } = scene.deps.queue;
    const queue = {
      ...scene.deps.queue,
      record: (...given: Parameters<typeof record>) =>
        isBroken ? Promise.reject(new Error('no database')) : record(...given),
    };
    const deliverer = new Deliverer({ ...scene.deps, queue });
    await deliverer.start();
    await waitFor('it fails', () => faults.length > 0);
    isBroken = false;
    await turnUntil('it is kept', async () => {
      scene.timers.advance(5_000);
      return (await scene.detail(id)).message.state === 'sent';
    });
    expect(scene.sent).toHaveLength(1);
    await deliverer.close();
  });
});
