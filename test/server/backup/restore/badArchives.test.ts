// Archives that somebody with ill intent or a failing disk has made: what a dry run and a restore say of them, and that nothing changes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXPANSION_FREE_BYTES, ROW_LIMIT } from '../../../../server/backup/archive/bounds.ts';
import type { ArchiveFaultCode } from '../../../../server/backup/archive/faults.ts';
import { encodeFrame, FrameType } from '../../../../server/backup/archive/frames.ts';
import type { ArchiveKey } from '../../../../server/backup/archive/keys.ts';
import { planRestore } from '../../../../server/backup/restore/planRestore.ts';
import { NEWEST_SCHEMA } from '../../../../server/store/backup/migrateHere.ts';
import { aRun } from '../../../support/backup/archives.ts';
import { craftedArchive } from '../../../support/backup/craftedArchive.ts';
import { anInstallation, leftovers, ruin, type TestInstallation } from '../../../support/backup/installation.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';

const NONE: ArchiveKey = { kind: 'none' };
const MEBIBYTE = 1024 * 1024;
const SETTING = [
  { name: 'name', type: 'text' },
  { name: 'value', type: 'text' },
];

function table(name: string, columns: readonly unknown[] = SETTING): Buffer {
  return encodeFrame(FrameType.Table, Buffer.from(JSON.stringify({ name, columns, lastSerial: 0 })));
}

const END = encodeFrame(FrameType.TableEnd);

function file(kind: string, name: string): Buffer {
  return encodeFrame(FrameType.File, Buffer.from(JSON.stringify({ kind, name })));
}

/** The first bytes of a row that claims more. */
function rowOf(bytes: number): Buffer {
  const frame = encodeFrame(FrameType.Rows, Buffer.from('["a","'));
  frame.writeUInt32BE(bytes, 1);
  return frame;
}

/** A little beyond what every archive may grow to. */
const BOMB_ROWS = Math.ceil(EXPANSION_FREE_BYTES / MEBIBYTE) + 8;

function* bomb(): Generator<Buffer> {
  yield table('setting');
  const blank = ' '.repeat(MEBIBYTE);
  for (let at = 0; at < BOMB_ROWS; at++) yield encodeFrame(FrameType.Rows, Buffer.from(`["${at}",""${blank}]\n`));
}

/** Whose tables are made at once. */
const HEAD = { schemaVersion: 1 };

interface Bad {
  readonly name: string;
  /** `whole`: an archive of the installation. */
  readonly make: (whole: Buffer) => Buffer | Promise<Buffer>;
  readonly fault: ArchiveFaultCode;
}

const BAD: readonly Bad[] = [
  { name: 'empty', make: () => Buffer.alloc(0), fault: 'truncated' },
  { name: 'another file', make: () => Buffer.alloc(5_000, 'PK'), fault: 'not-an-archive' },
  { name: 'cut in its head', make: (whole) => whole.subarray(0, 100), fault: 'truncated' },
  { name: 'without its last byte', make: (whole) => whole.subarray(0, -1), fault: 'truncated' },
  { name: 'changed in its last byte', make: (whole) => changedAt(whole, whole.length - 1), fault: 'damaged' },
  { name: 'with a byte behind it', make: (whole) => Buffer.concat([whole, Buffer.from('x')]), fault: 'damaged' },
  {
    name: 'of another product',
    make: () => craftedArchive([], { ...HEAD, product: 'traccar' }),
    fault: 'other-product',
  },
  {
    name: "of next year's schema",
    make: () => craftedArchive([], { schemaVersion: NEWEST_SCHEMA + 1 }),
    fault: 'newer-schema',
  },
  {
    name: 'with a table named ../device',
    make: () => craftedArchive([table('../device')], HEAD),
    fault: 'unknown-table',
  },
  {
    name: 'with a table that no schema has',
    make: () => craftedArchive([table('theirs'), END], HEAD),
    fault: 'unknown-table',
  },
  {
    name: 'with the table of sessions',
    make: () => craftedArchive([table('session'), END], { schemaVersion: NEWEST_SCHEMA }),
    fault: 'unknown-table',
  },
  {
    name: 'with a row of a gigabyte',
    make: () => craftedArchive([table('setting'), rowOf(2 ** 30)], HEAD),
    fault: 'too-large',
  },
  {
    name: 'with a row beyond the limit',
    make: () =>
      craftedArchive(
        [table('setting'), encodeFrame(FrameType.Rows, Buffer.from(`["${'x'.repeat(ROW_LIMIT.max)}",""]\n`))],
        HEAD,
      ),
    fault: 'too-large',
  },
  { name: 'that is a bomb', make: () => craftedArchive(bomb(), HEAD), fault: 'too-large' },
  ...['../../key', '..', '/etc/passwd', 'a/b'].map(
    (name): Bad => ({
      name: `with a file named ${name}`,
      make: () => craftedArchive([file('report', name)], HEAD),
      fault: 'damaged',
    }),
  ),
  {
    name: 'with a file of an unknown kind',
    make: () => craftedArchive([file('program', 'a')], HEAD),
    fault: 'damaged',
  },
];

function changedAt(archive: Buffer, place: number): Buffer {
  const changed = Buffer.from(archive);
  const at = Math.floor(place);
  changed[at] = (archive[at] ?? 0) ^ 1;
  return changed;
}

async function planned({ database, onFault }: TestInstallation, path: string): Promise<unknown> {
  const plan = await planRestore({ path, key: NONE, database }, aRun({ onFault }));
  return plan.ok ? 'none' : plan.fault;
}

async function restored(installation: TestInstallation, path: string): Promise<unknown> {
  const outcome = await installation.restore({ path, key: NONE });
  return outcome.ok ? 'none' : outcome.fault;
}

/** They come to an end after rows have been loaded, which each engine does in its own way. What is found before has no engine. */
const AFTER_ROWS: readonly string[] = ['without its last byte', 'changed in its last byte'];

describeOnBothEngines('an archive', (engine) => {
  it('that is bad is said to be so before and by a restore, and changes nothing', async () => {
    const installation = await anInstallation(engine);
    const whole = await readFile(await installation.backUp({ key: NONE, files: [] }));
    await ruin(installation);
    const before = await installation.whole();
    const path = join(installation.dataDir, 'bad.fgb');
    const bad = engine === 'sqlite' ? BAD : BAD.filter(({ name }) => AFTER_ROWS.includes(name));
    expect(bad.length).toBeGreaterThanOrEqual(AFTER_ROWS.length);
    const found: unknown[] = [];
    for (const { name, make } of bad) {
      await writeFile(path, await make(whole));
      found.push([name, await planned(installation, path), await restored(installation, path)]);
      expect([name, await leftovers(installation)]).toEqual([name, []]);
    }
    expect(found).toEqual(bad.map(({ name, fault }) => [name, fault, fault]));
    expect(await installation.whole()).toEqual(before);
  });
});

it('an archive is restored once where two restores begin at the same moment', async () => {
  const installation = await anInstallation('sqlite');
  const after = await installation.whole();
  const path = await installation.backUp();
  await ruin(installation);
  const both = await Promise.all([installation.restore({ path }), installation.restore({ path })]);
  const [done, ...others] = both.filter(({ ok }) => ok);
  expect(others).toEqual([]);
  expect(both).toContainEqual({ ok: false, fault: 'restore-running' });
  if (done === undefined || !('exchange' in done)) expect.fail('neither is done');
  await done.exchange.finish();
  expect(await installation.whole()).toEqual(after);
  expect(await leftovers(installation)).toEqual([]);
});
