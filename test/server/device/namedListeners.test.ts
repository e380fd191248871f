import { expect, it, onTestFinished } from 'vitest';
import { SIGNALLING_LIMITS } from '../../../server/device/connectionCaps.ts';
import { namedListeners } from '../../../server/device/namedListeners.ts';
import { listenTcp, type TcpListener } from '../../../server/device/tcpServer.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';

async function open(): Promise<TcpListener> {
  const options = {
    host: '127.0.0.1',
    port: 0,
    limits: SIGNALLING_LIMITS,
    onLimit: () => undefined,
    onFault: noFaults,
  };
  const listener = await listenTcp(options, (socket) => socket.destroy());
  onTestFinished(() => listener.close());
  return listener;
}

it('ports of terminals are told by name, with whether they listen', async () => {
  const signalling = await open();
  const media = [await open(), await open()];
  const told = () => namedListeners({ signalling, media, attachments: [] });
  expect(told()).toEqual([
    { name: 'jt808', port: signalling.port, isListening: true },
    { name: 'jt1078-main', port: media[0]?.port, isListening: true },
    { name: 'jt1078-sub', port: media[1]?.port, isListening: true },
  ]);
  await media[0]?.close();
  expect(told().map(({ isListening }) => isListening)).toEqual([true, false, true]);
});
