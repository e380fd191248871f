// How the bounds on archives are reached. Who makes or loads one is told of it with the outcome, and nobody else.
import { expect } from 'vitest';
import {
  COLUMNS_LIMIT,
  EXPANSION_FREE_BYTES,
  EXPANSION_LIMIT,
  HEAD_LIMIT,
  LISTED_ROWS_LIMIT,
  MANIFEST_LIMIT,
  ROW_LIMIT,
  TABLES_LIMIT,
} from '../../../../server/backup/archive/bounds.ts';
import { encodeFrame, FrameType } from '../../../../server/backup/archive/frames.ts';
import { MAGIC } from '../../../../server/backup/archive/head.ts';
import { checkListed } from '../../../../server/backup/archive/listedTables.ts';
import { verifyBytes } from '../../../../server/backup/archive/verifyArchive.ts';
import type { Limit } from '../../../../server/limits/limit.ts';
import { aRun } from '../../../support/backup/archives.ts';
import { craftedArchive } from '../../../support/backup/craftedArchive.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function faultOf(bytes: Buffer): Promise<string> {
  const outcome = await verifyBytes(inOne(bytes), { kind: 'none' }, aRun());
  return outcome.ok ? 'none' : outcome.fault;
}

function table(name: string, columns = 1): Buffer {
  const shapes = Array.from({ length: columns }, (_, at) => ({ name: `c${at}`, type: 'text' }));
  return encodeFrame(FrameType.Table, Buffer.from(JSON.stringify({ name, columns: shapes, lastSerial: 0 })));
}

const tableEnd = encodeFrame(FrameType.TableEnd);

function tables(count: number): Buffer[] {
  return Array.from({ length: count }, (_, at) => [table(`t${at}`), tableEnd]).flat();
}

/** With its end. */
function row(bytes: number): Buffer {
  const line = Buffer.alloc(bytes + 1, ' ');
  line[bytes] = 10;
  return encodeFrame(FrameType.Rows, line);
}

/** The archive is `truncated` up to the limit: it ends without its manifest. */
function frameCase(limit: Limit, make: (count: number) => Iterable<Buffer>): LimitCase {
  return {
    limit,
    open: () => ({
      upTo: async () => expect(await faultOf(await craftedArchive(make(limit.max)))).toBe('truncated'),
      beyond: async () => expect(await faultOf(await craftedArchive(make(limit.max + 1)))).toBe('too-large'),
      calls: 0,
    }),
  };
}

const headCase: LimitCase = {
  limit: HEAD_LIMIT,
  open: () => {
    const head = (bytes: number): Buffer => {
      const numbers = Buffer.alloc(6);
      numbers.writeUInt16BE(1, 0);
      numbers.writeUInt32BE(bytes, 2);
      return Buffer.concat([MAGIC, numbers]);
    };
    return {
      upTo: async () => expect(await faultOf(head(HEAD_LIMIT.max))).toBe('truncated'),
      beyond: async () => expect(await faultOf(head(HEAD_LIMIT.max + 1))).toBe('too-large'),
      calls: 0,
    };
  },
};

const manifestCase: LimitCase = {
  limit: MANIFEST_LIMIT,
  open: () => {
    const manifest = (bytes: number) => [encodeFrame(FrameType.Manifest, Buffer.alloc(bytes, ' '))];
    return {
      upTo: async () => expect(await faultOf(await craftedArchive(manifest(MANIFEST_LIMIT.max)))).toBe('damaged'),
      beyond: async () =>
        expect(await faultOf(await craftedArchive(manifest(MANIFEST_LIMIT.max + 1)))).toBe('too-large'),
      calls: 0,
    };
  },
};

const expansionCase: LimitCase = {
  limit: EXPANSION_LIMIT,
  open: () => {
    const spaces = row(1024 * 1024 - 1);
    const bomb = (bytes: number) => [table('setting'), ...Array.from({ length: bytes / 2 ** 20 }, () => spaces)];
    return {
      upTo: async () =>
        expect(await faultOf(await craftedArchive(bomb(EXPANSION_FREE_BYTES - 2 ** 21)))).toBe('truncated'),
      beyond: async () =>
        expect(await faultOf(await craftedArchive(bomb(EXPANSION_FREE_BYTES + 2 ** 21)))).toBe('too-large'),
      calls: 0,
    };
  },
};

const listedCase: LimitCase = {
  limit: LISTED_ROWS_LIMIT,
  open: () => {
    const of = (rows: number) => () =>
      checkListed([
        { name: 'position', rows: 9_999_999 },
        { name: 'device', rows },
      ]);
    return {
      upTo: async () => of(LISTED_ROWS_LIMIT.max)(),
      beyond: async () =>
        expect(of(LISTED_ROWS_LIMIT.max + 1)).toThrow(expect.objectContaining({ fault: 'too-large' })),
      calls: 0,
    };
  },
};

describeLimits('Backups', [
  headCase,
  manifestCase,
  frameCase(TABLES_LIMIT, tables),
  frameCase(COLUMNS_LIMIT, (count) => [table('setting', count)]),
  frameCase(ROW_LIMIT, (bytes) => [table('setting'), row(bytes)]),
  expansionCase,
  listedCase,
]);
