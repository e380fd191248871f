// A terminal over a real socket whose every frame the test chooses.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { GeneralResult, MessageId, RegistrationResult } from '../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import {
  type BodyOf,
  decodeMessage,
  encodeMessages,
  type Message,
  type MessageBody,
} from '../../../server/device/jt808/codec/message.ts';
import { registrationOf } from '../../../simulator/vehicleProfile.ts';
import { waitFor } from '../../support/waitFor.ts';
import { PROFILE } from './testGateway.ts';

export interface RawTerminalOptions {
  readonly port: number;
  /** One of the loopback's addresses; Linux has all of 127.0.0.0/8. */
  readonly from?: string;
  readonly number?: string;
}

export class RawTerminal {
  readonly socket: Socket;
  readonly heard: MessageBody[] = [];
  /** The same with their headers. */
  readonly messages: Message[] = [];
  /** Told of each message as it comes. */
  onMessage: (message: Message) => void = () => undefined;
  readonly #number: string;
  #serial = 0;

  private constructor(socket: Socket, number: string) {
    this.socket = socket;
    this.#number = number;
    const splitter = new FrameSplitter();
    socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) {
        const result = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        if (result?.ok !== true) continue;
        this.heard.push(result.message.body);
        this.messages.push(result.message);
        this.onMessage(result.message);
      }
    });
  }

  static async dial({ port, from = '127.0.0.1', number = PROFILE.number }: RawTerminalOptions): Promise<RawTerminal> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
    socket.on('error', () => socket.destroy());
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, 'connect');
    return new RawTerminal(socket, number);
  }

  /** The bytes of a message, with the next serial. */
  frame(body: MessageBody): Buffer {
    const terminal = terminalNumber(this.#number, '2019');
    const fields = { edition: '2019', protocolVersion: 1, terminal, serial: this.#serial++ & 0xffff } as const;
    return Buffer.concat(encodeMessages(fields, body));
  }

  say(body: MessageBody): void {
    this.socket.write(this.frame(body));
  }

  /** Answers a message that was heard with 0x0001. */
  reply({ header }: Message, result: number = GeneralResult.Ok): void {
    this.say({ kind: 'terminalGeneralReply', replySerial: header.serial, replyId: header.messageId, result });
  }

  /** The texts for the driver, as they came. */
  texts(): Message[] {
    return this.messages.filter(({ body }) => body.kind === 'text');
  }

  /** Serials of what it has heard of one kind. */
  serialOf(kind: MessageBody['kind']): number[] {
    return this.messages.flatMap(({ header, body }) => (body.kind === kind ? [header.serial] : []));
  }

  answers(): BodyOf<'registrationReply'>[] {
    return this.heard.filter((body) => body.kind === 'registrationReply');
  }

  /** What the registration was answered with. */
  async register(identity: Partial<BodyOf<'registration'>> = {}): Promise<BodyOf<'registrationReply'>> {
    const before = this.answers().length;
    this.say({ ...REGISTRATION, ...identity });
    const answers = await waitFor(
      'the registration is answered',
      () => this.answers(),
      (all) => all.length > before,
    );
    return answers.at(-1) ?? { kind: 'registrationReply', replySerial: 0, result: RegistrationResult.NoSuchTerminal };
  }

  /** Whether the code was taken. */
  async authenticate(code: string): Promise<boolean> {
    const replies = () =>
      this.heard.flatMap((body) =>
        body.kind === 'platformGeneralReply' && body.replyId === MessageId.authentication ? [body.result] : [],
      );
    const before = replies().length;
    this.say({ kind: 'authentication', code, imei: '', softwareVersion: '' });
    const all = await waitFor('the code is answered', replies, (results) => results.length > before);
    return all.at(-1) === GeneralResult.Ok;
  }

  /** Registers and signs in; gives the code. */
  async signIn(): Promise<string> {
    const { code } = await this.register();
    if (code === undefined) throw new Error('no code');
    if (!(await this.authenticate(code))) throw new Error('the code was refused');
    return code;
  }
}

export const REGISTRATION = registrationOf(PROFILE);
