// Terminals that take an image and keep nothing of it. argv: port, count.
import { connect } from 'node:net';
import { MessageId } from '../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../server/device/jt808/codec/frame.ts';
import { decodeHeader, terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { encodeMessage, type MessageBody } from '../../../server/device/jt808/codec/message.ts';
import type { TerminalsOnline } from './messages.ts';

const [port, count] = process.argv.slice(2).map(Number);
let online = 0;

for (let index = 0; index < (count ?? 0); index++) dial(index);
process.on('disconnect', () => process.exit());

function dial(index: number): void {
  const terminal = terminalNumber(String(13_900_000_000 + index), '2019');
  let serial = 0;
  const socket = connect({ host: '127.0.0.1', port: port ?? 0, noDelay: true });
  const say = (body: MessageBody): void => {
    socket.write(encodeMessage({ edition: '2019', protocolVersion: 1, terminal, serial: serial++ & 0xffff }, body));
  };
  const splitter = new FrameSplitter();
  socket.on('error', () => socket.destroy());
  socket.on('connect', () => say({ kind: 'authentication', code: 'bench', imei: '', softwareVersion: 'bench' }));
  socket.on('data', (chunk: Buffer) => {
    for (const event of splitter.push(chunk)) {
      const read = event.kind === 'frame' ? decodeHeader(event.bytes) : undefined;
      if (read?.ok !== true) continue;
      const { messageId, serial: replySerial } = read.header;
      if (messageId === MessageId.platformGeneralReply) noteOnline();
      if (messageId !== MessageId.upgradePackage) continue;
      say({ kind: 'terminalGeneralReply', replySerial, replyId: messageId, result: 0 });
    }
  });
}

function noteOnline(): void {
  online++;
  if (online === count) process.send?.({ type: 'online' } satisfies TerminalsOnline);
}
