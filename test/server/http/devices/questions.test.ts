// Questions to drivers by calls, and what became of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DEVICE_ORDER_PATH,
  DEVICE_ORDERS_PATH,
  DEVICE_QUESTION_PATH,
  type DriverQuestion,
} from '../../../../shared/protocol/api/deviceOrders.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

describe('questions to drivers', () => {
  let test: TestApp;
  let ann: string;
  let bob: string;
  beforeEach(async () => {
    test = await createTestApp();
    const { stores } = test;
    const deviceGroup = await stores.deviceGroups.insert('North');
    const north = await stores.memberGroups.insert({ name: 'North' });
    await stores.memberGroups.setDeviceGroups(north, [deviceGroup]);
    await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 3, talkchs: '010', deviceGroup });
    await stores.devices.insert({ deviceId: 'BUS2', name: 'Mute', chn: 3, talkchs: '000', deviceGroup });
    await stores.devices.insert({ deviceId: 'SHIP', name: 'Ship', chn: 3, talkchs: '100' });
    await test.addUser('ann', ['devicetext'], [north]);
    await test.addUser('bob', ['system', 'devicegroup'], [north]);
    [ann, bob] = [await test.signIn('ann'), await test.signIn('bob')];
  });
  afterEach(() => test.close());

  const question = (change: Partial<DriverQuestion> = {}): DriverQuestion => ({
    deviceid: 'BUS1',
    text: 'Enough fuel?',
    answers: ['Yes', 'No'],
    speech: true,
    ...change,
  });
  const ask = (body: object = question(), cookie = ann) =>
    test.request({ method: 'POST', url: DEVICE_QUESTION_PATH, headers: { cookie }, body });
  const outcome = (order: number | string, cookie = ann) =>
    test.request({ url: `${DEVICE_ORDER_PATH}?order=${order}`, headers: { cookie } });

  it('wait for the terminal, and are shown with the answer to whoever asked', async () => {
    const asked = await ask();
    expect(asked.statusCode, asked.body).toBe(200);
    const { order, isOnline } = asked.json().data;
    expect(isOnline).toBe(false);
    expect((await outcome(order)).json().data).toEqual({ order, state: 'waiting', answer: '', answeredAtMs: 0 });
    const { deviceOrders, devices } = test.stores;
    const incarnation = (await devices.findByDeviceId('BUS1'))?.incarnation ?? 0;
    await deviceOrders.claim(order, test.clock.now);
    await deviceOrders.noteSerial(order, 7);
    await deviceOrders.finish([order], { from: 'sent', state: 'done', atMs: test.clock.now });
    await deviceOrders.answer({ incarnation, serial: 7, answerId: 2, atMs: test.clock.now });
    const answered = { order, state: 'done', answer: 'No', answeredAtMs: test.clock.now };
    expect((await outcome(order)).json().data).toEqual(answered);
    const listed = await test.request({ url: `${DEVICE_ORDERS_PATH}?deviceid=BUS1`, headers: { cookie: bob } });
    expect(listed.json().data.rows).toMatchObject([{ message: 'question', text: 'Enough fuel?', answer: 'No' }]);
  });

  it('take the permission for texts', async () => {
    const refused = await ask(question(), bob);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden']);
  });

  it('of others, and those that there are not, are not there', async () => {
    const { order } = (await ask()).json().data;
    for (const answer of [await outcome(order, bob), await outcome(order + 1)]) {
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'no-such-order']);
    }
    expect((await outcome('x')).statusCode).toBe(400);
    expect((await outcome(order, '')).statusCode).toBe(401);
  });

  it('go to terminals of the edition of 2013 alone', async () => {
    test.terminals.editions.set('BUS1', '2019');
    const refused = await ask();
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'no-questions']);
    test.terminals.editions.set('BUS1', '2013');
    expect((await ask()).statusCode).toBe(200);
  });

  it.each([
    ['one answer', { answers: ['Yes'] }, 400],
    ['nine answers', { answers: Array(9).fill('Yes') }, 400],
    ['a long answer', { answers: ['Yes', 'n'.repeat(41)] }, 400],
    ['a long question', { text: 'q'.repeat(121) }, 400],
    ['a control character', { answers: ['Yes', 'N\u0007o'] }, 400],
    ['blanks for a question', { text: ' ' }, 422],
    ['blanks for an answer', { answers: ['Yes', ' '] }, 422],
    ['a device of others', { deviceid: 'SHIP' }, 404],
    ['a device that cannot be talked to', { deviceid: 'BUS2' }, 409],
  ])('with %s are refused', async (_what, change, status) => {
    expect((await ask({ ...question(), ...change })).statusCode).toBe(status);
  });
});
