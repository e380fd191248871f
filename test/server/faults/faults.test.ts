// Faults of what can emit `error`, or throw where nobody catches: each is reported, and ends what it belongs to alone.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { inBackground } from '../../../server/faults/background.ts';
import {
  createHttpServer,
  createTcpServer,
  guardServer,
  listenOn,
  openSocket,
} from '../../../server/faults/sockets.ts';
import { startThread } from '../../../server/faults/threads.ts';
import { createRunAfter, runEvery, runSoon } from '../../../server/faults/timers.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { startFedProcess } from '../../../simulator/clip/fedProcess.ts';
import { createPostgresDatabase, postgresAvailable } from '../../support/postgres/postgres.ts';
import { waitFor } from '../../support/waitFor.ts';

let faults: Error[];
let uncaught: unknown[];
const onFault = (error: Error): void => void faults.push(error);
const note = (error: unknown): void => void uncaught.push(error);

beforeEach(() => {
  [faults, uncaught] = [[], []];
  process.on('uncaughtExceptionMonitor', note);
});
afterEach(() => {
  process.off('uncaughtExceptionMonitor', note);
  expect(uncaught).toEqual([]);
});

async function serve(accept: (socket: Socket) => void): Promise<number> {
  const server = createTcpServer({}, accept, onFault);
  await listenOn(server, '127.0.0.1', 0);
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const dial = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
};

describe('a connection', () => {
  it('whose listener throws is closed and reported, and no other with it', async () => {
    const port = await serve((socket) => {
      socket.on('data', (bytes) => {
        if (String(bytes) === 'bad') throw new Error('cannot be read');
        socket.write(bytes);
      });
    });
    const [good, bad] = [await dial(port), await dial(port)];
    bad.write('bad');
    bad.resume();
    await once(bad, 'close');
    good.write('good');
    expect(String((await once(good, 'data'))[0])).toBe('good');
    expect(faults.map(({ message, cause }) => [message, (cause as Error).message])).toEqual([
      ['a listener of "data" failed', 'cannot be read'],
    ]);
  });

  it('whose request cannot be handled is closed and reported', async () => {
    const server = createHttpServer(
      {},
      (request, response) => {
        if (request.url === '/bad') throw new Error('cannot be answered');
        response.end('good');
      },
      onFault,
    );
    await listenOn(server, '127.0.0.1', 0);
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(fetch(`${address}/bad`)).rejects.toThrow();
    expect(await (await fetch(`${address}/good`)).text()).toBe('good');
    expect(faults.map(({ cause }) => (cause as Error).message)).toEqual(['cannot be answered']);
  });

  it('that is reset closes, though nobody has listened to it yet', async () => {
    let accepted: Socket | undefined;
    const port = await serve((socket) => {
      accepted = socket;
    });
    const socket = await dial(port);
    await waitFor('the connection', () => accepted !== undefined);
    accepted?.write('x');
    socket.resetAndDestroy();
    await waitFor('its end', () => accepted?.destroyed);
  });

  it('that nobody takes closes', async () => {
    const server = createTcpServer({}, () => undefined, onFault);
    await listenOn(server, '127.0.0.1', 0);
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = openSocket({ host: '127.0.0.1', port }, onFault);
    await new Promise((resolve) => socket.on('close', resolve));
  });

  it('that cannot be accepted is reported; a port that cannot be had is its caller’s to report', async () => {
    const first = createTcpServer({}, () => undefined, onFault);
    await listenOn(first, '127.0.0.1', 0);
    onTestFinished(() => void first.close());
    first.emit('error', new Error('no descriptors'));
    expect(faults.map(({ message }) => message)).toEqual(['no descriptors']);
    const address = first.address();
    const second = guardServer(
      createTcpServer({}, () => undefined, onFault),
      onFault,
    );
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(listenOn(second, '127.0.0.1', port)).rejects.toThrow('EADDRINUSE');
    expect(faults).toHaveLength(1);
  });
});

describe('work that nobody waits for', () => {
  it.each([
    ['throws', () => fail()],
    ['rejects', async () => fail()],
  ])('and %s is reported, however it was begun', async (_how, work) => {
    createRunAfter(onFault)(0, work);
    runSoon(work, onFault);
    const stop = runEvery(1, work, onFault);
    await waitFor('four faults', () => faults.length >= 4);
    stop();
    expect(faults.map(({ cause }) => (cause as Error).message).slice(0, 4)).toEqual(Array(4).fill('it failed'));
  });

  it('as a promise that rejects is reported by what it was for', async () => {
    inBackground('a letter could not be sent', Promise.reject(new Error('no paper')), onFault);
    await waitFor('the fault', () => faults.length === 1);
    expect(faults[0]).toMatchObject({ message: 'a letter could not be sent', cause: { message: 'no paper' } });
  });
});

function fail(): never {
  throw new Error('it failed');
}

describe('a thread and a program', () => {
  it('that fails, or ends by itself, is told of once', async () => {
    const ends: unknown[] = [];
    startThread('throw new Error("inside")', { eval: true }, (error) => ends.push(error));
    await waitFor('its end', () => ends.length === 1);
    const worker = startThread('', { eval: true }, (error) => ends.push(error));
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(ends).toMatchObject([{ message: 'inside' }, undefined]);
  });

  it('that is not there rejects, and one that reads nothing breaks no writer', async () => {
    await expect(startFedProcess('/no/such/program', []).ended).rejects.toThrow('ENOENT');
    const { input, ended } = startFedProcess(process.execPath, ['--eval', 'process.exit(3)']);
    input.write(Buffer.alloc(1_000_000));
    expect(await ended).toBe(3);
  });
});

describe.skipIf(!postgresAvailable())('a connection to the database server', () => {
  it('that breaks inside a transaction, between two statements, fails the transaction alone', async () => {
    const made = await createPostgresDatabase();
    const onLost = onFault;
    const database = await openDatabase({ engine: 'postgres', url: made.url }, { onFault, onLost });
    onTestFinished(async () => {
      await database.close();
      await made.close();
    });
    const { db } = database;
    const transaction = db.transaction().execute(async (inside) => {
      await inside.selectFrom('setting').selectAll().execute();
      await cutOthers(made.url);
      await waitFor('the fault', () => faults.length > 0);
      await inside.selectFrom('setting').selectAll().execute();
    });
    await expect(transaction).rejects.toThrow();
    expect(await db.selectFrom('setting').selectAll().execute()).toEqual([]);
  });
});

/** Ends every other connection to a database, as a restart of its server does. */
async function cutOthers(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  );
  await client.end();
}
