import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REASONS_LIMIT } from '../../../../server/store/events/eventReasons.ts';
import type { EventReason, EventReasonContent } from '../../../../shared/protocol/api/eventTypes.ts';
import { anyReason } from '../../../support/anyEventType.ts';
import { createEventDefineScene, type EventDefineScene } from './eventDefineScene.ts';

const REASONS = '/api/eventdefine/reasons';

let scene: EventDefineScene;
beforeEach(async () => {
  scene = await createEventDefineScene();
});
afterEach(() => scene.test.close());

const all = async () => (await scene.ask<readonly EventReason[]>('GET', REASONS)).data;

/** What the form sends back of a record. */
function contentOf({ nameEn, nameZh, nameJp, isFalseAlarm, enabled, version }: EventReason) {
  return { nameEn, nameZh, nameJp, isFalseAlarm, enabled, version };
}

async function change(reason: EventReason, changes: Partial<EventReasonContent>) {
  return scene.ask<EventReason>('PUT', `${REASONS}/${reason.id}`, { ...contentOf(reason), ...changes });
}

async function add(changes: Partial<EventReasonContent> = {}): Promise<EventReason> {
  return (await scene.ask<EventReason>('POST', REASONS, anyReason(changes))).data;
}

describe('an administrator', () => {
  it('sees the built-in reasons, and which of them say that nothing was real', async () => {
    expect((await all()).map(({ code, isFalseAlarm }) => [code, isFalseAlarm])).toEqual([
      ['real', false],
      ['test', true],
      ['sensor-fault', true],
      ['dirty-camera', true],
      ['driver-error', false],
      ['no-action', false],
      ['false-alarm', true],
    ]);
  });

  it('renames a built-in reason, and resets it', async () => {
    const known = await scene.reasonOf('test');
    const changed = await change(known, { nameEn: ' Drill ', nameZh: '演練', isFalseAlarm: false, enabled: false });
    const renamed = { ...known, nameEn: 'Drill', nameZh: '演練', isFalseAlarm: false, enabled: false, version: 2 };
    expect(changed.data).toEqual(renamed);
    expect(await scene.reasonOf('test')).toEqual(renamed);
    const reset = await scene.ask<EventReason>('POST', `${REASONS}/${known.id}/reset`, { version: 2 });
    expect(reset.data).toEqual({ ...known, version: 3 });
    expect(await scene.reasonOf('test')).toEqual({ ...known, version: 3 });
    expect(await scene.audit()).toEqual([
      ['eventreason.reset', 'Drill'],
      ['eventreason.change', 'Test'],
    ]);
    expect(scene.test.changed).toEqual(['eventtype', 'eventtype']);
  });

  it('adds a reason, changes it and deletes it', async () => {
    const added = await add();
    expect(added).toMatchObject({ ...anyReason(), isBuiltIn: false, version: 1 });
    expect(added.code).toMatch(/^custom-[0-9a-f]{10}$/);
    expect((await change(added, { nameEn: 'Wash' })).data).toMatchObject({ nameEn: 'Wash', version: 2 });
    const path = `${REASONS}/${added.id}`;
    expect(await scene.ask('POST', `${path}/reset`, { version: 2 })).toMatchObject({ code: 'not-built-in' });
    expect(await scene.ask('DELETE', `${path}?version=1`)).toMatchObject({
      status: 409,
      code: 'conflict',
      data: { current: { nameEn: 'Wash', version: 2 } },
    });
    expect((await scene.ask('DELETE', `${path}?version=2`)).status).toBe(200);
    expect((await all()).some(({ isBuiltIn }) => !isBuiltIn)).toBe(false);
    expect((await scene.audit()).map(([action]) => action)).toEqual([
      'eventreason.remove',
      'eventreason.change',
      'eventreason.add',
    ]);
  });

  it('does not delete what is built in, nor the last reason that is on', async () => {
    const { id } = await scene.reasonOf('real');
    expect(await scene.ask('DELETE', `${REASONS}/${id}?version=1`)).toMatchObject({ code: 'built-in-entry' });
    const [first, ...others] = await all();
    for (const reason of others) await change(reason, { enabled: false });
    if (first === undefined) throw new Error('no reason');
    expect(await change(first, { enabled: false })).toMatchObject({ status: 409, code: 'last-reason' });
  });

  it('keeps a reason that an event was closed for', async () => {
    const { id, code } = await add();
    vi.spyOn(scene.test.stores.eventReasons, 'remove').mockResolvedValueOnce({ ok: false, reason: 'used' });
    expect(await scene.ask('DELETE', `${REASONS}/${id}?version=1`)).toMatchObject({
      status: 409,
      code: 'used-by-events',
    });
    expect((await all()).map((reason) => reason.code)).toContain(code);
  });

  it('is told what is wrong with a name', async () => {
    const reason = await add();
    const required = { status: 422, data: { fields: { nameEn: 'required' } } };
    const taken = { status: 409, data: { fields: { nameEn: 'taken' } } };
    expect(await scene.ask('POST', REASONS, anyReason({ nameEn: ' ' }))).toMatchObject(required);
    expect(await change(reason, { nameEn: '' })).toMatchObject(required);
    expect(await scene.ask('POST', REASONS, anyReason({ nameEn: 'wash bay' }))).toMatchObject(taken);
    expect(await change(reason, { nameEn: 'Sensor fault' })).toMatchObject(taken);
    expect(await scene.ask('POST', REASONS, { ...anyReason(), code: 'x' })).toMatchObject({ status: 400 });
  });

  it('finds no reason of another number', async () => {
    const reason = { ...(await scene.reasonOf('real')), id: 999_999 };
    const refusal = { status: 404, code: 'no-such-reason' };
    expect(await change(reason, {})).toMatchObject(refusal);
    expect(await scene.ask('POST', `${REASONS}/999999/reset`, { version: 1 })).toMatchObject(refusal);
    expect(await scene.ask('DELETE', `${REASONS}/999999?version=1`)).toMatchObject(refusal);
  });

  it('adds no more reasons than may be', async () => {
    const codes = Array.from({ length: REASONS_LIMIT.max }, (_, index) => `custom-${index}`);
    const own = codes.map((code) => ({ ...anyReason({ nameEn: code }), code, isBuiltIn: false }));
    await scene.test.stores.eventReasons.addMissing(own);
    expect(await scene.ask('POST', REASONS, anyReason())).toMatchObject({ status: 409, code: 'too-many-reasons' });
  });
});

it.each(['clerk', 'definer'] as const)('a member who may not define events edits no reason: %s', async (who) => {
  expect((await scene.ask('GET', REASONS, undefined, who)).status).toBe(403);
  expect((await scene.ask('POST', REASONS, anyReason(), who)).status).toBe(403);
});
