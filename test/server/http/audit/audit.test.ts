import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditRow } from '../../../../shared/protocol/api/audit.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const PATH = '/api/audit/entries';

describe('the audit', () => {
  let test: TestApp;
  let north: number;
  let south: number;
  let reader: string;

  beforeEach(async () => {
    test = await createTestApp();
    north = await test.stores.memberGroups.insert({ name: 'North' });
    south = await test.stores.memberGroups.insert({ name: 'South' });
    await test.addUser('reader', ['audit', 'system'], [north]);
    const past = (ms: number) => wallMs(test.clock.now - ms);
    const { audit } = test.stores;
    await audit.add(
      {
        actor: 'mei',
        action: 'device.change',
        target: 'BUS1',
        address: '192.0.2.7',
        before: { name: 'A' },
        after: { name: '=B' },
      },
      past(5_000),
    );
    await audit.add({ actor: 'kim', action: 'session.refused', address: '198.51.100.1' }, past(4_000));
    await audit.add(
      { actor: 'mei', action: 'devicegroup.add', target: '7', detail: { reason: '<b>50%</b>' } },
      past(3_000),
    );
    reader = await test.signIn('reader');
  });
  afterEach(() => test.close());

  const get = async (query = '', cookie = reader): Promise<{ total: number; rows: AuditRow[] }> => {
    const answer = await test.request({ url: PATH + query, headers: { cookie } });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };
  const actions = async (query: string, cookie = reader) => (await get(query, cookie)).rows.map(({ action }) => action);

  it('gives who did what to what, when, from where, before and after; the newest first', async () => {
    const { total, rows } = await get();
    expect(total).toBe(4);
    expect(rows.map(({ action }) => action)).toEqual([
      'session.begin',
      'devicegroup.add',
      'session.refused',
      'device.change',
    ]);
    expect(rows[3]).toEqual({
      id: expect.any(Number),
      atMs: test.clock.now - 5_000,
      actor: 'mei',
      action: 'device.change',
      target: 'BUS1',
      address: '192.0.2.7',
      detail: {},
      before: { name: 'A' },
      after: { name: '=B' },
    });
    expect(rows[1]).toMatchObject({ before: null, after: null, detail: { reason: '<b>50%</b>' } });
  });

  it('is filtered by who, what, when and words', async () => {
    expect(await actions('?actor=mei')).toEqual(['devicegroup.add', 'device.change']);
    expect(await actions('?action=device')).toEqual(['device.change']);
    expect(await actions('?action=session')).toEqual(['session.begin', 'session.refused']);
    expect(await actions('?action=session.refused')).toEqual(['session.refused']);
    expect(await actions('?search=bus1')).toEqual(['device.change']);
    expect(await actions('?search=50%25')).toEqual(['devicegroup.add']);
    expect(await actions('?search=%25%25')).toEqual([]);
    const now = test.clock.now;
    expect(await actions(`?from=${now - 4_000}&to=${now - 3_000}`)).toEqual(['session.refused']);
    expect(await actions('?sort=actor')).toEqual([
      'session.refused',
      'device.change',
      'devicegroup.add',
      'session.begin',
    ]);
    expect(await get('?limit=1&offset=1')).toMatchObject({ total: 4, rows: [{ action: 'devicegroup.add' }] });
    for (const query of ['?sort=detail', '?action=DROP', '?from=-1', '?from=x', '?limit=1000'])
      expect((await test.request({ url: PATH + query, headers: { cookie: reader } })).statusCode, query).toBe(400);
  });

  it('shows without system only what was done by people who belong to nothing but the groups of the reader', async () => {
    await test.addUser('mei', [], [north]);
    await test.addUser('kim', [], [north, south]);
    await test.addUser('auditor', ['audit'], [north]);
    const auditor = await test.signIn('auditor');
    const seen = (await get('', auditor)).rows.map(({ actor, action }) => `${actor} ${action}`);
    expect(seen).toEqual(['auditor session.begin', 'reader session.begin', 'mei devicegroup.add', 'mei device.change']);
    await test.addUser('auditor of both', ['audit'], [north, south]);
    expect(await actions('?actor=kim', await test.signIn('auditor of both'))).toEqual(['session.refused']);
    await test.addUser('auditor of none', ['audit'], []);
    expect((await get('', await test.signIn('auditor of none'))).total).toBe(0);
  });

  it('comes as CSV, with what the filter says and no formula in it', async () => {
    await test.stores.audit.add({ actor: '=cmd|calc', action: 'session.refused' }, test.clock.now);
    const answer = await test.download(`${PATH}/csv?action=session.refused`, reader);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="audit.csv"');
    const [head, newest, older, end] = answer.body.split('\r\n');
    expect(head).toBe('\ufeffid,time,who,what,to what,from where,detail,before,after');
    expect(newest).toContain(`,'=cmd|calc,session.refused,`);
    expect(older).toContain(',kim,session.refused,,198.51.100.1,,,');
    expect(end).toBe('');
  });

  it('is exported whole, however long it is', async () => {
    for (let at = 0; at < 1_203; at++)
      await test.stores.audit.add({ actor: 'many', action: 'session.end' }, test.clock.now);
    const answer = await test.download(`${PATH}/csv?actor=many`, reader);
    const ids = answer.body
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',')[0]));
    expect(new Set(ids).size).toBe(1_203);
    expect([...ids].sort((a, b) => b - a)).toEqual(ids);
  });

  it('asks for the permission', async () => {
    await test.addUser('operator', ['system', 'member'], [north]);
    const cookie = await test.signIn('operator');
    expect((await test.request({ url: PATH, headers: { cookie } })).statusCode).toBe(403);
    expect((await test.download(`${PATH}/csv`, cookie)).statusCode).toBe(403);
  });
});
