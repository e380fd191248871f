import { describe, expect, it } from 'vitest';
import type { PartFields, PartRecord, PlanContext } from '../../../../../server/http/backup/parts/partRecords.ts';
import { planParts } from '../../../../../server/http/backup/parts/planParts.ts';
import type { BackupPart } from '../../../../../shared/protocol/backup/partWords.ts';

const never = (): undefined => undefined;

function aRecord(key: string, fields: PartFields = {}, changes: Partial<PartRecord> = {}): PartRecord {
  return { key, name: key, fields, isReached: true, id: 1, version: 1, ...changes };
}

function aTemplate(key: string, body: string, changes: Partial<PartRecord> = {}): PartRecord {
  return aRecord(key, { name: key, kind: 'sms', fallback: 'en', texts: { en: { subject: '', body } } }, changes);
}

function aGroup(path: string, parent = '', changes: Partial<PartRecord> = {}): PartRecord {
  return aRecord(path, { name: path.split('/').at(-1), parent }, changes);
}

type Records = Parameters<typeof contextOf>[0];

function contextOf(records: {
  readonly present?: PlanContext['present'];
  readonly archived: PlanContext['archived'];
}): PlanContext {
  const actor = { id: 1, permissions: [], role: undefined, groups: [] };
  return { actor, username: 'amy', maxDevices: 0, present: new Map(), ...records };
}

async function planned(parts: readonly BackupPart[], records: Records): Promise<readonly string[]> {
  const { rows } = await planParts(parts, contextOf(records), never);
  return rows.map(({ row: { name, outcome, faults } }) => [name, outcome, ...faults.map(({ code }) => code)].join(' '));
}

describe('a dry run', () => {
  it('says what is added, changed and unchanged, whatever the order of the fields', async () => {
    const { fields } = aTemplate('same', 'x');
    const turned = Object.fromEntries(Object.entries(fields).toReversed());
    const records = {
      present: new Map([['template', [aTemplate('same', 'x'), aTemplate('other', 'x')]]] as const),
      archived: new Map([
        ['template', [aTemplate('new', 'x'), aRecord('same', turned), aTemplate('other', 'y')]],
      ] as const),
    };
    expect(await planned(['templates'], records)).toEqual(['new added', 'same unchanged', 'other changed']);
    const { counts, rows } = await planParts(['templates'], contextOf(records), never);
    expect(counts).toEqual({ added: 1, changed: 1, unchanged: 1, refused: 0 });
    const text = (body: string) => `{"en":{"body":"${body}","subject":""}}`;
    expect(rows[2]?.row.changes).toEqual([{ field: 'texts', from: text('x'), to: text('y') }]);
  });

  it('leaves parts out that are not wanted', async () => {
    const archived = new Map([['template', [aTemplate('new', 'x')]]] as const);
    expect(await planned(['devices'], { archived })).toEqual([]);
  });

  it('rejects what nobody could tell apart, and what is of another member group', async () => {
    const two = [aTemplate('two', 'x', { id: 1 }), aTemplate('two', 'z', { id: 2 })];
    const records = {
      present: new Map([['template', two]] as const),
      archived: new Map([
        [
          'template',
          [
            aTemplate('two', 'y'),
            aTemplate('twice', 'x'),
            aTemplate('twice', 'y'),
            aTemplate('theirs', 'x', { isReached: false }),
          ],
        ],
      ] as const),
    };
    expect(await planned(['templates'], records)).toEqual([
      'two refused ambiguous',
      'twice added',
      'twice refused repeated',
      'theirs refused other-group',
    ]);
  });

  it('follows references to what is there and to what is added, and rejects all that hangs on what is rejected', async () => {
    const records = {
      present: new Map([['device-group', [aGroup('A'), aGroup('Theirs', '', { isReached: false })]]] as const),
      archived: new Map([
        [
          'device-group',
          [aGroup('A'), aGroup('A/B', 'A'), aGroup('A/B/C', 'A/B'), aGroup('Theirs'), aGroup('Theirs/D', 'Theirs')],
        ],
      ] as const),
    };
    expect(await planned(['devices'], records)).toEqual([
      'A unchanged',
      'A/B added',
      'A/B/C added',
      'Theirs refused taken',
      'Theirs/D refused unknown',
    ]);
  });
});
