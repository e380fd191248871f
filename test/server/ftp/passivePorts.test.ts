import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { PassivePorts } from '../../../server/ftp/transfer/dataChannel.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { freePorts } from '../../support/freePorts.ts';

it('a passive port waits for one terminal at a time, and is free again once it has come', async () => {
  const [port = 0] = await freePorts(1);
  const limits: string[] = [];
  const ports = new PassivePorts({
    host: '127.0.0.1',
    first: port,
    last: port,
    runAfter: new ManualTimers().runAfter,
    onLimit: ({ name }) => limits.push(name),
    onFault: (error) => {
      throw error;
    },
  });
  const first = await ports.listen('127.0.0.1');
  expect(first?.port).toBe(port);
  expect(await ports.listen('127.0.0.1')).toBeUndefined();
  expect(limits).toEqual(['ftp.waiting-ports.all']);
  const client = connect({ host: '127.0.0.1', port });
  client.on('error', () => undefined);
  await once(client, 'connect');
  const socket = await first?.take();
  onTestFinished(() => {
    client.destroy();
    socket?.destroy();
  });
  expect(socket?.remotePort).toBe(client.localPort);
  // The first connection is still there.
  const second = await ports.listen('127.0.0.1');
  expect(second?.port).toBe(port);
  second?.close();
  expect(await second?.take()).toBeUndefined();
});
