import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { addMessage, PLANNED_AT_MS, plannedMessage } from '../../store/notify/plannedMessage.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const PATH = '/api/eventnotify/messages';

describe('the log of notifications', () => {
  let test: TestApp;
  let own: number;
  let foreign: number;
  let cookie: string;

  beforeEach(async () => {
    test = await createTestApp();
    const [north, south] = [
      await test.stores.memberGroups.insert({ name: 'North' }),
      await test.stores.memberGroups.insert({ name: 'South' }),
    ];
    await test.addUser('ann', ['system', 'eventnotifyconfig'], [north]);
    await test.addUser('bob', ['eventnotifyconfig'], [north]);
    await test.addUser('cat', ['system'], [north]);
    own = await addMessage(test.db, plannedMessage({ memberGroup: north, recipient: '=Ann' }), 1);
    foreign = await addMessage(test.db, plannedMessage({ memberGroup: south }), 2);
    cookie = await test.signIn('ann');
  });
  afterEach(() => test.close());

  const get = (url: string) => test.request({ url, headers: { cookie } });
  const post = (url: string, ids: readonly number[]) =>
    test.request({ method: 'POST', url, headers: { cookie }, payload: { ids } });
  const rows = async (query = ''): Promise<NotifyMessage[]> => (await get(PATH + query)).json().data.rows;

  it('has the messages of the session’s member group, by its filters (S-2.3.5)', async () => {
    expect((await rows()).map(({ id }) => id)).toEqual([own]);
    expect((await rows())[0]).toMatchObject({ deviceid: 'BUS1', severity: 'major', kind: 'webhook', state: 'waiting' });
    expect(await rows('?state=sent')).toEqual([]);
    expect(await rows(`?sender=1&rule=1&event=1&deviceid=BUS1&from=${PLANNED_AT_MS}`)).toHaveLength(1);
    expect(await rows(`?to=${PLANNED_AT_MS}`)).toEqual([]);
    expect((await get(`${PATH}?state=lost`)).statusCode).toBe(400);
    expect((await get(`${PATH}?sort=recipient`)).statusCode).toBe(400);
  });

  it('is downloaded as CSV, in which no text is a formula', async () => {
    const answer = await test.download(`${PATH}/csv`, cookie);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain("'=Ann");
    expect(answer.body.trim().split('\r\n')).toHaveLength(2);
  });

  it('shows one message with its attempts, and none of another group', async () => {
    const answer = await get(`${PATH}/${own}`);
    expect(answer.json().data).toMatchObject({ message: { id: own }, body: '', attempts: [] });
    expect((await get(`${PATH}/${foreign}`)).json().code).toBe('not-found');
    expect((await get(`${PATH}/999999`)).statusCode).toBe(404);
  });

  it('cancels and resends what it can, and tells the delivery', async () => {
    expect((await post('/api/eventnotify/resend', [own, foreign])).json().data).toEqual({ changed: 0 });
    expect((await post('/api/eventnotify/cancel', [own, foreign])).json().data).toEqual({ changed: 1 });
    expect((await get('/api/eventnotify/counts')).json().data).toEqual({ waiting: 0, sent: 0, failed: 0, canceled: 1 });
    expect((await post('/api/eventnotify/resend', [own])).json().data).toEqual({ changed: 1 });
    expect(test.actedMessages).toEqual([
      { id: own, sender: 1 },
      { id: own, sender: 1 },
    ]);
    const audit = await test.stores.audit.list({ limit: 2 });
    expect(audit.map(({ actor, action, detail }) => [actor, action, detail])).toEqual([
      ['ann', 'notifymessage.resend', { id: String(own), count: 1 }],
      ['ann', 'notifymessage.cancel', { id: String(own), count: 1 }],
    ]);
  });

  it('refuses bodies that name no message, too many, or one twice', async () => {
    const tooMany = Array.from({ length: 101 }, (_, at) => at + 1);
    for (const ids of [[], [0], [1, 1], [1.5], tooMany]) {
      expect((await post('/api/eventnotify/cancel', ids)).statusCode, String(ids)).toBe(400);
    }
  });

  it('is for administrators with the permission alone (S-1.4)', async () => {
    for (const name of ['bob', 'cat']) {
      cookie = await test.signIn(name);
      for (const url of [PATH, `${PATH}/${own}`, '/api/eventnotify/counts']) {
        expect((await get(url)).statusCode, `${name} ${url}`).toBe(403);
      }
      for (const url of [`${PATH}/csv`, '/api/eventnotify/resend', '/api/eventnotify/cancel']) {
        expect((await post(url, [own])).statusCode, `${name} ${url}`).toBe(403);
      }
    }
  });
});
