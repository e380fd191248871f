// One control connection: sign-in, then commands one after another.
import type { Socket } from 'node:net';
import { plainAddress } from '../device/tcpServer.ts';
import { inBackground } from '../faults/background.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { GroupPlaces } from '../limits/groupPlaces.ts';
import { TokenBucket } from '../limits/tokenBucket.ts';
import {
  COMMANDS_LIMIT,
  IDLE_LIMIT,
  LINE_LIMIT,
  LOGIN_CONNECTIONS_LIMIT,
  PASSWORDS_LIMIT,
  SIGN_IN_LIMIT,
  UNSENT_REPLIES_LIMIT,
  WAITING_COMMANDS_LIMIT,
} from './ftpLimits.ts';
import type { LoginTable, OpenLogin } from './loginTable.ts';
import type { PasswordGuard } from './passwordGuard.ts';
import { type ControlLine, ControlLines } from './protocol/controlLines.ts';
import { type FtpCommand, parseFtpCommand } from './protocol/ftpCommand.ts';
import { Reply } from './protocol/replies.ts';
import { type CommandOutcome, newCommandState, outcomeOf } from './protocol/signedInCommands.ts';
import { type TransferDeps, Transfers } from './transfer/transfers.ts';

export interface FtpSessionDeps extends TransferDeps {
  readonly logins: Pick<LoginTable, 'find'>;
  readonly passwords: PasswordGuard;
  readonly owners: Pick<DeviceOwners, 'ofDevice'>;
  /** The places of connections that have signed in. */
  readonly places: GroupPlaces;
  readonly now: () => number;
  /** The connection is a terminal's. */
  readonly onProved: () => void;
}

const COMMANDS_PER_SECOND = 20;
const PACE_MS = 50;
/** The last answer goes out before the connection ends, if the other end takes it. */
const GOODBYE_MS = 1_000;

/** Owns the socket until it closes. */
export class FtpSession {
  readonly #socket: Socket;
  readonly #deps: FtpSessionDeps;
  readonly #remoteAddress: string;
  readonly #lines = new ControlLines(LINE_LIMIT.max);
  readonly #waiting: ControlLine[] = [];
  readonly #state = newCommandState();
  readonly #transfers: Transfers;
  readonly #pace: TokenBucket;
  #signedIn: OpenLogin | undefined;
  #user = '';
  #wrongPasswords = 0;
  #isBusy = false;
  #isOver = false;
  #cancelTimer: () => void;
  #wake = (): void => undefined;
  /** Gives the place among those that have signed in back. */
  #leavePlace = (): void => undefined;

  constructor(socket: Socket, deps: FtpSessionDeps) {
    const { now, runAfter, onLimit } = deps;
    this.#socket = socket;
    this.#deps = deps;
    this.#remoteAddress = plainAddress(socket.remoteAddress);
    this.#pace = new TokenBucket({ burst: COMMANDS_LIMIT.max, perSecond: COMMANDS_PER_SECOND }, now());
    const control = {
      remoteAddress: this.#remoteAddress,
      localAddress: plainAddress(socket.localAddress),
      say: (text: string) => this.#say(text),
      isOpen: () => !socket.destroyed && (!socket.readableEnded || this.#hasSaidGoodbye),
    };
    this.#transfers = new Transfers(control, deps);
    this.#cancelTimer = runAfter(SIGN_IN_LIMIT.max, () => {
      onLimit(SIGN_IN_LIMIT);
      this.#end(Reply.Idle);
    });
    socket.on('data', (chunk) => this.#take(this.#lines.push(chunk)));
    socket.on('close', () => this.#closed());
    this.#say(Reply.Welcome);
  }

  /** A client that is sure of itself says QUIT behind its last command. */
  get #hasSaidGoodbye(): boolean {
    return this.#waiting.some((line) => line.kind === 'line' && parseFtpCommand(line.text).verb === 'QUIT');
  }

  #take(lines: readonly ControlLine[]): void {
    for (const line of lines) {
      if (this.#isOver) return;
      if (line.kind === 'line' && parseFtpCommand(line.text).verb === 'ABOR') this.#transfers.abort();
      this.#waiting.push(line);
      if (this.#waiting.length <= WAITING_COMMANDS_LIMIT.max) continue;
      this.#deps.onLimit(WAITING_COMMANDS_LIMIT);
      this.#end(Reply.TooMany);
    }
    if (!this.#isBusy) inBackground('a file transfer session failed', this.#work(), this.#deps.onFault);
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      for (let line = this.#next(); line !== undefined; line = this.#next()) {
        if (this.#signedIn !== undefined) this.#cancelTimer();
        await this.#keepPace();
        if (this.#isOver) return;
        await this.#answer(line);
      }
    } catch (cause) {
      this.#end(Reply.LocalError);
      throw cause;
    } finally {
      this.#isBusy = false;
    }
    if (this.#signedIn !== undefined) this.#watchIdleness();
  }

  #next(): ControlLine | undefined {
    return this.#isOver ? undefined : this.#waiting.shift();
  }

  #watchIdleness(): void {
    this.#cancelTimer();
    if (this.#isOver) return;
    this.#cancelTimer = this.#deps.runAfter(IDLE_LIMIT.max, () => {
      this.#deps.onLimit(IDLE_LIMIT);
      this.#end(Reply.Idle);
    });
  }

  async #keepPace(): Promise<void> {
    while (!this.#isOver && !this.#pace.take(this.#deps.now())) {
      this.#deps.onLimit(COMMANDS_LIMIT);
      await this.#sleep(PACE_MS);
    }
  }

  async #sleep(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.runAfter(delayMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  async #answer(line: ControlLine): Promise<void> {
    if (line.kind === 'too-long') {
      this.#deps.onLimit(LINE_LIMIT);
      this.#say(Reply.LineTooLong);
      return;
    }
    const command = parseFtpCommand(line.text);
    const login = this.#signedIn;
    if (login === undefined) await this.#beforeSignIn(command);
    else await this.#carryOut(outcomeOf(command, this.#state, login), login);
  }

  async #beforeSignIn({ verb, argument }: FtpCommand): Promise<void> {
    switch (verb) {
      case 'USER':
        this.#user = argument;
        this.#say(Reply.GivePassword);
        return;
      case 'PASS':
        await this.#signIn(argument);
        return;
      case 'QUIT':
        this.#end(Reply.Bye);
        return;
      case 'SYST':
        this.#say(Reply.System);
        return;
      case 'FEAT':
        this.#say(Reply.Features);
        return;
      case 'NOOP':
        this.#say(Reply.Done);
        return;
      default:
        this.#say(verb === '' ? Reply.NoCommand : Reply.NotSignedIn);
    }
  }

  async #signIn(password: string): Promise<void> {
    const { logins, owners, places, onNote, onProved, onLimit } = this.#deps;
    const login = logins.find(this.#user, password, this.#remoteAddress);
    if (login === undefined) {
      await this.#refuse();
      return;
    }
    if (login.connections.size >= LOGIN_CONNECTIONS_LIMIT.max) {
      onLimit(LOGIN_CONNECTIONS_LIMIT);
      this.#end(Reply.TooMany);
      return;
    }
    const leavePlace = places.enter(owners.ofDevice(login.login.deviceId));
    if (leavePlace === undefined) {
      this.#end(Reply.TooMany);
      return;
    }
    this.#leavePlace = leavePlace;
    this.#signedIn = login;
    login.connections.add(this.#onLoginEnded);
    this.#cancelTimer();
    onProved();
    onNote({ kind: 'signed-in', deviceId: login.login.deviceId, remoteAddress: this.#remoteAddress });
    this.#say(Reply.SignedIn);
  }

  readonly #onLoginEnded = (): void => this.#end(Reply.Over);

  async #refuse(): Promise<void> {
    const { passwords, onLimit, onNote } = this.#deps;
    this.#wrongPasswords++;
    onNote({ kind: 'wrong-password', remoteAddress: this.#remoteAddress });
    const waitMs = passwords.failed(this.#remoteAddress);
    if (waitMs > 0) await this.#sleep(waitMs);
    if (this.#isOver) return;
    if (this.#wrongPasswords <= PASSWORDS_LIMIT.max) {
      this.#say(Reply.WrongPassword);
      return;
    }
    onLimit(PASSWORDS_LIMIT);
    this.#end(Reply.TooMany);
  }

  async #carryOut(outcome: CommandOutcome, open: OpenLogin): Promise<void> {
    const { login, files } = open;
    const isLoginOpen = (): boolean => open.isOpen;
    switch (outcome.kind) {
      case 'reply':
        this.#say(outcome.text);
        return;
      case 'quit':
        this.#end(Reply.Bye);
        return;
      case 'passive':
        this.#say(await this.#transfers.passive(outcome.isExtended, login.deviceId));
        return;
      case 'active':
        this.#say(this.#transfers.active(outcome.address));
        return;
      case 'store': {
        const { announcedBytes } = this.#state;
        this.#state.announcedBytes = undefined;
        if (login.kind !== 'upload' || files === undefined) return;
        this.#say(await this.#transfers.store({ ...outcome, login, files, announcedBytes, isLoginOpen }));
        return;
      }
      case 'send':
        if (login.kind === 'download') this.#say(await this.#transfers.send({ ...outcome, login, isLoginOpen }));
        return;
    }
  }

  #say(text: string): void {
    if (this.#socket.destroyed || this.#isOver) return;
    this.#socket.write(`${text}\r\n`);
    if (this.#socket.writableLength <= UNSENT_REPLIES_LIMIT.max) return;
    this.#deps.onLimit(UNSENT_REPLIES_LIMIT);
    this.#socket.destroy();
  }

  #end(text: string): void {
    if (this.#isOver) return;
    this.#say(text);
    this.#leave();
    this.#socket.end();
    const cancel = this.#deps.runAfter(GOODBYE_MS, () => this.#socket.destroy());
    this.#socket.once('close', cancel);
  }

  #closed(): void {
    if (!this.#isOver) this.#leave();
  }

  #leave(): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.#wake();
    this.#waiting.length = 0;
    this.#leavePlace();
    this.#signedIn?.connections.delete(this.#onLoginEnded);
    this.#transfers.close();
  }
}
