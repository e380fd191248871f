// The connection on which a terminal uploads files of an alarm, every frame and block by hand.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { encodeBlock, type FileBlock } from '../../../../server/device/jt808/codec/attachmentStream.ts';
import { FrameSplitter } from '../../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../../server/device/jt808/codec/header.ts';
import { decodeMessage, encodeMessages, type MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { MARK, safetyAlarm } from '../../../unit/server/events/signals/safety.ts';
import type { RawTerminal } from '../../device/rawTerminal.ts';
import { PROFILE } from '../../device/testGateway.ts';
import { PLACE } from './evidenceScene.ts';

export type AttachmentRequest = Extract<MessageBody, { kind: 'attachmentRequest' }>;

/** An alarm with two files, and what the gateway asks of them. */
export async function alarmWithFiles(terminal: RawTerminal): Promise<AttachmentRequest> {
  sayAlarm(terminal);
  return waitFor('0x9208', () =>
    terminal.heard.find((body): body is AttachmentRequest => body.kind === 'attachmentRequest'),
  ) as Promise<AttachmentRequest>;
}

export function sayAlarm(terminal: RawTerminal, alarm: Parameters<typeof safetyAlarm<'adas'>>[1] = { type: 1 }): void {
  const items = [safetyAlarm('adas', alarm)];
  const time = wallMs(Date.now());
  terminal.say({ kind: 'position', ...PLACE, time, items, tail: new Uint8Array() });
}

interface DialOptions {
  readonly from?: string;
  readonly number?: string;
}

export class AttachmentTerminal {
  readonly heard: MessageBody[] = [];
  readonly #socket: Socket;
  readonly #number: string;
  #serial = 0;

  private constructor(socket: Socket, number: string) {
    this.#socket = socket;
    this.#number = number;
    const splitter = new FrameSplitter();
    socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) {
        const result = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        if (result?.ok === true) this.heard.push(result.message.body);
      }
    });
  }

  static async dial(
    request: Pick<AttachmentRequest, 'tcpPort'>,
    options: DialOptions = {},
  ): Promise<AttachmentTerminal> {
    const { from = '127.0.0.1', number = PROFILE.number } = options;
    const socket = connect({ port: request.tcpPort, host: '127.0.0.1', localAddress: from, noDelay: true });
    socket.on('error', () => socket.destroy());
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, 'connect');
    return new AttachmentTerminal(socket, number);
  }

  get isClosed(): boolean {
    return this.#socket.closed || this.#socket.readableEnded;
  }

  say(body: MessageBody): void {
    const terminal = terminalNumber(this.#number, '2019');
    const fields = { edition: '2019', protocolVersion: 1, terminal, serial: this.#serial++ } as const;
    this.#socket.write(Buffer.concat(encodeMessages(fields, body)));
  }

  send(block: FileBlock): void {
    this.#socket.write(encodeBlock(block));
  }

  sendRaw(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async list(alarmNumber: string, files: readonly { readonly name: string; readonly sizeBytes: number }[]) {
    return this.#result({
      kind: 'attachmentList',
      terminalId: 'T1',
      mark: MARK,
      alarmNumber,
      uploadType: 0,
      files: [...files],
    });
  }

  file(name: string, sizeBytes: number): Promise<number | undefined> {
    return this.#result({ kind: 'attachmentFile', name, type: 0, sizeBytes });
  }

  /** The answer to 0x1212. */
  async done(name: string, sizeBytes: number) {
    const replies = () => this.heard.filter((body) => body.kind === 'attachmentFileReply');
    const before = replies().length;
    this.say({ kind: 'attachmentFileDone', name, type: 0, sizeBytes });
    await waitFor('0x9212', () => replies().length > before);
    return replies().at(-1);
  }

  /** Undefined when the connection was closed instead. */
  async #result(body: MessageBody): Promise<number | undefined> {
    const replies = () => this.heard.flatMap((each) => (each.kind === 'platformGeneralReply' ? [each.result] : []));
    const before = replies().length;
    this.say(body);
    await waitFor('an answer', () => replies().length > before || this.isClosed);
    return replies().length > before ? replies().at(-1) : undefined;
  }
}
