import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createUnknownTerminalStore,
  type RegistrationAttempt,
} from '../../../../server/store/devices/unknownTerminals.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { createMissingTranslationStore } from '../../../../server/store/system/missingTranslations.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const AT = wallMs(1_795_000_000_000);
const later = (ms: number) => wallMs(AT + ms);

describeOnBothEngines('the small stores', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  afterAll(() => database.close());

  describe('settings', () => {
    it('gives what was set last, and nothing for what was never set', async () => {
      expect(await stores.settings.get('a')).toBeUndefined();
      await stores.settings.set('a', '1');
      await stores.settings.set('a', '2');
      expect(await stores.settings.get('a')).toBe('2');
      expect((await stores.settings.getAll()).get('a')).toBe('2');
    });

    it('lets the first of two makers of a secret win', async () => {
      const values = await Promise.all(['x', 'y', 'z'].map((value) => stores.settings.setOnce('key', value)));
      expect(new Set(values).size).toBe(1);
      expect(await stores.settings.setOnce('key', 'late')).toBe(values[0]);
    });

    it('are replaced only where they are what somebody has seen', async () => {
      await stores.settings.set('r', '1');
      expect(await stores.settings.replace('r', '0', '2')).toBe(false);
      expect(await stores.settings.replace('none', '', '2')).toBe(false);
      expect(await stores.settings.replace('r', '1', '2')).toBe(true);
      expect(await stores.settings.get('r')).toBe('2');
    });

    it('that are edited together change by version, and lose what is reset', async () => {
      const { version } = await stores.settings.getVersioned();
      expect(
        await stores.settings.change(
          version,
          new Map([
            ['b', '1'],
            ['c', ''],
          ]),
        ),
      ).toBe(true);
      expect(await stores.settings.change(version, new Map([['b', '2']]))).toBe(false);
      expect(await stores.settings.change(version + 1, new Map([['b', null]]))).toBe(true);
      const after = await stores.settings.getVersioned();
      expect(after.version).toBe(version + 2);
      expect([after.stored.get('b'), after.stored.get('c')]).toEqual([undefined, '']);
    });

    it('are changed by one of those who change them at once', async () => {
      const { version } = await stores.settings.getVersioned();
      const values = ['1', '2', '3', '4'];
      const done = await Promise.all(values.map((value) => stores.settings.change(version, new Map([['d', value]]))));
      expect(done.filter(Boolean)).toHaveLength(1);
      const { stored, version: after } = await stores.settings.getVersioned();
      expect([after, stored.get('d')]).toEqual([version + 1, values[done.indexOf(true)]]);
    });
  });

  describe('positions', () => {
    let incarnation = 0;
    const position = (deviceTimeMs: number, fields: Partial<Position> = {}): Position => ({
      deviceId: 'P',
      incarnation,
      deviceTimeMs: wallMs(deviceTimeMs),
      receivedAtMs: later(1),
      latitude: 22.543_096,
      longitude: -114.057_865,
      altitudeM: 12.5,
      speedKmh: 61.3,
      headingDeg: 271,
      alarmBits: 0xffff_ffff,
      statusBits: 3,
      extra: { mileageKm: 12.3, text: '粤\u0000' },
      ...fields,
    });
    beforeEach(async () => {
      await database.db.deleteFrom('device').execute();
      ({ incarnation } = await stores.devices.insert({ deviceId: 'P', name: 'P', chn: 1 }));
    });

    it('gives a report back as it was put in', async () => {
      const items = { mileageKm: 12.3, fuelLiters: 81.5, cabinCelsius: -4, signal: 21 };
      for (const report of [position(AT, { isLate: false }), position(AT + 1, { isLate: true, ...items })]) {
        await stores.positions.append([report]);
        expect(await stores.positions.latest('P')).toEqual(report);
      }
    });

    it('orders by the device clock and keeps two reports of one second', async () => {
      await stores.positions.append([position(AT + 2), position(AT), position(AT, { speedKmh: 0 })]);
      const range = { fromMs: AT, toMs: AT + 2 };
      expect((await stores.positions.between('P', range, 10)).map(({ speedKmh }) => speedKmh)).toEqual([61.3, 0]);
      expect((await stores.positions.latest('P'))?.deviceTimeMs).toBe(AT + 2);
      expect(await stores.positions.between('P', range, 1)).toHaveLength(1);
      expect(await stores.positions.latest('Q')).toBeUndefined();
    });

    it('takes an empty batch, and one far past what a statement takes', async () => {
      await stores.positions.append([]);
      await stores.positions.append(Array.from({ length: 3_500 }, (_, index) => position(AT + index)));
      expect(await stores.positions.between('P', { fromMs: 0, toMs: AT + 10_000 }, 10_000)).toHaveLength(3_500);
    });

    it('keeps nothing of a batch with a position of a device that does not exist', async () => {
      const batch = Array.from({ length: 1_500 }, (_, index) => position(AT + index));
      await expect(stores.positions.append([...batch, position(AT, { incarnation: 1_000_000 })])).rejects.toThrow();
      expect(await stores.positions.latest('P')).toBeUndefined();
    });
  });

  describe('unknown terminals', () => {
    const sighting = (canonical: string, fields: Partial<RegistrationAttempt> = {}): RegistrationAttempt => ({
      terminal: { canonical, raw: canonical.padStart(12, '0') },
      edition: '2013',
      manufacturer: '44030',
      model: 'M',
      terminalId: 'T',
      plate: 'P',
      plateColour: 2,
      address: '192.0.2.7',
      ...fields,
    });
    beforeEach(async () => {
      await database.db.deleteFrom('unknown_terminal').execute();
    });

    it('keeps one row a number with what it said last and how often it came', async () => {
      await stores.unknownTerminals.note(sighting('1'), AT);
      await stores.unknownTerminals.note(sighting('1', { plate: 'Q' }), later(5));
      expect(await stores.unknownTerminals.list()).toEqual([
        {
          ...sighting('1', { plate: 'Q' }),
          firstSeenAtMs: AT,
          lastSeenAtMs: later(5),
          attempts: 2,
          refusedAtMs: 0,
          refusedBy: '',
        },
      ]);
      await stores.unknownTerminals.remove('1');
      expect(await stores.unknownTerminals.list()).toEqual([]);
    });

    it('takes text with a zero byte, which PostgreSQL does not', async () => {
      await stores.unknownTerminals.note(sighting('1', { plate: 'A\u0000B' }), AT);
      expect((await stores.unknownTerminals.list())[0]?.plate).toBe('A\ufffdB');
    });

    it('forgets those seen longest ago when the list is full', async () => {
      const small = createUnknownTerminalStore(database.db, { limit: { name: 'all', max: 2 } });
      for (const [index, number] of ['1', '2', '1', '3'].entries()) await small.note(sighting(number), later(index));
      expect((await small.list()).map(({ terminal }) => terminal.canonical)).toEqual(['3', '1']);
    });

    describe('of many addresses', () => {
      const from = (number: string, address: string, fields: Partial<RegistrationAttempt> = {}) =>
        sighting(number, { address, ...fields });
      const numbers = async () =>
        (await stores.unknownTerminals.list()).map(({ terminal }) => terminal.canonical).sort();
      const limits = { limit: { name: 'all', max: 6 }, share: { name: 'share', max: 3 } };

      it('have a share each, in which the oldest of the same address goes first', async () => {
        const small = createUnknownTerminalStore(database.db, limits);
        await small.note(from('9', '192.0.2.9'), AT);
        for (const number of ['1', '2', '3', '4', '5']) {
          await small.note(from(number, '192.0.2.1'), later(Number(number)));
        }
        expect(await numbers()).toEqual(['3', '4', '5', '9']);
      });

      it('share by what a subscriber has of IPv6', async () => {
        const small = createUnknownTerminalStore(database.db, limits);
        for (const [index, number] of ['1', '2', '3', '4'].entries()) {
          await small.note(from(number, `2001:db8:1:2::${number}`), later(index));
        }
        expect(await numbers()).toEqual(['2', '3', '4']);
      });

      it('make room in a full list by their own oldest, and by that of the one with most when they have none', async () => {
        const small = createUnknownTerminalStore(database.db, limits);
        const notes = ['1 a', '2 a', '3 a', '4 b', '5 b', '6 c'].map((text) => text.split(' '));
        for (const [index, [number = '', end = '']] of notes.entries())
          await small.note(from(number, end), later(index));
        await small.note(from('7', 'b'), later(10));
        expect(await numbers()).toEqual(['1', '2', '3', '5', '6', '7']);
        await small.note(from('8', 'd'), later(11));
        expect(await numbers()).toEqual(['2', '3', '5', '6', '7', '8']);
      });

      it('do not take the row of a number that another keeps, unless that was rejected or has gone', async () => {
        const { unknownTerminals } = stores;
        const stranger = from('1', '192.0.2.2', { terminalId: 'X' });
        const address = async () => (await unknownTerminals.find('1'))?.address;
        await unknownTerminals.note(from('1', '192.0.2.1'), AT);
        await unknownTerminals.note(stranger, later(60_000));
        expect(await unknownTerminals.find('1')).toMatchObject({ address: '192.0.2.1', terminalId: 'T', attempts: 1 });
        await unknownTerminals.note(stranger, later(11 * 60_000));
        expect(await address()).toBe('192.0.2.2');
        await unknownTerminals.note(from('1', '192.0.2.1'), later(12 * 60_000));
        expect(await address()).toBe('192.0.2.2');
        await unknownTerminals.refuse({ terminal: '1', manufacturer: '44030', terminalId: 'X' }, 'chief', later(13));
        await unknownTerminals.note(from('1', '192.0.2.1'), later(13 * 60_000));
        expect(await unknownTerminals.find('1')).toMatchObject({ address: '192.0.2.1', refusedAtMs: 0 });
        await unknownTerminals.note(from('1', '192.0.2.3'), later(14 * 60_000));
        expect(await address()).toBe('192.0.2.3');
      });
    });
  });

  describe('the audit', () => {
    it('lists newest first, page by page', async () => {
      for (const action of ['user.add', 'user.change', 'user.remove'] as const)
        await stores.audit.add({ actor: 'me', action, detail: { n: 1 } }, AT);
      const [newest, middle] = await stores.audit.list({ limit: 2 });
      expect([newest?.action, middle?.action]).toEqual(['user.remove', 'user.change']);
      expect(newest).toMatchObject({ actor: 'me', target: '', address: '', atMs: AT, detail: { n: 1 } });
      const rest = await stores.audit.list({ limit: 2, beforeId: middle?.id ?? 0 });
      expect(rest.map(({ action }) => action)).toEqual(['user.add']);
    });

    it('keeps the newest of an action that strangers can cause, and all of the others', async () => {
      for (const event of ['begin', 'refused', 'refused', 'begin', 'refused', 'refused'] as const)
        await stores.audit.add({ actor: 'x', action: `session.${event}` }, AT);
      const actions = async () =>
        (await stores.audit.list({ limit: 6 })).map(({ action }) => (action === 'session.refused' ? 'no' : 'in'));
      await stores.audit.keepNewest('session.refused', 4);
      expect(await actions()).toEqual(['no', 'no', 'in', 'no', 'no', 'in']);
      await stores.audit.keepNewest('session.refused', 2);
      expect((await actions()).slice(0, 4)).toEqual(['no', 'no', 'in', 'in']);
    });

    it('bounds what strangers can have written into it', async () => {
      await stores.audit.add({ actor: `\u0000${'x'.repeat(10_000)}`, action: 'session.refused' }, AT);
      const [entry] = await stores.audit.list({ limit: 1 });
      expect(entry?.actor).toHaveLength(256);
    });
  });

  describe('missing translations', () => {
    it('notes each key once', async () => {
      await stores.missingTranslations.note('en', 'Common', ['b', 'a', 'a'], AT);
      await stores.missingTranslations.note('en', 'Common', ['a'], later(1));
      await stores.missingTranslations.note('jp', 'Common', ['a'], later(2));
      const noted = await stores.missingTranslations.list();
      expect(noted.map(({ language, key }) => [language, key])).toEqual([
        ['en', 'a'],
        ['en', 'b'],
        ['jp', 'a'],
      ]);
      expect(noted[0]?.firstSeenAtMs).toBe(AT);
    });

    it('takes no more than there is room for', async () => {
      await database.db.deleteFrom('missing_translation').execute();
      const small = createMissingTranslationStore(database.db, 3);
      await small.note('en', 'Common', ['a', 'b'], AT);
      await small.note('en', 'Common', ['c', 'd', 'e'], AT);
      await small.note('en', 'Common', ['f'], AT);
      expect((await small.list()).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    });
  });
});
