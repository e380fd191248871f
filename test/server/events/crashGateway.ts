// Gateways that are killed without a word, and the terminals that speak to them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { AlarmBit, GeneralResult, MessageId, StatusBit } from '../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { openSqliteFile } from '../../support/databases/sqliteFile.ts';
import { compiledProgram, GATEWAY } from '../../support/programs/compiledProgram.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { RawTerminal } from '../device/rawTerminal.ts';

const CIRCLE = 1;
const ROOT = join(import.meta.dirname, '../../..');
/** Lives that use the same device, since an hour may bring only so many events of one type and device. */
export const LIVES_A_DEVICE = 5;

export async function withStores<T>(folder: string, use: (stores: Stores, db: StoreDb) => Promise<T>): Promise<T> {
  const database = await openSqliteFile(join(folder, 'fleetglass.db'));
  try {
    return await use(createStores(database.db), database.db);
  } finally {
    await database.close();
  }
}

export interface GatewayPorts {
  readonly jt808Port: number;
  readonly webPort: number;
}

/** Settles once the gateway listens. */
export async function startGateway(
  folder: string,
  { jt808Port, webPort }: GatewayPorts,
  variables: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const ports = {
    HOST: '127.0.0.1',
    PORT: String(webPort),
    JT808_PORT: String(jt808Port),
    JT1078_PORT: '0',
    ATTACHMENT_PORT: '0',
    FTP_PORT: '0',
    FTP_PASSIVE_PORTS: '0',
  };
  const child = spawn(process.execPath, [await compiledProgram(GATEWAY)], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATA_DIR: folder,
      ADMIN_PASSWORD: 'for this test',
      LOG_LEVEL: 'silent',
      ...ports,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** Says the message, and waits until the gateway has answered that it is kept. */
export async function keptBy(terminal: RawTerminal, body: MessageBody): Promise<void> {
  const before = resultsOf(terminal).length;
  terminal.say(body);
  const results = (): number[] => resultsOf(terminal);
  const all = await waitFor('the position is answered', results, (known) => known.length > before);
  expect(all.at(-1)).toBe(GeneralResult.Ok);
}

/** The results with which its positions were answered. */
export function resultsOf({ heard }: RawTerminal): number[] {
  return heard.flatMap((body) =>
    body.kind === 'platformGeneralReply' && body.replyId === MessageId.position ? [body.result] : [],
  );
}

/** Number of the terminal whose device is there in this life of the gateway. */
export function numberIn(life: number): string {
  return String(13_800_000_000 + Math.floor(life / LIVES_A_DEVICE));
}

export function crossing(area: number): MessageBody {
  const value = new Uint8Array(6);
  value[0] = CIRCLE;
  new DataView(value.buffer).setUint32(1, area);
  return {
    kind: 'position',
    alarm: 1 << AlarmBit.AreaCrossed,
    status: 1 << StatusBit.Fixed,
    latitude: 25,
    longitude: 121,
    altitudeMeters: 0,
    speedKmh: 30,
    direction: 0,
    time: wallMs(Date.now() - (Date.now() % 1000)),
    items: [{ id: 0x12, value }],
    tail: new Uint8Array(0),
  };
}
