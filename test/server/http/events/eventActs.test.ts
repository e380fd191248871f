import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventActAnswer, EventActRequest, EventDetail } from '../../../../shared/protocol/api/events.ts';
import { createEventScene, type EventScene, type Username } from './eventScene.ts';

describe('members and events', () => {
  let scene: EventScene;
  let id: number;
  beforeEach(async () => {
    scene = await createEventScene();
    [id = 0] = await scene.add({});
  });
  afterEach(() => scene.test.close());

  const act = (request: Partial<EventActRequest> & Pick<EventActRequest, 'act'>, as?: Username) =>
    scene.ask<EventActAnswer & { fields?: unknown }>(
      'POST',
      '/api/event/act',
      { events: [{ id, version: 1 }], ...request },
      as,
    );
  const detail = async () => (await scene.ask<EventDetail>('GET', `/api/event/events/${id}`)).data;
  const audited = async () =>
    (await scene.test.stores.audit.list({ limit: 10 })).filter(({ action }) => action.startsWith('event.'));

  it('acknowledge, assign, note and close, step by step', async () => {
    expect((await act({ act: 'acknowledge' })).data.events).toMatchObject([{ status: 'acknowledged', version: 2 }]);
    const at = (version: number) => ({ events: [{ id, version }] });
    expect((await act({ act: 'assign', assignee: 'bob', ...at(2) })).data.events).toMatchObject([
      { status: 'in-progress', assignee: 'bob' },
    ]);
    await act({ act: 'note', note: ' He is on his way. ', ...at(3) }, 'bob');
    const closed = await act({ act: 'close', reason: 'sensor-fault', note: 'Loose contact', ...at(4) }, 'bob');
    expect(closed.data.events).toMatchObject([{ status: 'false-alarm', reason: 'sensor-fault', version: 5 }]);
    expect((await detail()).steps).toMatchObject([
      { act: 'acknowledge', user: 'ann', from: 'new', to: 'acknowledged' },
      { act: 'assign', user: 'ann', to: 'in-progress', assignee: 'bob' },
      { act: 'note', user: 'bob', note: 'He is on his way.' },
      { act: 'close', user: 'bob', to: 'false-alarm', reason: 'sensor-fault', note: 'Loose contact' },
    ]);
    expect((await audited()).map(({ action, actor, target }) => [action, actor, target])).toEqual([
      ['event.close', 'bob', 'BUS1'],
      ['event.note', 'bob', 'BUS1'],
      ['event.assign', 'ann', 'BUS1'],
      ['event.acknowledge', 'ann', 'BUS1'],
    ]);
    expect(scene.test.actedEvents.at(-1)).toMatchObject({ id, before: 'in-progress', after: 'false-alarm' });
  });

  it('change nothing that the audit does not keep', async () => {
    const { stores } = scene.test;
    const [before] = (await scene.page()).rows;
    const events = [{ id, version: 1 }];
    const by = { userId: 1, username: 'ann' };
    const { serialno = 0 } = (await stores.memberGroups.list()).find(({ name }) => name === 'North') ?? {};
    const scope = { memberGroup: serialno, seesGateway: false };
    const failing = stores.eventActs.act({ act: 'acknowledge', events, by, note: '', atMs: 1 }, scope, () => {
      throw new Error('no audit');
    });
    await expect(failing).rejects.toThrow('no audit');
    expect((await scene.page()).rows).toEqual([before]);
    expect((await detail()).steps).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  it('hear who was first', async () => {
    await act({ act: 'acknowledge' }, 'ann');
    const late = await act({ act: 'close', reason: 'real' }, 'bob');
    expect(late.data).toMatchObject({
      events: [],
      refused: [{ id, failure: 'conflict', by: 'ann', event: { status: 'acknowledged', version: 2 } }],
    });
    expect(scene.test.actedEvents).toHaveLength(1);
    expect(await audited()).toHaveLength(1);
  });

  it('do it to many at once, as far as they see them', async () => {
    const [second = 0, south = 0] = await scene.add({}, { archiveNumber: scene.south });
    const events = [id, second, south, 999_999].map((each) => ({ id: each, version: 1 }));
    const done = await act({ act: 'close', reason: 'real', events });
    expect(done.data.events.map((event) => event.id)).toEqual([id, second]);
    expect(done.data.refused).toEqual([
      { id: south, failure: 'gone', by: '', event: null },
      { id: 999_999, failure: 'gone', by: '', event: null },
    ]);
    expect((await scene.page('', 'sue')).rows).toMatchObject([{ id: south, status: 'new', version: 1 }]);
    expect(await audited()).toMatchObject([{ detail: { events: `${id}, ${second}`, count: 2, reason: 'real' } }]);
  });

  it('cannot do what the status does not allow', async () => {
    const done = await act({ act: 'reopen', note: 'Look again' });
    expect(done.data.refused).toMatchObject([{ failure: 'not-now', by: '' }]);
  });

  it.each<[Partial<EventActRequest> & Pick<EventActRequest, 'act'>, object]>([
    [{ act: 'close' }, { reason: 'required' }],
    [{ act: 'close', reason: 'because' }, { reason: 'unknown' }],
    [{ act: 'note', note: '  ' }, { note: 'required' }],
    [{ act: 'reopen' }, { note: 'required' }],
    [{ act: 'assign' }, { assignee: 'required' }],
    // She sees other devices.
    [{ act: 'assign', assignee: 'sue' }, { assignee: 'unknown' }],
  ])('are told what is missing in %j', async (request, fields) => {
    expect(await act(request)).toMatchObject({ status: 422, code: 'bad-fields', data: { fields } });
    expect((await detail()).event.version).toBe(1);
  });

  it('name at most 500 events, and 2,000 characters', async () => {
    const events = Array.from({ length: 501 }, (_, at) => ({ id: at + 1, version: 1 }));
    expect((await act({ act: 'acknowledge', events })).status).toBe(400);
    expect((await act({ act: 'note', note: 'x'.repeat(2_001) })).status).toBe(400);
    expect((await act({ act: 'note', note: 'x'.repeat(2_000) })).status).toBe(200);
  });

  it('give the gateway’s own events to administrators alone', async () => {
    const [system = 0] = await scene.add({ archiveNumber: 0, type: 'disk-full' });
    const events = [{ id: system, version: 1 }];
    const refused = await act({ act: 'assign', assignee: 'ann', events }, 'root');
    expect(refused.data.refused).toMatchObject([{ failure: 'not-now' }]);
    expect((await act({ act: 'assign', assignee: 'root', events }, 'root')).data.events).toHaveLength(1);
  });

  it('find those who can be given events', async () => {
    const names = async (search: string) =>
      (await scene.ask<{ username: string }[]>('GET', `/api/event/assignees?search=${search}`)).data.map(
        ({ username }) => username,
      );
    expect(await names('')).toEqual(['ann', 'bob', 'root']);
    expect(await names('bo')).toEqual(['bob']);
    expect(await names('sue')).toEqual([]);
  });
});

describe('saved filters', () => {
  let scene: EventScene;
  beforeEach(async () => {
    scene = await createEventScene();
  });
  afterEach(() => scene.test.close());

  const path = '/api/event/filters';
  const save = (name: string, query: object, as?: Username) =>
    scene.ask<{ id: number }>('POST', path, { name, query }, as);
  const list = async (as?: Username) =>
    (await scene.ask<{ id: number; name: string }[]>('GET', path, undefined, as)).data;

  it('are each user’s own, and replaced by name', async () => {
    await save('Night', { severities: 'critical', period: '24h' });
    const again = await save(' Night ', { types: 'speeding' });
    expect(again.status).toBe(200);
    expect(await list()).toEqual([{ id: again.data.id, name: 'Night', query: { types: 'speeding' } }]);
    expect(await list('bob')).toEqual([]);
    expect((await scene.ask('DELETE', `${path}/${again.data.id}`, undefined, 'bob')).status).toBe(404);
    expect((await scene.ask('DELETE', `${path}/${again.data.id}`)).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  it('have a name, a filter, and an end', async () => {
    expect(await save('  ', {})).toMatchObject({ status: 422, code: 'bad-fields' });
    expect((await save('Odd', { severities: 'worst' })).status).toBe(400);
    for (let at = 0; at < 50; at++) await save(`Filter ${at}`, {});
    expect(await save('One more', {})).toMatchObject({ status: 409, code: 'too-many-filters' });
  });
});
