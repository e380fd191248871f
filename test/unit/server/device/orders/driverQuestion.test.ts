import { beforeEach, expect, it } from 'vitest';
import { encodeBody, type MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import { keepDriverAnswers, type UnusedReport } from '../../../../../server/device/orders/driverAnswers.ts';
import { driverQuestion } from '../../../../../server/device/orders/driverQuestion.ts';
import { type Report, ReportFeed } from '../../../../../server/device/reportFeed.ts';
import type { DriverAnswer } from '../../../../../server/store/devices/deviceOrders.ts';
import { ANSWER_MAX, ANSWERS_MAX, QUESTION_MAX } from '../../../../../shared/protocol/api/deviceOrders.ts';
import { BUS, createOrderScene, FakeSession, type OrderScene, order, quiet } from './orderScene.ts';

const QUESTION = driverQuestion('Enough fuel?', ['Yes', 'No'], true);

let scene: OrderScene;
beforeEach(async () => {
  scene = await createOrderScene();
});

it('as long as it may be fits one message', () => {
  const answers = Array.from({ length: ANSWERS_MAX }, () => '油'.repeat(ANSWER_MAX));
  expect(encodeBody(driverQuestion('油'.repeat(QUESTION_MAX), answers, true), '2013').length).toBeLessThanOrEqual(
    1_023,
  );
});

it('numbers its answers from 1, in one line each', () => {
  expect(driverQuestion(' Enough\nfuel? ', ['Yes', 'No\n'], false)).toEqual({
    kind: 'question',
    flags: 0,
    question: 'Enough fuel?',
    answers: [
      { id: 1, text: 'Yes' },
      { id: 2, text: 'No' },
    ],
  });
});

it('is kept with the serial under which it went out', async () => {
  const terminal = new FakeSession();
  const { session } = terminal;
  scene.registry.enter({
    ...session,
    command: (body, onSent) => {
      onSent?.(77);
      return session.command(body);
    },
  });
  await scene.orders.request({ ...order('a'), body: QUESTION });
  await scene.orders.request(order('b'));
  await quiet();
  terminal.answer({ ok: true });
  await quiet();
  expect([...scene.store.serials]).toEqual([[1, 77]]);
});

it('is refused in place of a terminal of the edition that has none', async () => {
  const terminal = new FakeSession();
  scene.registry.enter({ ...terminal.session, edition: '2019' });
  await scene.orders.request({ ...order('a'), body: QUESTION });
  await quiet();
  expect(terminal.heard).toEqual([]);
  expect(scene.store.row(1)).toMatchObject({ state: 'refused', result: 3 });
});

it('is answered by the driver, and what nobody uses is counted', async () => {
  const [answers, unused]: [DriverAnswer[], UnusedReport[]] = [[], []];
  const feed = new ReportFeed(() => undefined);
  let isAway = false;
  const answer = async (given: DriverAnswer): Promise<boolean> => {
    if (isAway) throw new Error('the database is away');
    answers.push(given);
    return given.serial === 77;
  };
  const leave = keepDriverAnswers({ store: { answer }, feed, onUnused: (kind) => unused.push(kind) });
  const tell = (body: MessageBody): Promise<boolean> | undefined =>
    feed.publish({ kind: 'message', device: { ...BUS, archiveNumber: 1 }, body, receivedAtMs: 5 } as Report);
  expect(await tell({ kind: 'questionAnswer', replySerial: 77, answerId: 2 })).toBe(true);
  expect(answers).toEqual([{ incarnation: 1, serial: 77, answerId: 2, atMs: 5 }]);
  expect(await tell({ kind: 'questionAnswer', replySerial: 78, answerId: 2 })).toBe(true);
  expect(tell({ kind: 'eventReport', id: 1 })).toBeUndefined();
  expect(unused).toEqual(['answer', 'driver-event']);
  isAway = true;
  expect(await tell({ kind: 'questionAnswer', replySerial: 77, answerId: 2 })).toBe(false);
  leave();
});
