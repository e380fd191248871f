// An image for a hundred terminals by 0x8108, beside a relayed channel. Method: docs/bench.md.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempFolder } from '../../support/tempFolder.ts';
import type { ViewersReport } from '../relay/messages.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import type { Delivered, ServerReady, ToServer } from './messages.ts';

export interface FirmwareBenchOptions {
  readonly terminals: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

const IMAGE_BYTES = 8 * 1_048_576;
const VIEWERS = 200;

export async function benchFirmware({ terminals, seconds, onProgress }: FirmwareBenchOptions): Promise<Row[]> {
  const folder = await createTempFolder();
  const file = join(folder.path, 'image');
  await writeFile(file, Buffer.from(Array.from({ length: IMAGE_BYTES }, (_, at) => (at * 31 + (at >> 8)) & 0xff)));
  const server = start(join(import.meta.dirname, 'server.ts'), []);
  try {
    const { relayPort, terminalPort } = await messageOf<ServerReady>(server);
    const fleet = start(join(import.meta.dirname, 'terminals.ts'), [String(terminalPort), String(terminals)]);
    await messageOf(fleet);
    onProgress(`${VIEWERS} viewers, nothing else`);
    const alone = await watch(relayPort, seconds);
    onProgress(`${VIEWERS} viewers, and ${terminals} terminals that get an image`);
    const order: ToServer = { type: 'deliver', file, bytes: IMAGE_BYTES };
    server.send(order);
    const delivered = messageOf<Delivered>(server);
    const beside = await watch(relayPort, seconds);
    const { failed, seconds: took, grownMib } = await delivered;
    return [
      {
        terminals,
        failed,
        seconds: rounded(took),
        'MB/s': rounded((terminals * IMAGE_BYTES) / 1e6 / took),
        'MiB more': rounded(grownMib),
        'KiB a terminal': rounded((grownMib * 1_024) / terminals),
        'relay p95 ms without': alone,
        'relay p95 ms with': beside,
        ratio: rounded(beside / alone, 2),
      },
    ];
  } finally {
    server.kill('SIGKILL');
    await folder.remove();
  }
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

function start(script: string, args: readonly string[]): ChildProcess {
  return fork(script, args, { execArgv: ['--import', 'tsx'] });
}

async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, 'message')) as [Message];
  return message;
}
