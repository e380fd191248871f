import { describe, expect, it } from 'vitest';
import { type ImportContext, planImport } from '../../../../../server/http/devices/import/plan.ts';
import { readImportFile } from '../../../../../server/http/devices/import/readFile.ts';
import { createYielder, mapYielding, type YieldIfDue } from '../../../../../server/http/devices/import/yielder.ts';
import { csvCell, unguardedCell } from '../../../../../server/http/kernel/lists/csv.ts';
import type { DeviceRecord } from '../../../../../server/store/devices/deviceRecordRows.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { newDeviceRecord } from '../../../../support/newDeviceRecord.ts';

/** Alone on the thread. */
const NEVER: YieldIfDue = () => undefined;

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('cells', () => {
  it.each(['=1', '+1', '-1', '@x', '\tx', "'=1", "''=1", "it's", '', 'a,"b"', ' x', 'a\nb'])(
    'come back as they were: %j',
    async (text) => {
      const file = await readImportFile(utf8(`deviceid,notes\nA,${csvCell(text)}\n`), NEVER);
      expect(file.ok && file.rows[0]?.cells.notes).toBe(text);
    },
  );

  it('that would be formulas have an apostrophe before them, and no others', () => {
    expect(['=1', '+1', '-1', '@x'].map(csvCell)).toEqual(["'=1", "'+1", "'-1", "'@x"]);
    const fullWidth = ['＝1', '＋1', '－1', '＠x'];
    expect(fullWidth.map(csvCell)).toEqual(["'＝1", "'＋1", "'－1", "'＠x"]);
    expect(fullWidth.map(csvCell).map(unguardedCell)).toEqual(fullWidth);
    expect(csvCell("'tis")).toBe("'tis");
    expect(unguardedCell("'tis")).toBe("'tis");
  });
});

const device = (deviceId: string, more: Partial<DeviceRecord> = {}): DeviceRecord => ({
  ...newDeviceRecord(deviceId, { deviceGroup: 1, chn: 2, installchs: '11' }),
  groupName: 'North',
  version: 3,
  identity: undefined,
  createdAtMs: wallMs(1),
  changedAtMs: wallMs(1),
  ...more,
});

const GROUND: ImportContext = {
  devices: [device('A', { terminal: '1' }), device('B', { terminal: '2' }), device('HIDDEN', { deviceGroup: 9 })],
  isVisible: ({ deviceGroup }) => deviceGroup !== 9,
  paths: new Map([
    [1, 'North'],
    [2, 'North/Depot 1'],
    [3, 'Twice'],
    [4, 'Twice'],
    [5, 'A\\/B'],
  ]),
  presetGroup: undefined,
  maxDevices: 0,
};

async function plan(text: string, context: Partial<ImportContext> = {}, yieldIfDue: YieldIfDue = NEVER) {
  const file = await readImportFile(utf8(text), yieldIfDue);
  if (!file.ok) throw new Error(file.code);
  return planImport(file.rows, { ...GROUND, ...context }, yieldIfDue);
}
const faultsIn = async (text: string) =>
  (await plan(text)).rows.map(({ faults }) => faults.map(({ column, code }) => `${column}:${code}`));

describe('the plan of an import', () => {
  it('takes new devices in the order of the file, as many as the license has room for', async () => {
    const text =
      'deviceid,name,group\nA,Renamed,North\nC,C,Nowhere\nD,D,North\nE,E,North\nB,Renamed,North\nF,F,North\n';
    const { rows, work } = await plan(text, { maxDevices: 4 });
    const full = [{ column: '', code: 'licence-full', value: '4' }];
    expect(rows.map(({ deviceid, outcome, faults }) => [deviceid, outcome, faults])).toEqual([
      ['A', 'changed', []],
      ['C', 'refused', [expect.objectContaining({ code: 'unknown' })]],
      ['D', 'added', []],
      ['E', 'refused', full],
      ['B', 'changed', []],
      ['F', 'refused', full],
    ]);
    expect(work.added.map(({ deviceId }) => deviceId)).toEqual(['D']);
    // There are more than the license allows by now.
    expect((await plan(text, { maxDevices: 2 })).work.added).toEqual([]);
  });

  it('says of each row what becomes of it, and of a change what it was', async () => {
    const { rows, counts, work } = await plan(
      'deviceid,name,group\nA,A,North\nB,Renamed,North / Depot 1\nC,New,A\\/B\n',
    );
    expect(counts).toEqual({ added: 1, changed: 1, unchanged: 1, refused: 0 });
    expect(rows.map(({ line, deviceid, outcome }) => [line, deviceid, outcome])).toEqual([
      [2, 'A', 'unchanged'],
      [3, 'B', 'changed'],
      [4, 'C', 'added'],
    ]);
    const renamed = { column: 'name', from: 'B', to: 'Renamed' };
    expect(rows[1]?.changes).toEqual([renamed, { column: 'group', from: 'North', to: 'North/Depot 1' }]);
    expect(work.changed).toMatchObject([{ deviceId: 'B', version: 3, fields: { name: 'Renamed', deviceGroup: 2 } }]);
    expect(work.added).toMatchObject([{ deviceId: 'C', deviceGroup: 5, terminal: '' }]);
  });

  it('leaves alone what the file has no column for', async () => {
    const context = { devices: [device('A', { plate: 'P', notes: 'n', terminal: '1' })] };
    const { work } = await plan('deviceid,name\nA,B\n', context);
    expect(work.changed[0]?.fields).toMatchObject({ plate: 'P', notes: 'n', terminal: '1', deviceGroup: 1 });
    expect(work.changed[0]?.hasNewTerminal).toBe(false);
  });

  it.each([
    ['no id', ',x,North', 'deviceid:required'],
    ['an id with a stroke', 'a/b,x,North', 'deviceid:bad-format'],
    ['an id that a spreadsheet rounded', '1.38E+10,x,North', 'deviceid:rounded'],
    ['an id of somebody else', 'HIDDEN,x,North', 'deviceid:taken'],
    ['no name', 'N,,North', 'name:required'],
    ['a name that is too long', `N,${'x'.repeat(65)},North`, 'name:too-long'],
    ['no group for a new device', 'N,x,', 'group:required'],
    ['a group that there is not', 'N,x,South', 'group:unknown'],
    ['a group that could be two', 'N,x,Twice', 'group:ambiguous'],
    ['too few cells', 'N,x', ':cells'],
    ['too many cells', 'N,x,North,y', ':cells'],
  ])('refuses %s', async (_, row, fault) => {
    expect((await faultsIn(`deviceid,name,group\n${row}\n`))[0]).toContain(fault);
  });

  it.each([
    ['terminal', '1.38E+10', 'rounded'],
    ['terminal', 'no number', 'bad-format'],
    ['terminal', '2', 'taken'],
    ['channels', 'two', 'bad-format'],
    ['channels', '33', 'out-of-range'],
    ['edition', '2015', 'not-allowed'],
    ['installed', '112', 'bad-format'],
    ['ptz', '111', 'bad-format'],
    ['time_zone', 'Mars/Base', 'not-allowed'],
    ['icon', 'rocket', 'not-allowed'],
    ['disabled', 'perhaps', 'not-allowed'],
    ['sim', 'x'.repeat(40), 'too-long'],
    ['plate', 'a\u0007', 'bad-format'],
  ])('refuses %s = %s', async (column, cell, code) => {
    expect(await faultsIn(`deviceid,${column}\nA,${cell}\n`)).toEqual([[`${column}:${code}`]]);
  });

  it('refuses the second row of an id and of a terminal', async () => {
    const text = 'deviceid,name,group,terminal\nN,x,North,5\nN,y,North,6\nM,z,North,05\n';
    const [first, second, third] = await faultsIn(text);
    expect([first, second, third]).toEqual([['terminal:shared'], ['deviceid:repeated'], ['terminal:shared']]);
  });

  it('names the rows that share a terminal, and says of a device outside the file that it has it', async () => {
    const { rows } = await plan('deviceid,name,group,terminal\nN,x,North,5\nM,z,North,05\nO,o,North,2\nP,p,North,5\n');
    const shared = { column: 'terminal', code: 'shared', value: '2, 3, 5' };
    const taken = { column: 'terminal', code: 'taken', value: '2' };
    expect(rows.map(({ faults }) => faults)).toEqual([[shared], [shared], [taken], [shared]]);
  });

  it('lets two devices change terminals, and refuses both when one of them cannot', async () => {
    expect((await plan('deviceid,terminal\nA,2\nB,1\n')).counts).toMatchObject({ changed: 2 });
    expect(await faultsIn('deviceid,terminal,channels\nA,2,2\nB,1,x\n')).toEqual([
      ['terminal:taken'],
      ['channels:bad-format'],
    ]);
  });

  it('has a token that stands for the file and for what the devices were', async () => {
    const text = 'deviceid,name\nA,B\n';
    const { token } = await plan(text);
    expect((await plan(text)).token).toBe(token);
    expect((await plan('deviceid,name\nA,C\n')).token).not.toBe(token);
    const devices = GROUND.devices.map((each) => ({ ...each, version: each.version + 1 }));
    expect((await plan(text, { devices })).token).not.toBe(token);
  });

  it('counts lines as an editor does, where a cell has several', async () => {
    const { rows } = await plan('deviceid,name,notes\r\nA,A,"one\r\ntwo"\r\n\r\nB,,\r\n');
    expect(rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'changed'],
      [5, 'refused'],
    ]);
  });

  it('is the same when others have their turn after every step, whatever lies across the pieces of the file', async () => {
    const long = 'x'.repeat(999);
    const rows = Array.from({ length: 400 }, (_, at) => `N${at},"a ""name"" ${at}",North,"${long}\r\n${long}"`);
    const text = `deviceid,name,group,notes\r\n${rows.join('\r\n')}\r\n`;
    let [turns, calls] = [0, 0];
    const others = async () => {
      turns++;
    };
    const parted = await plan(text, {}, createYielder({ now: () => turns * 1_000 + calls++ * 11, nextTurn: others }));
    expect(parted).toEqual(await plan(text));
    expect(parted.rows.map(({ line, name }) => [line, name])).toEqual(
      rows.map((_, at) => [2 + at * 2, `a "name" ${at}`]),
    );
    expect(turns).toBeGreaterThan(2_000);
  });

  it.each([
    ['a line that names the delimiter', 'sep=;\r\ndeviceid;name\r\nA;B, c\r\n', 3],
    ['semicolons, and columns in which nothing stands', 'deviceid;name;;\nA;B, c;;\n', 2],
    ['tabs', 'deviceid\tname\nA\tB, c\n', 2],
    ['a delimiter inside quotation marks', '"deviceid",name\nA,"B, c"\n', 2],
  ])('reads a file with %s', async (_, text, line) => {
    const { rows } = await plan(text);
    expect(rows).toMatchObject([{ line, deviceid: 'A', name: 'B, c', outcome: 'changed' }]);
  });

  it('reads no further than tells that there are too many rows', async () => {
    const file = await readImportFile(utf8(`deviceid\n${'A\n'.repeat(200_000)}`), NEVER);
    expect(file).toMatchObject({ ok: false, code: 'file-too-long', what: '50000' });
  });

  it('reads a path of a million blanks', async () => {
    expect(await faultsIn(`deviceid,group\nA,North${' '.repeat(1_000_000)}x\n`)).toEqual([['group:unknown']]);
  });

  it('names the row whose quotation mark is alone, also beyond the first piece of the file', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => `N${at},${'n'.repeat(60)},North`);
    const text = `deviceid,name,group\n${rows.join('\n')}\nLAST,"x,North\n`;
    expect(await readImportFile(utf8(text), NEVER)).toEqual({ ok: false, code: 'file-quotes', what: '3002' });
  });
});

describe('work in parts', () => {
  it('gives way when it has held the thread for a while, and not before', async () => {
    let now = 0;
    let turns = 0;
    const yieldIfDue = createYielder({
      now: () => now,
      nextTurn: async () => {
        turns++;
      },
    });
    const seen = await mapYielding([1, 2, 3, 4, 5], yieldIfDue, (item) => {
      now += 4;
      return item * 10 + turns;
    });
    expect(seen).toEqual([10, 20, 30, 41, 51]);
  });
});
