import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CUSTOM_TYPES_LIMIT } from '../../../../server/store/events/eventTypes.ts';
import type { EventTypeContent, EventTypeRecord } from '../../../../shared/protocol/api/eventTypes.ts';
import { BUILT_IN_CODES } from '../../../../shared/protocol/events/builtInTypes.ts';
import { anyEventType } from '../../../support/anyEventType.ts';
import { storedEvent } from '../../store/events/storedEvent.ts';
import { createEventDefineScene, type EventDefineScene, type Refused } from './eventDefineScene.ts';

const TYPES = '/api/eventdefine/types';

let scene: EventDefineScene;
beforeEach(async () => {
  scene = await createEventDefineScene();
});
afterEach(() => scene.test.close());

/** What the form sends back of a record. */
function contentOf(record: EventTypeRecord, changes: Partial<EventTypeContent> = {}) {
  const { code, isBuiltIn, unit, hasRule, ...content } = record;
  return { ...content, ...changes };
}

async function add(changes: Partial<EventTypeContent> = {}): Promise<EventTypeRecord> {
  const answer = await scene.ask<EventTypeRecord>('POST', TYPES, anyEventType(changes));
  expect(answer.status, answer.code).toBe(200);
  return answer.data;
}

describe('an administrator', () => {
  it('sees every type with what is known of it', async () => {
    const types = await scene.types();
    expect(types.map(({ code }) => code).sort()).toEqual([...BUILT_IN_CODES].sort());
    expect(await scene.typeOf('video-loss')).toMatchObject({ isBuiltIn: true, unit: 'channel', hasRule: true });
    expect(await scene.typeOf('emergency')).toMatchObject({
      nameEn: '',
      severity: 'critical',
      icon: 'sos',
      sound: 'siren',
      needsAcknowledgment: true,
      clipBeforeS: 10,
      clipAfterS: 20,
      hasRule: false,
      source: null,
      version: 1,
    });
  });

  it('renames a built-in type and changes how it is shown; all pages and the gateway learn of it', async () => {
    const known = await scene.typeOf('speeding');
    const changed = contentOf(known, { nameEn: '  Too fast ', nameZh: '開太快', snapshotChannels: [4, 1] });
    const answer = await scene.ask<EventTypeRecord>('PUT', `${TYPES}/speeding`, changed);
    expect(answer.data).toEqual({
      ...known,
      nameEn: 'Too fast',
      nameZh: '開太快',
      snapshotChannels: [1, 4],
      version: 2,
    });
    expect(await scene.typeOf('speeding')).toEqual(answer.data);
    expect(scene.test.changed).toEqual(['eventtype']);
    const [entry] = await scene.test.stores.audit.list({ limit: 1 });
    expect(entry).toMatchObject({
      actor: 'root',
      action: 'eventtype.change',
      target: 'Speeding',
      before: { nameEn: '', nameZh: '', snapshotChannels: [] },
      after: { nameEn: 'Too fast', nameZh: '開太快', snapshotChannels: [1, 4] },
    });
  });

  it('is told who was first, and with what', async () => {
    const known = await scene.typeOf('speeding');
    await scene.ask('PUT', `${TYPES}/speeding`, contentOf(known, { severity: 'critical' }));
    const late = await scene.ask<Refused>('PUT', `${TYPES}/speeding`, contentOf(known, { severity: 'info' }));
    expect(late).toMatchObject({
      status: 409,
      code: 'conflict',
      data: { current: { severity: 'critical', version: 2 } },
    });
    const reset = await scene.ask<Refused>('POST', `${TYPES}/speeding/reset`, { version: 1 });
    expect(reset).toMatchObject({ status: 409, code: 'conflict', data: { current: { version: 2 } } });
    expect(scene.test.changed).toHaveLength(1);
  });

  it('resets a built-in type to what it was at first', async () => {
    const known = await scene.typeOf('speeding');
    const other = contentOf(known, { nameEn: 'Fast', nameJp: '速い', color: '#123456', clipAfterS: 0, enabled: false });
    await scene.ask('PUT', `${TYPES}/speeding`, other);
    const answer = await scene.ask<EventTypeRecord>('POST', `${TYPES}/speeding/reset`, { version: 2 });
    expect(answer.data).toEqual({ ...known, version: 3 });
    expect(await scene.typeOf('speeding')).toEqual({ ...known, version: 3 });
    expect(await scene.audit()).toEqual([
      ['eventtype.reset', 'Fast'],
      ['eventtype.change', 'Speeding'],
    ]);
    expect(scene.test.changed).toHaveLength(2);
  });

  it('neither deletes a built-in type nor moves it to another category, nor says what raises it', async () => {
    const known = await scene.typeOf('speeding');
    expect(await scene.ask('DELETE', `${TYPES}/speeding?version=1`)).toMatchObject({
      status: 409,
      code: 'built-in-entry',
    });
    const { source } = anyEventType();
    const moved = contentOf(known, { category: 'driver', source });
    expect(await scene.ask('PUT', `${TYPES}/speeding`, moved)).toMatchObject({
      status: 422,
      data: { fields: { category: 'not-allowed', source: 'not-allowed' } },
    });
    expect(await scene.typeOf('speeding')).toEqual(known);
  });

  it('adds a type, changes it and deletes it', async () => {
    const added = await add();
    expect(added).toMatchObject({ ...anyEventType(), isBuiltIn: false, unit: 'none', hasRule: false, version: 1 });
    expect(added.code).toMatch(/^custom-[0-9a-f]{10}$/);
    const path = `${TYPES}/${added.code}`;
    const changed = contentOf(added, { nameEn: 'Ramp', category: 'device' });
    expect((await scene.ask<EventTypeRecord>('PUT', path, changed)).data).toMatchObject({
      nameEn: 'Ramp',
      category: 'device',
      version: 2,
    });
    expect(await scene.ask('POST', `${path}/reset`, { version: 2 })).toMatchObject({ code: 'not-built-in' });
    expect(await scene.ask('DELETE', `${path}?version=1`)).toMatchObject({ status: 409, code: 'conflict' });
    expect(await scene.ask('DELETE', `${path}?version=2`)).toMatchObject({ status: 200 });
    expect((await scene.types()).some(({ isBuiltIn }) => !isBuiltIn)).toBe(false);
    expect(await scene.audit()).toEqual([
      ['eventtype.remove', 'Ramp'],
      ['eventtype.change', 'Ramp down'],
      ['eventtype.add', 'Ramp down'],
    ]);
    expect(scene.test.changed).toEqual(Array(3).fill('eventtype'));
  });

  it('keeps a type that events refer to, and is told to turn it off instead', async () => {
    const { code } = await add();
    await scene.test.stores.eventLog.write({ added: [storedEvent(code)], changed: [], days: [] });
    const answer = await scene.ask('DELETE', `${TYPES}/${code}?version=1`);
    expect(answer).toMatchObject({ status: 409, code: 'used-by-events' });
    expect(await scene.typeOf(code)).toMatchObject({ version: 1 });
  });

  it.each<[string, Partial<EventTypeContent>, Record<string, string>]>([
    ['no name', { nameEn: ' ' }, { nameEn: 'required' }],
    ['nothing that raises it', { source: null }, { source: 'required' }],
    [
      'a mask wider than its bytes',
      { source: sourceOf({ width: 1, mask: 0x100, value: 0 }) },
      { mask: 'out-of-range' },
    ],
    ['a value outside its mask', { source: sourceOf({ width: 1, mask: 4, value: 6 }) }, { value: 'out-of-range' }],
  ])('is refused a type with %s', async (_what, changes, fields) => {
    expect(await scene.ask('POST', TYPES, anyEventType(changes))).toMatchObject({ status: 422, data: { fields } });
  });

  it.each(['Ramp down', ' ramp DOWN', 'Speeding', 'Ｓｐｅｅｄｉｎｇ'])(
    'is refused a name that another type has: %s',
    async (nameEn) => {
      await add();
      const refusal = { status: 409, code: 'bad-fields', data: { fields: { nameEn: 'taken' } } };
      expect(await scene.ask('POST', TYPES, anyEventType({ nameEn }))).toMatchObject(refusal);
      const fatigue = contentOf(await scene.typeOf('fatigue'), { nameEn });
      expect(await scene.ask('PUT', `${TYPES}/fatigue`, fatigue)).toMatchObject(refusal);
    },
  );

  it('gives a type its own name again', async () => {
    const known = await scene.typeOf('speeding');
    const answer = await scene.ask('PUT', `${TYPES}/speeding`, contentOf(known, { nameEn: 'Speeding' }));
    expect(answer.status).toBe(200);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a clip that is too long', { clipBeforeS: 301 }],
    ['a channel that no device has', { snapshotChannels: [33] }],
    ['a channel twice', { snapshotChannels: [1, 1] }],
    ['a color that is none', { color: 'red' }],
    ['an icon that is none', { icon: 'unicorn' }],
    ['a name that is too long', { nameZh: 'x'.repeat(61) }],
    ['a name of two lines', { nameEn: 'a\nb' }],
    ['a source of another kind', { source: { kind: 'rumor' } }],
    ['a field too many', { code: 'speeding' }],
    ['no icon at all', { icon: undefined }],
  ])('is refused %s as malformed', async (_what, changes) => {
    const answer = await scene.ask('POST', TYPES, { ...anyEventType(), ...changes });
    expect(answer).toMatchObject({ status: 400, code: 'bad-request' });
  });

  it('finds no type of another code', async () => {
    const body = contentOf(await scene.typeOf('speeding'));
    const refusal = { status: 404, code: 'no-such-event-type' };
    expect(await scene.ask('PUT', `${TYPES}/none`, body)).toMatchObject(refusal);
    expect(await scene.ask('POST', `${TYPES}/none/reset`, { version: 1 })).toMatchObject(refusal);
    expect(await scene.ask('DELETE', `${TYPES}/none?version=1`)).toMatchObject(refusal);
    expect(scene.test.changed).toHaveLength(0);
  });

  it('adds no more types than may be', async () => {
    const own = { ...anyEventType(), isBuiltIn: false };
    const codes = Array.from({ length: CUSTOM_TYPES_LIMIT.max }, (_, index) => `custom-${index}`);
    await scene.test.stores.eventTypes.addMissing(codes.map((code) => ({ ...own, code, nameEn: code })));
    const answer = await scene.ask('POST', TYPES, anyEventType());
    expect(answer).toMatchObject({ status: 409, code: 'too-many-event-types' });
  });
});

describe('a member', () => {
  it.each(['clerk', 'definer', ''] as const)('who may not define events edits none: %s', async (who) => {
    const status = who === '' ? 401 : 403;
    expect((await scene.ask('GET', TYPES, undefined, who)).status).toBe(status);
    expect((await scene.ask('POST', TYPES, anyEventType(), who)).status).toBe(status);
    expect((await scene.ask('DELETE', `${TYPES}/speeding?version=1`, undefined, who)).status).toBe(status);
  });

  it('learns what every type is called, and how it looks and sounds', async () => {
    const { code } = await add({ enabled: false });
    const { types, reasons } = await scene.words('clerk');
    expect(types).toHaveLength(BUILT_IN_CODES.length + 1);
    expect(types.find((type) => type.code === code)).toEqual({
      code,
      nameEn: 'Ramp down',
      nameZh: '',
      nameJp: '',
      category: 'safety',
      severity: 'major',
      unit: 'none',
      color: '#1d6b34',
      icon: 'door',
      sound: 'alert',
      clipBeforeS: 5,
      clipAfterS: 30,
      needsAcknowledgment: true,
    });
    expect(reasons.map((reason) => reason.code)).toContain('sensor-fault');
    expect((await scene.ask('GET', '/api/event/types', undefined, '')).status).toBe(401);
  });
});

function sourceOf(match: { readonly width: number; readonly mask: number; readonly value: number }) {
  return { kind: 'position-item', itemId: 1, match: { offset: 0, ...match }, form: 'held' } as const;
}
