// A terminal that times the gateway's answers. It comes back when it is cut, with the code that it has.
import { connect, type Socket } from 'node:net';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { decodeMessage, encodeMessages, type MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { registrationOf, type VehicleProfile } from '../../../simulator/vehicleProfile.ts';

const REDIAL_MS = 1_000;

export interface StormTerminalDeps {
  readonly port: number;
  readonly onSignedIn: (tookMs: number) => void;
  readonly onReceipt: (tookMs: number) => void;
  readonly onRefused: (reason: string) => void;
}

export class StormTerminal {
  readonly #profile: VehicleProfile;
  readonly #deps: StormTerminalDeps;
  #socket: Socket | undefined;
  #code: string | undefined;
  #isOnline = false;
  #serial = 0;
  #askedAtMs = 0;
  /** Sent and not answered, by serial. */
  readonly #sentAtMs = new Map<number, number>();
  unanswered = 0;

  constructor(profile: VehicleProfile, deps: StormTerminalDeps) {
    this.#profile = profile;
    this.#deps = deps;
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  dial(): void {
    const splitter = new FrameSplitter();
    const socket = connect({ host: '127.0.0.1', port: this.#deps.port, noDelay: true });
    this.#socket = socket;
    socket.on('error', () => socket.destroy());
    socket.on('connect', () => (this.#code === undefined ? this.#send(registrationOf(this.#profile)) : this.#signIn()));
    socket.on('data', (chunk: Buffer) => {
      for (const event of splitter.push(chunk)) {
        const read = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        if (read?.ok === true) this.#take(read.message.body);
      }
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#isOnline = false;
      this.unanswered += this.#sentAtMs.size;
      this.#sentAtMs.clear();
      setTimeout(() => this.#socket ?? this.dial(), REDIAL_MS);
    });
  }

  /** Whoever cuts it has it dial again. */
  cut(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOnline = false;
    this.#sentAtMs.clear();
    socket?.destroy();
  }

  report(body: MessageBody): void {
    if (!this.#isOnline) return;
    this.#sentAtMs.set(this.#serial, performance.now());
    this.#send(body);
  }

  #signIn(): void {
    this.#askedAtMs = performance.now();
    this.#send({ kind: 'authentication', code: this.#code ?? '', imei: '860000000000000', softwareVersion: 'bench' });
  }

  #take(body: MessageBody): void {
    if (body.kind === 'registrationReply') this.#takeCode(body.code);
    if (body.kind !== 'platformGeneralReply') return;
    if (body.replyId === MessageId.authentication) this.#takeAnswer(body.result === GeneralResult.Ok);
    const sentAtMs = this.#sentAtMs.get(body.replySerial);
    if (sentAtMs === undefined || body.replyId !== MessageId.position) return;
    this.#sentAtMs.delete(body.replySerial);
    this.#deps.onReceipt(performance.now() - sentAtMs);
  }

  #takeCode(code: string | undefined): void {
    this.#code = code;
    if (code === undefined) this.#deps.onRefused('a registration was refused');
    else this.#signIn();
  }

  #takeAnswer(isLetIn: boolean): void {
    this.#isOnline = isLetIn;
    if (isLetIn) this.#deps.onSignedIn(performance.now() - this.#askedAtMs);
    else this.#deps.onRefused('a sign-in was refused');
  }

  #send(body: MessageBody): void {
    const { edition, number } = this.#profile;
    const terminal = terminalNumber(number, edition);
    const fields = { edition, protocolVersion: edition === '2019' ? 1 : 0, terminal, serial: this.#serial } as const;
    this.#serial = (this.#serial + 1) & 0xffff;
    for (const frame of encodeMessages(fields, body)) this.#socket?.write(frame);
  }
}
