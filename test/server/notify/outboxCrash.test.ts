// Notifications of a gateway that is killed without a word: each is sent, and one that is sent twice says so by its key.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createStores } from '../../../server/store/stores.ts';
import { openSqliteFile } from '../../support/databases/sqliteFile.ts';
import { compiledProgram } from '../../support/programs/compiledProgram.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../support/runs.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';
import { addSender } from '../store/notify/plannedMessage.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MESSAGES_A_LIFE = 40;

it('loses no message when it is killed, and sends none under two keys', {
  timeout: KILLS_TIMEOUT_MS,
}, async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'a.db');
  const whose = await prepare(file);
  const sink = await openSink();
  const kept: string[] = [];
  for (let life = 0; life < KILLS; life++) {
    const before = sink.received.length;
    const program = await start({ file, url: sink.url, ...whose, count: MESSAGES_A_LIFE });
    // The kill comes at another moment of the delivery each time; what the sink has received by then was not answered yet.
    const enough = before + 1 + (((life + 2) * 7) % MESSAGES_A_LIFE);
    await waitFor('some messages were sent', () => sink.received.length >= enough);
    kept.push(...(await kill(program)));
  }
  const last = await start({ file, url: sink.url, ...whose, count: 0 });
  await waitFor('all are sent', () => last.said().includes('empty'));
  await kill(last);

  const keys = new Set(sink.received.map(({ key }) => key));
  expect(kept.filter((key) => !keys.has(key))).toEqual([]);
  const messages = await storedMessages(file);
  expect(messages.filter(({ state }) => state !== 1)).toEqual([]);
  expect(messages.map(({ key }) => key).sort()).toEqual([...keys].sort());
  // Messages that came twice said the same.
  expect(new Set(sink.received.map(({ body }) => body)).size).toBe(keys.size);
  expect(sink.received.every(({ key, body }) => body.startsWith(key))).toBe(true);
});

async function prepare(file: string): Promise<{ readonly memberGroup: number; readonly sender: number }> {
  const database = await openSqliteFile(file);
  try {
    const memberGroup = await createStores(database.db).memberGroups.insert({ name: 'Night' });
    return { memberGroup, sender: await addSender(database.db) };
  } finally {
    await database.close();
  }
}

async function storedMessages(file: string) {
  const database = await openSqliteFile(file);
  try {
    return await database.db.selectFrom('notify_message').select(['key', 'state']).execute();
  } finally {
    await database.close();
  }
}

async function openSink() {
  const received: { readonly key: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    try {
      const body = await text(request);
      received.push({ key: String(request.headers['idempotency-key']), body });
      // Some answers come late, so that a kill falls between the delivery and its note.
      if (received.length % 3 === 0) setTimeout(() => response.end('taken'), 15);
      else response.end('taken');
    } catch {
      // The sender was killed while it was speaking: nothing was received.
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

interface Program {
  readonly child: ChildProcess;
  readonly said: () => readonly string[];
}

interface ProgramOptions {
  readonly file: string;
  readonly url: string;
  readonly memberGroup: number;
  readonly sender: number;
  readonly count: number;
}

async function start({ file, url, memberGroup, sender, count }: ProgramOptions): Promise<Program> {
  const program = await compiledProgram(join(import.meta.dirname, 'outboxProgram.ts'));
  const options = [file, url, String(memberGroup), String(sender), String(count)];
  const child = spawn(process.execPath, [program, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (part: string) => {
    output += part;
  });
  // The last line may have been cut by the kill.
  return { child, said: () => output.split('\n').slice(0, -1) };
}

/** Kills the program, and gives the keys of the messages that its database had. */
async function kill({ child, said }: Program): Promise<readonly string[]> {
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  return said().filter((line) => line !== 'empty');
}
