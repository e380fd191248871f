import { describe, expect, it } from 'vitest';
import type { SendResult } from '../../../../server/notify/outgoing.ts';
import { turnUntil, waitFor } from '../../../support/waitFor.ts';
import { openDeliveryScene } from './deliveryScene.ts';

const NEVER = new Promise<SendResult>(() => undefined);

describe('Senders that are shared, slow or busy', () => {
  it('a member group with many messages does not hold up another one at the same sender', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const waiting: ((result: SendResult) => void)[] = [];
    scene.answers.of = () => new Promise((resolve) => waiting.push(resolve));
    for (let at = 0; at < 10; at++) await scene.add({ sender });
    await scene.deliverer.start();
    await waitFor('all places are taken', () => waiting.length === 4);
    const other = await scene.stores.memberGroups.insert({ name: 'Day' });
    const { id } = await scene.add({ sender, memberGroup: other });
    scene.deliverer.wake([sender]);
    waiting[0]?.({ outcome: 'sent', answer: '' });
    await waitFor('the next one', () => waiting.length === 5);
    waiting[4]?.({ outcome: 'sent', answer: 'of the other group' });
    await waitFor(
      'it is sent',
      () => scene.stores.notifyMessages.detail(other, id),
      (found) => found?.message.state === 'sent',
    );
  });

  it('one that the other side is slow to answer leaves its place to others', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    const slow: (() => void)[] = [];
    scene.answers.of = (_, { onSlowAnswer }) => {
      if (onSlowAnswer !== undefined && slow.length < 4) {
        slow.push(onSlowAnswer);
        return NEVER;
      }
      return Promise.resolve({ outcome: 'sent', answer: '' });
    };
    for (let at = 0; at < 4; at++) await scene.add({ sender });
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    await waitFor('all places are taken', () => slow.length === 4);
    expect((await scene.detail(id)).message.state).toBe('waiting');
    slow[0]?.();
    await scene.reaches(id, 'sent');
    expect(scene.sent).toHaveLength(5);
  });

  it('what may have arrived is not sent again at once, and is shown as such', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = async () => ({ outcome: 'unknown', answer: 'no answer' });
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    const { message, attempts } = await scene.reaches(id, 'waiting', 1);
    expect(attempts).toMatchObject([{ outcome: 'unknown', answer: 'no answer' }]);
    expect(message.dueAtMs).toBe(scene.now() + 60 * 60_000);
  });

  it('what may have arrived when the gateway ends is kept as such', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ outcome: 'unknown', answer: 'stopped' }));
      });
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    await waitFor('it is on its way', () => scene.sent.length > 0);
    await scene.deliverer.close();
    const { message, attempts } = await scene.detail(id);
    expect(attempts).toMatchObject([{ outcome: 'unknown' }]);
    expect(message).toMatchObject({ state: 'waiting', dueAtMs: scene.now() + 60 * 60_000 });
  });

  it('sends nothing more to a service that is busy until it may be asked again', async () => {
    const scene = await openDeliveryScene();
    const sender = await scene.addSender();
    scene.answers.of = async () => ({ outcome: 'retry', answer: '429', retryAfterMs: 120_000, isBusy: true });
    const { id } = await scene.add({ sender });
    await scene.deliverer.start();
    const { message } = await scene.reaches(id, 'waiting', 1);
    expect(message.dueAtMs).toBe(scene.now() + 120_000);
    scene.answers.of = async () => ({ outcome: 'sent', answer: '' });
    const beganAtMs = scene.now();
    const later = await scene.add({ sender });
    scene.deliverer.wake([sender]);
    await turnUntil('the other is sent', () => {
      scene.timers.advance(5_000);
      return scene.sent.length > 1;
    });
    expect((scene.sent[1]?.atMs ?? 0) - beganAtMs).toBeGreaterThanOrEqual(120_000);
    await scene.reaches(later.id, 'sent');
  });
});
