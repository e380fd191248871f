// The transfers of one control connection, one at a time, with the data connections made ready for them.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { FtpDownloadLogin, FtpUploadLogin } from '../ftpLogin.ts';
import type { FtpNote } from '../ftpNote.ts';
import { type DataAddress, isOwnAddress, pasvText } from '../protocol/dataAddress.ts';
import { Reply } from '../protocol/replies.ts';
import { nameOf } from '../protocol/virtualPath.ts';
import type { PublicAddress } from '../publicAddress.ts';
import { ActiveChannel, type DataChannel, type PassivePorts } from './dataChannel.ts';
import type { LoginFiles, StoredFile, TransferStart } from './loginFiles.ts';
import { isDiskFull, type ReceptionEnd, receiveFile } from './receiveFile.ts';
import { sendFile } from './sendFile.ts';
import { isWhole } from './wholeness.ts';

export interface TransferDeps {
  readonly passivePorts: PassivePorts;
  readonly publicAddress: PublicAddress;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
  readonly onNote: (note: FtpNote) => void;
}

export interface ControlSide {
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly say: (text: string) => void;
  /** Whether the terminal waits for the answer. */
  readonly isOpen: () => boolean;
}

export interface StoreOrder {
  readonly login: FtpUploadLogin;
  readonly files: LoginFiles;
  readonly path: string;
  readonly start: TransferStart;
  readonly announcedBytes: number | undefined;
  /** Nobody hears of a login that has ended. */
  readonly isLoginOpen: () => boolean;
}

export interface SendOrder {
  readonly login: FtpDownloadLogin;
  readonly offset: number;
  readonly isLoginOpen: () => boolean;
}

/** Owner alone: footage and images are nobody else's on the machine. */
const FILE_MODE = 0o600;

export class Transfers {
  readonly #control: ControlSide;
  readonly #deps: TransferDeps;
  #channel: DataChannel | undefined;
  #socket: Socket | undefined;
  #isClosed = false;

  constructor(control: ControlSide, deps: TransferDeps) {
    this.#control = control;
    this.#deps = deps;
  }

  /** The answer to PASV or EPSV of a login of this device. */
  async passive(isExtended: boolean, deviceId: string): Promise<string> {
    this.#channel?.close();
    this.#channel = undefined;
    const { passivePorts, publicAddress } = this.#deps;
    const host = isExtended ? '' : await publicAddress.ofConnection(this.#control.localAddress);
    if (host === undefined) return Reply.OtherFamily;
    const channel = await passivePorts.listen({ remoteAddress: this.#control.remoteAddress, deviceId });
    if (channel === undefined) return Reply.NoPort;
    this.#channel = channel;
    if (this.#isClosed) channel.close();
    return isExtended ? `229 Dial (|||${channel.port}|)` : `227 Dial (${pasvText({ host, port: channel.port })})`;
  }

  /** The answer to PORT or EPRT. */
  active(address: DataAddress): string {
    if (!isOwnAddress(address, this.#control.remoteAddress)) return Reply.WrongArgument;
    this.#channel?.close();
    this.#channel = new ActiveChannel(address, this.#deps);
    return Reply.Done;
  }

  /** Settles with the answer when the transfer is over. */
  async store(order: StoreOrder): Promise<string> {
    const channel = this.#channel;
    if (channel === undefined) return Reply.NoDataConnection;
    try {
      const { files, path, start } = order;
      // A terminal that lost its connection comes back before the old one is found to be dead.
      for (let file = files.find(path); file?.interrupt !== undefined; file = files.find(path)) await file.interrupt();
      const placed = files.place(path, start);
      if (!placed.ok) return placed.reason === 'too-many' ? Reply.NoRoom : Reply.WrongRestart;
      return await this.#alone(placed.file, () => this.#store(order, placed.file, { channel, offset: placed.offset }));
    } finally {
      this.#over(channel);
    }
  }

  async send({ login, offset, isLoginOpen }: SendOrder): Promise<string> {
    const channel = this.#channel;
    if (channel === undefined) return Reply.NoDataConnection;
    const opened = await this.#open(login.file, constants.O_RDONLY);
    try {
      if (!opened.ok) return this.#unreadable(opened.error);
      const socket = await this.#connect(channel);
      if (socket === undefined) return Reply.NoDataConnection;
      let sentBytes = 0;
      const end = await sendFile(socket, {
        ...this.#deps,
        handle: opened.handle,
        offset,
        endBytes: login.bytes,
        beforeEnd: login.beforeEnd,
        onBytes: (at, bytes) => {
          sentBytes += bytes;
          if (isLoginOpen()) this.#tell(() => login.onBytes(at, bytes));
        },
      });
      const isEnded = end.kind === 'ended';
      this.#deps.onNote({ kind: 'sent', deviceId: login.deviceId, bytes: sentBytes, isWhole: isEnded });
      if (end.kind === 'failed') return this.#unreadable(end.error);
      return isEnded ? Reply.Closing : Reply.Broken;
    } finally {
      if (opened.ok) await this.#closeFile(opened.handle);
      this.#over(channel);
    }
  }

  /** Ends the transfer that runs, which then answers that it was broken off. */
  abort(): void {
    this.#channel?.close();
    this.#socket?.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.abort();
  }

  /** Nobody else writes to the file meanwhile. */
  async #alone(file: StoredFile, run: () => Promise<string>): Promise<string> {
    let tellOver = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      tellOver = resolve;
    });
    file.interrupt = () => {
      this.abort();
      return over;
    };
    try {
      return await run();
    } finally {
      file.interrupt = undefined;
      tellOver();
    }
  }

  async #store(
    order: StoreOrder,
    file: StoredFile,
    { channel, offset }: { readonly channel: DataChannel; readonly offset: number },
  ): Promise<string> {
    const opened = await this.#open(file.path, constants.O_WRONLY | constants.O_CREAT);
    if (!opened.ok)
      return this.#answerTo(isDiskFull(opened.error) ? { kind: 'disk-full' } : { kind: 'failed', error: opened.error });
    const { handle } = opened;
    let end: ReceptionEnd | undefined;
    try {
      const socket = await this.#connect(channel);
      if (socket === undefined) return Reply.NoDataConnection;
      // Up to here the file is as it was: a connection that doesn't come costs nothing.
      const refusal = await this.#withdraw(order, file);
      if (refusal !== undefined) return refusal;
      if (offset < file.bytes) await handle.truncate(offset);
      file.bytes = offset;
      end = await receiveFile(socket, {
        ...this.#deps,
        ...order,
        handle,
        file,
        onReceived: (bytes) => this.#tell(() => order.login.onReceived?.(bytes)),
        hasRoom: order.login.hasRoom,
        isPaused: order.login.isPaused,
        onBytes: (bytes) => {
          if (order.isLoginOpen()) this.#tell(() => order.login.onBytes(bytes));
        },
      });
      // What the terminal is told that we have survives a power cut.
      if (end.kind === 'ended') await handle.sync();
    } catch (error) {
      end = isDiskFull(error) ? { kind: 'disk-full' } : { kind: 'failed', error };
    } finally {
      await this.#closeFile(handle);
    }
    return this.#finish(order, file, { end, offset });
  }

  /** Nobody reads the file once it changes. The answer, where it may not. */
  async #withdraw({ login, isLoginOpen }: StoreOrder, file: StoredFile): Promise<string | undefined> {
    // Whole files of a login that has ended are being read.
    if (!isLoginOpen()) return Reply.Broken;
    if (file.mayBeRead && !(await this.#tellOf({ ...file, isWhole: false }, login))) return Reply.LocalError;
    file.isWhole = false;
    file.mayBeRead = false;
    return undefined;
  }

  async #finish(
    { login, announcedBytes, isLoginOpen }: StoreOrder,
    file: StoredFile,
    { end, offset }: { readonly end: ReceptionEnd; readonly offset: number },
  ): Promise<string> {
    const isEnded = end.kind === 'ended';
    file.isWhole = isWhole({
      isEnded,
      fileBytes: file.bytes,
      receivedBytes: file.bytes - offset,
      announcedBytes,
      isControlOpen: this.#control.isOpen(),
    });
    file.mayBeRead = file.isWhole;
    const isTold = !isLoginOpen() || (await this.#tellOf(file, login));
    // What is noted nowhere would be lost with the gateway: the terminal keeps its own, and sends it again.
    if (!isTold) file.isWhole = false;
    this.#deps.onNote({ kind: 'stored', deviceId: login.deviceId, bytes: file.bytes - offset, isWhole: file.isWhole });
    if (file.isWhole) return Reply.Closing;
    return isEnded && !isTold ? Reply.LocalError : this.#answerTo(end);
  }

  /** False where whoever listens has failed. */
  async #tellOf(
    { path, virtualPath, bytes, isWhole: isFileWhole }: StoredFile,
    login: FtpUploadLogin,
  ): Promise<boolean> {
    try {
      await login.onFile({ path, name: nameOf(virtualPath), bytes, isWhole: isFileWhole });
      return true;
    } catch (cause) {
      this.#untold(cause);
      return false;
    }
  }

  /** A fault of who listens is no fault of the connection: the transfer goes on. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (cause) {
      this.#untold(cause);
    }
  }

  #untold(cause: unknown): void {
    this.#deps.onFault(faultOf('a file transfer could not be told', cause));
  }

  #answerTo(end: ReceptionEnd): string {
    switch (end.kind) {
      case 'no-room':
        return Reply.NoRoom;
      case 'disk-full':
        this.#deps.onFault(new Error('a file of a terminal could not be stored: the disk is full'));
        return Reply.DiskFull;
      case 'failed':
        this.#deps.onFault(faultOf('a file of a terminal could not be stored', end.error));
        return Reply.LocalError;
      case 'ended':
      case 'broken':
      case 'silent':
        return Reply.Broken;
    }
  }

  #unreadable(error: unknown): string {
    this.#deps.onFault(faultOf('a file for a terminal could not be read', error));
    return Reply.LocalError;
  }

  async #open(
    path: string,
    flags: number,
  ): Promise<{ readonly ok: true; readonly handle: FileHandle } | { readonly ok: false; readonly error: unknown }> {
    try {
      return { ok: true, handle: await open(path, flags, FILE_MODE) };
    } catch (error) {
      return { ok: false, error };
    }
  }

  async #closeFile(handle: FileHandle): Promise<void> {
    try {
      await handle.close();
    } catch (error) {
      this.#deps.onFault(faultOf('a file of a terminal could not be closed', error));
    }
  }

  /** Clients connect before they hear 150, or only then. */
  async #connect(channel: DataChannel): Promise<Socket | undefined> {
    if (this.#isClosed) return undefined;
    this.#control.say(Reply.Opening);
    const socket = await channel.take();
    this.#socket = socket;
    return socket;
  }

  #over(channel: DataChannel): void {
    channel.close();
    if (this.#channel === channel) this.#channel = undefined;
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}
