import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type PassiveChannel, PassivePorts } from '../../../server/ftp/transfer/dataChannel.ts';
import { ONE_OWNER, OWNERS_BY_HUNDRED } from '../../support/fakes/deviceOwners.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { freePorts } from '../../support/freePorts.ts';

function portsOf(first: number, last: number, owners = ONE_OWNER) {
  const limits: string[] = [];
  const ports = new PassivePorts({
    host: '127.0.0.1',
    first,
    last,
    owners,
    runAfter: new ManualTimers().runAfter,
    onLimit: ({ name }) => limits.push(name),
    onFault: (error) => {
      throw error;
    },
  });
  const listen = (deviceId: string): Promise<PassiveChannel | undefined> =>
    ports.listen({ remoteAddress: '127.0.0.1', deviceId });
  return { limits, listen };
}

it('a passive port waits for one terminal at a time, and is free again once it has come', async () => {
  const [port = 0] = await freePorts(1);
  const { limits, listen } = portsOf(port, port);
  const first = await listen('BUS1');
  expect(first?.port).toBe(port);
  expect(await listen('BUS2')).toBeUndefined();
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
  const second = await listen('BUS1');
  expect(second?.port).toBe(port);
  second?.close();
  expect(await second?.take()).toBeUndefined();
});

it('a member group whose terminals let ports wait leaves some for those of others', async () => {
  const { limits, listen } = portsOf(0, 0, OWNERS_BY_HUNDRED);
  const open: PassiveChannel[] = [];
  onTestFinished(() => {
    for (const channel of open) channel.close();
  });
  for (let channel = await listen('BUS101'); channel !== undefined; channel = await listen('BUS150'))
    open.push(channel);
  expect([open.length, limits]).toEqual([75, ['ftp.waiting-ports.all']]);
  const others = await listen('BUS201');
  expect(others).toBeDefined();
  others?.close();
  open.pop()?.close();
  const again = await listen('BUS101');
  expect(again).toBeDefined();
  again?.close();
});
