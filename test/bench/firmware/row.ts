// An image for a hundred terminals by 0x8108, beside a relayed channel. Method: docs/bench.md.
import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempFolder } from '../../support/tempFolder.ts';
import { messageOf } from '../messageOf.ts';
import type { ViewersReport } from '../relay/messages.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import type { Delivered, FromServer, ServerReady, ToServer, Weighed } from './messages.ts';

export interface FirmwareBenchOptions {
  readonly terminals: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

const IMAGE_BYTES = 8 * 1_048_576;
const WARM_UP_BYTES = 65_536;
const VIEWERS = 200;

export async function benchFirmware(options: FirmwareBenchOptions): Promise<Row[]> {
  const folder = await createTempFolder();
  const file = join(folder.path, 'image');
  await writeFile(file, Buffer.from(Array.from({ length: IMAGE_BYTES }, (_, at) => (at * 31 + (at >> 8)) & 0xff)));
  // Without --expose-gc, what is held can't be told from what is garbage.
  const server = start(join(import.meta.dirname, 'server.ts'), [], ['--expose-gc']);
  let fleet: ChildProcess | undefined;
  try {
    const { relayPort, terminalPort } = await messageOf<ServerReady>(server);
    fleet = start(join(import.meta.dirname, 'terminals.ts'), [String(terminalPort), String(options.terminals)]);
    await messageOf(fleet);
    return [await deliverBesideRelay({ server, relayPort, file }, options)];
  } finally {
    // A bench ends only once its processes have.
    fleet?.kill('SIGKILL');
    server.kill('SIGKILL');
    await folder.remove();
  }
}

interface Bench {
  readonly server: ChildProcess;
  readonly relayPort: number;
  readonly file: string;
}

/** Two windows beside the delivery, between one before and one after it: what else the machine does is in both. */
async function deliverBesideRelay({ server, relayPort, file }: Bench, options: FirmwareBenchOptions): Promise<Row> {
  const { terminals, seconds, onProgress } = options;
  const watchRelay = (): Promise<number> => watch(relayPort, seconds);
  await ask<Delivered>(server, { type: 'deliver', file, bytes: WARM_UP_BYTES }, 'delivered');
  onProgress(`${VIEWERS} viewers, nothing else`);
  const before = await watchRelay();
  const heldBefore = await heldMib(server);
  onProgress(`${VIEWERS} viewers, and ${terminals} terminals that get an image`);
  let isOver = false;
  const delivered = ask<Delivered>(server, { type: 'deliver', file, bytes: IMAGE_BYTES }, 'delivered').finally(() => {
    isOver = true;
  });
  const beside = (await watchRelay()) + (await watchRelay());
  if (isOver) throw new Error(`the image was delivered in less than ${2 * seconds} s: take more --devices`);
  const heldDuring = await heldMib(server);
  const { failed, seconds: took, grownMib } = await delivered;
  const alone = before + (await watchRelay());
  return {
    terminals,
    failed,
    seconds: rounded(took),
    'MB/s': rounded((terminals * IMAGE_BYTES) / 1e6 / took),
    'MiB more': rounded(grownMib),
    'KiB held a terminal': rounded(((heldDuring - heldBefore) * 1_024) / terminals),
    'relay p95 ms without': rounded(alone / 2),
    'relay p95 ms with': rounded(beside / 2),
    ratio: rounded(beside / alone, 2),
  };
}

async function heldMib(server: ChildProcess): Promise<number> {
  return (await ask<Weighed>(server, { type: 'weigh' }, 'weighed')).heldMib;
}

/** Answers of another type are somebody else's. */
function ask<Answer extends FromServer>(server: ChildProcess, order: ToServer, type: Answer['type']): Promise<Answer> {
  const answer = messageOf<Answer>(server, (message) => message.type === type);
  server.send(order);
  return answer;
}

/** The 95th percentile of the delay, in milliseconds. */
async function watch(port: number, seconds: number): Promise<number> {
  const viewers = start(join(import.meta.dirname, '../relay/viewers.ts'), [
    String(port),
    String(VIEWERS),
    String(seconds),
  ]);
  await messageOf(viewers);
  const { delaysMs } = await messageOf<ViewersReport>(viewers);
  return rounded(percentile(delaysMs, 0.95));
}

function start(script: string, args: readonly string[], flags: readonly string[] = []): ChildProcess {
  return fork(script, args, { execArgv: ['--import', 'tsx', ...flags] });
}
