// The two calls of a list, as the audit has them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListPage } from '../../../../../shared/api/list.ts';
import type { AuditRow } from '../../../../../shared/protocol/api/audit.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

const PATH = '/api/audit/entries';
const AT = 1_795_000_000_000;

describe('a list', () => {
  let test: TestApp;
  let cookie: string;

  beforeAll(async () => {
    test = await createTestApp();
    await test.addUser('reader', ['audit', 'system']);
    cookie = await test.signIn('reader');
    await test.stores.audit.keepNewest('session.begin', 0);
    // Three actors, two entries a second.
    for (let at = 0; at < 120; at++) {
      const entry = { actor: `actor ${at % 3}`, action: 'session.end', target: String(at) } as const;
      await test.stores.audit.add(entry, wallMs(AT + Math.floor(at / 2) * 1_000));
    }
  });
  afterAll(() => test.close());

  const ask = (query: string) => test.request({ url: PATH + query, headers: { cookie } });
  const page = async (query: string): Promise<ListPage<AuditRow>> => {
    const answer = await ask(query);
    expect(answer.statusCode, `${query} ${answer.body}`).toBe(200);
    return answer.json().data;
  };
  const targets = ({ rows }: ListPage<AuditRow>) => rows.map(({ target }) => Number(target));
  const refused = async (query: string) => {
    const { statusCode, json } = await ask(query);
    return [statusCode, json().code];
  };
  const counting = (first: number, count: number, step = 1) =>
    Array.from({ length: count }, (_, at) => first + at * step);

  it('is given in its own order, fifty rows of it, when nothing is said', async () => {
    const first = await page('');
    expect(targets(first)).toEqual(counting(119, 50, -1));
    expect(first).toMatchObject({ total: 120, hasMoreThanTotal: false, previous: null, next: expect.any(String) });
  });

  it('goes on and back by the places that it gives, in each of its orders', async () => {
    for (const order of ['', '?sort=at', '?sort=actor', '?sort=target&descending=1']) {
      const and = order === '' ? '?' : `${order}&`;
      const whole = [...targets(await page(`${and}limit=100`)), ...targets(await page(`${and}offset=100`))];
      expect(new Set(whole).size).toBe(120);
      const there = [await page(`${and}limit=50`)];
      for (let last = there[0]; last !== undefined && last.next !== null; last = there.at(-1))
        there.push(await page(`${and}limit=50&after=${last.next}`));
      expect(there.flatMap(targets), order).toEqual(whole);
      const back = await page(`${and}limit=50&before=${there[2]?.previous}`);
      expect(targets(back), order).toEqual(whole.slice(50, 100));
      expect(back.next, order).toBe(there[1]?.next);
    }
  });

  it('begins at a moment, or at what comes next', async () => {
    const first = await page(`?sort=at&limit=2&start=${AT + 9_500}`);
    expect(targets(first)).toEqual([20, 21]);
    expect(targets(await page(`?limit=2&start=${AT + 9_500}`))).toEqual([19, 18]);
    expect(targets(await page(`?sort=at&limit=2&before=${first.previous}`))).toEqual([18, 19]);
    const beyond = await page(`?sort=at&limit=2&start=${AT * 2}`);
    expect(beyond).toMatchObject({ rows: [], next: null, total: 120 });
    expect(targets(await page(`?sort=at&limit=2&before=${beyond.previous}`))).toEqual([118, 119]);
  });

  it('knows no places but its own', async () => {
    const { next } = await page('?sort=at');
    const text = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const query of [
      `?after=${next}`,
      `?sort=actor&after=${next}`,
      `?sort=at&descending=1&after=${next}`,
      `?sort=at&before=${text(['at', 0, 'now', 1])}`,
      `?sort=at&after=${text(['at', 0])}`,
      `?sort=at&after=${text(['at', 0, 1, 2, 3])}`,
      `?sort=at&after=${text(['at', 0, [1]])}`,
      `?sort=actor&after=${text(['actor', 0, 'a\u0000', 1])}`,
      '?after=x',
      '?after=',
      '?after=%00',
      `?after=${'x'.repeat(6_001)}`,
      '?sort=actor&start=5',
      '?start=-5',
    ])
      expect((await refused(query))[0], query).toBe(400);
    expect((await ask(`?sort=at&after=${next}`)).statusCode).toBe(200);
  });

  it('is bounded in rows, in how far a number reaches and in words', async () => {
    expect((await page('?limit=100')).rows).toHaveLength(100);
    expect((await page('?offset=100000')).rows).toEqual([]);
    for (const query of ['?limit=0', '?limit=101', '?limit=1e1', '?offset=100001', '?offset=-1', '?sort=detail'])
      expect(await refused(query), query).toEqual([400, 'bad-request']);
    expect((await ask(`?search=${'x'.repeat(200)}`)).statusCode).toBe(200);
    expect(await refused(`?search=${'x'.repeat(201)}`)).toEqual([400, 'bad-request']);
    expect(await refused('?search=%00')).toEqual([400, 'bad-text']);
    expect(await refused('?other=1')).toEqual([400, 'bad-request']);
  });

  it('comes as CSV with the rows and the order of its query, wherever the page was', async () => {
    const { next } = await page('?sort=at&limit=2&actor=actor 1');
    const answer = await test.download(`${PATH}/csv?sort=at&actor=actor 1&limit=2&after=${next}`, cookie);
    expect(answer.statusCode).toBe(200);
    const lines = answer.body.trim().split('\r\n').slice(1);
    expect(lines.map((line) => Number(line.split(',')[4]))).toEqual(counting(1, 40, 3));
    for (const query of ['?sort=detail', '?search=%00', '?after=x']) {
      const { statusCode } = await test.request({ method: 'POST', url: `${PATH}/csv${query}`, headers: { cookie } });
      expect(statusCode, query).toBe(400);
    }
    expect((await test.request({ url: `${PATH}/csv`, headers: { cookie } })).statusCode).toBe(405);
  });

  it('keeps its places where rows are added meanwhile', async () => {
    const first = await page('?actor=late&limit=1');
    expect(first).toMatchObject({ rows: [], next: null });
    for (const target of ['1', '2', '3'])
      await test.stores.audit.add({ actor: 'late', action: 'session.end', target }, wallMs(AT));
    const newest = await page('?actor=late&limit=1');
    await test.stores.audit.add({ actor: 'late', action: 'session.end', target: '4' }, wallMs(AT + 1));
    const older = await page(`?actor=late&limit=1&after=${newest.next}`);
    expect([targets(newest), targets(older)]).toEqual([[3], [2]]);
  });
});
