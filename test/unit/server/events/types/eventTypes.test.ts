import { describe, expect, it } from 'vitest';
import {
  builtInReasonRow,
  builtInReasonRows,
  builtInRow,
  builtInRows,
} from '../../../../../server/events/types/builtInRows.ts';
import { EventTypes } from '../../../../../server/events/types/eventTypes.ts';
import type { EventTypeStore, NewEventType, StoredEventType } from '../../../../../server/store/events/eventTypes.ts';
import { EVENT_ICONS, EVENT_SOUNDS } from '../../../../../shared/protocol/api/eventTypes.ts';
import { BUILT_IN_CODES } from '../../../../../shared/protocol/events/builtInTypes.ts';
import { anyEventType } from '../../../../support/anyEventType.ts';

type Store = Pick<EventTypeStore, 'all' | 'addMissing'>;

const stored = (changes: Partial<NewEventType> = {}): StoredEventType => ({
  ...anyEventType(),
  code: 'custom-1',
  isBuiltIn: false,
  version: 1,
  ...changes,
});

function storeOf(types: StoredEventType[]): Store {
  return {
    all: async () => [...types],
    addMissing: async (added) => {
      const missing = added.filter(({ code }) => types.every((type) => type.code !== code));
      types.push(...missing.map((type) => ({ ...type, version: 1 })));
    },
  };
}

describe('the event types in memory', () => {
  it('begin with the built-in ones, and keep those that were edited', async () => {
    const edited = stored({ code: 'speeding', isBuiltIn: true, source: null, severity: 'critical' });
    const types = new EventTypes(storeOf([edited]));
    await types.start();
    expect([...types.all].map(({ code }) => code).sort()).toEqual([...BUILT_IN_CODES].sort());
    expect(types.find('speeding')).toMatchObject({ severity: 'critical', enabled: true });
    expect(types.find('fatigue')).toMatchObject({ severity: 'major', enabled: true });
    expect(types.find('door-opened')).toMatchObject({ enabled: false });
    expect(types.find('none')).toBeUndefined();
  });

  it('follow an edit once they are read anew', async () => {
    const known = [stored()];
    const types = new EventTypes(storeOf(known));
    await types.reload();
    known[0] = stored({ severity: 'info', enabled: false });
    expect(types.find('custom-1')).toMatchObject({ severity: 'major', enabled: true });
    await types.reload();
    expect(types.find('custom-1')).toMatchObject({ severity: 'info', enabled: false });
  });

  it('are those of the last edit, though an earlier answer comes later', async () => {
    const answers: ((types: StoredEventType[]) => void)[] = [];
    const all = () => new Promise<StoredEventType[]>((resolve) => answers.push(resolve));
    const types = new EventTypes({ ...storeOf([]), all });
    const reloads = [types.reload(), types.reload()];
    answers[1]?.([stored({ severity: 'critical' })]);
    answers[0]?.([stored({ severity: 'minor' })]);
    await Promise.all(reloads);
    expect(types.find('custom-1')?.severity).toBe('critical');
  });

  it('find what administrators have defined, unless it is off', async () => {
    const off = stored({ code: 'custom-2', enabled: false });
    const types = new EventTypes(storeOf([stored(), off]));
    const item = { id: 0xe1, value: Uint8Array.of(4) };
    expect(types.customTypes.itemSignals([item])).toEqual([]);
    await types.start();
    expect(types.customTypes.itemSignals([item]).map(({ type }) => type)).toEqual(['custom-1']);
  });
});

describe('built-in rows', () => {
  it('are all that a page can show', () => {
    const rows = builtInRows();
    expect(rows.map(({ code }) => code)).toEqual(BUILT_IN_CODES);
    expect(rows.filter(({ icon }) => EVENT_ICONS.every((each) => each !== icon))).toEqual([]);
    expect(rows.filter(({ sound }) => EVENT_SOUNDS.every((each) => each !== sound))).toEqual([]);
  });

  it('are there for built-in types and reasons alone', () => {
    expect(builtInRow('speeding')).toMatchObject({ code: 'speeding', icon: 'speed', nameEn: '', source: null });
    expect(builtInRow('custom-1')).toBeUndefined();
    expect(builtInReasonRow('test')).toEqual(builtInReasonRows().find(({ code }) => code === 'test'));
    expect(builtInReasonRow('custom-1')).toBeUndefined();
  });
});
