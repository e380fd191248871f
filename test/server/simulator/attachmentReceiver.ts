// Where a platform takes the files of alarms: it asks for what is missing until it has all of a file.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { AttachmentSplitter } from '../../../server/device/jt808/codec/attachmentStream.ts';
import { GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import type { Header } from '../../../server/device/jt808/codec/header.ts';
import {
  type BodyOf,
  decodeMessage,
  encodeMessage,
  type MessageBody,
  messageIdOf,
} from '../../../server/device/jt808/codec/message.ts';
import { AttachmentResult, type FileRange } from '../../../server/device/jt808/codec/messages/attachments.ts';

export class AttachmentReceiver {
  /** Every message that came. */
  readonly heard: MessageBody[] = [];
  /** By name, once all of it is there. */
  readonly files = new Map<string, Uint8Array>();
  /** How often parts of a file were asked for again. */
  repeats = 0;
  blocks = 0;
  receivedBytes = 0;
  isClosed = false;
  readonly #maxBytes: number;
  readonly #parts = new Map<string, Map<number, Uint8Array>>();
  #socket: Socket | undefined;

  private constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Closes the connection on which more than `maxBytes` come. */
  static async listen(maxBytes = 8_000_000): Promise<{ readonly receiver: AttachmentReceiver; readonly port: number }> {
    const receiver = new AttachmentReceiver(maxBytes);
    const server = createServer((socket) => receiver.#take(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      receiver.#socket?.destroy();
      server.close();
    });
    return { receiver, port: (server.address() as AddressInfo).port };
  }

  of<Kind extends MessageBody['kind']>(kind: Kind): BodyOf<Kind>[] {
    return this.heard.filter((body): body is BodyOf<Kind> => body.kind === kind);
  }

  #take(socket: Socket): void {
    this.#socket = socket;
    const splitter = new AttachmentSplitter();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('data', (chunk) => {
      this.receivedBytes += chunk.length;
      if (this.receivedBytes > this.#maxBytes) socket.destroy();
      for (const event of splitter.push(chunk)) {
        if (event.kind === 'block') this.#keep(event.name, event.offset, event.data);
        const result = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        if (result?.ok === true) this.#answer(result.message.header, result.message.body);
      }
    });
  }

  #keep(name: string, offset: number, data: Uint8Array): void {
    this.blocks++;
    const parts = this.#parts.get(name) ?? new Map<number, Uint8Array>();
    this.#parts.set(name, parts.set(offset, data));
  }

  #answer(header: Header, body: MessageBody): void {
    this.heard.push(body);
    if (body.kind === 'attachmentFileDone') this.#judge(header, body);
    else {
      const reply = { replySerial: header.serial, replyId: messageIdOf(body), result: GeneralResult.Ok };
      this.#say(header, { kind: 'platformGeneralReply', ...reply });
    }
  }

  #judge(header: Header, { name, type, sizeBytes }: BodyOf<'attachmentFileDone'>): void {
    const parts = [...(this.#parts.get(name) ?? [])].sort(([left], [right]) => left - right);
    const missing = gaps(parts, sizeBytes);
    if (missing.length > 0) this.repeats++;
    else this.files.set(name, Buffer.concat(parts.map(([, data]) => data)));
    const result = missing.length > 0 ? AttachmentResult.SendAgain : AttachmentResult.Complete;
    this.#say(header, { kind: 'attachmentFileReply', name, type, result, missing });
  }

  #say({ edition, protocolVersion, terminal }: Header, body: MessageBody): void {
    this.#socket?.write(encodeMessage({ edition, protocolVersion, terminal, serial: 0 }, body));
  }
}

function gaps(parts: readonly (readonly [number, Uint8Array])[], sizeBytes: number): FileRange[] {
  const missing: FileRange[] = [];
  let at = 0;
  for (const [offset, { length }] of [...parts, [sizeBytes, new Uint8Array(0)] as const]) {
    if (offset > at) missing.push({ offset: at, lengthBytes: offset - at });
    at = Math.max(at, offset + length);
  }
  return missing;
}
