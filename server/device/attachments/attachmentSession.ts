// One connection on which a terminal uploads files of alarms (T/JSATL 12): a list under a number that was given out, then each file
// in blocks, until no part of it is missing.
import type { Socket } from 'node:net';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import type { GroupPlaces } from '../../limits/groupPlaces.ts';
import type { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type AttachmentEvent, AttachmentSplitter, type FileBlock } from '../jt808/codec/attachmentStream.ts';
import { GeneralResult } from '../jt808/codec/codes.ts';
import type { Header } from '../jt808/codec/header.ts';
import { type BodyOf, decodeBody, decodeMessage, type MessageBody } from '../jt808/codec/message.ts';
import { AttachmentResult } from '../jt808/codec/messages/attachments.ts';
import { PartAssembler } from '../jt808/codec/parts.ts';
import { Outbox } from '../jt808/outbox.ts';
import { plainAddress } from '../tcpServer.ts';
import type { TerminalSession } from '../terminalSession.ts';
import { NO_SOCKET_USE, type SocketUse, type SocketUses } from '../usage/socketUse.ts';
import type { AlarmConnection, AlarmConnections } from './alarmConnections.ts';
import {
  DURATION_LIMIT,
  FILE_BYTES_LIMIT,
  FILES_LIMIT,
  FIRST_BYTES_LIMIT,
  FIRST_LIST_LIMIT,
  LIST_BYTES_LIMIT,
  PROGRESS_BYTES,
  PROGRESS_LIMIT,
  SURPLUS_BYTES_LIMIT,
} from './attachmentLimits.ts';
import type { AnnouncedFile, AttachmentSink, AttachmentUpload, GivenNumber } from './attachmentSink.ts';
import { type FileReception, openReception } from './fileReception.ts';

export interface AttachmentSessionDeps {
  readonly sink: AttachmentSink;
  readonly sessionOf: (deviceId: string) => TerminalSession | undefined;
  /** Connections that bring files: all of them, and those of a device. */
  readonly uploads: GroupPlaces;
  readonly deviceUploads: KeyedCount;
  readonly owners: Pick<DeviceOwners, 'ofDevice'>;
  readonly connections: AlarmConnections;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly uses?: SocketUses | undefined;
  /** Called once the connection has proved to be a terminal's. */
  readonly onProved: () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** The most missing ranges that fit in one frame, with any name. */
const MISSING_A_REPLY = 95;
/** Limits for a list of files that comes in packages. */
const PACKAGED = { maxSets: 1, maxBytes: FIRST_BYTES_LIMIT.max };

interface Accepted {
  readonly alarmNumber: string;
  readonly upload: AttachmentUpload;
  /** The files by name. */
  readonly files: ReadonlyMap<string, AnnouncedFile>;
  readonly totalBytes: number;
}

/** Owns the socket until it closes. */
export class AttachmentSession implements AlarmConnection {
  readonly #socket: Socket;
  readonly #deps: AttachmentSessionDeps;
  readonly #splitter = new AttachmentSplitter();
  readonly #parts: PartAssembler;
  readonly #outbox: Outbox;
  readonly #use: SocketUse;
  readonly #cancels: (() => void)[] = [];
  #accepted: Accepted | undefined;
  #file: FileReception | undefined;
  /** Gives back the place among the uploads. */
  #leave: (() => void) | undefined;
  #receivedBytes = 0;
  /** Bytes of the files in all lists so far. */
  #announcedBytes = 0;
  /** Bytes received when progress was last checked. */
  #checkedBytes = 0;
  #heardAtMs: number;
  /** The alarm number under which this connection is registered. */
  #alarmNumber: string | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(socket: Socket, deps: AttachmentSessionDeps) {
    const { runAfter, now, onLimit } = deps;
    this.#socket = socket;
    this.#deps = deps;
    this.#heardAtMs = now();
    this.#outbox = new Outbox(socket, onLimit);
    this.#use = deps.uses?.add(socket) ?? NO_SOCKET_USE;
    this.#parts = new PartAssembler(now, PACKAGED, () => onLimit(FIRST_BYTES_LIMIT));
    this.#cancels.push(
      runAfter(FIRST_LIST_LIMIT.max, () => {
        if (this.#accepted === undefined) this.#cut(FIRST_LIST_LIMIT);
      }),
      runAfter(DURATION_LIMIT.max, () => this.#cut(DURATION_LIMIT)),
    );
    this.#checkProgressLater();
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('close', () => this.#close());
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Ends this connection, because the terminal has opened another one. */
  async giveWay(): Promise<void> {
    this.#socket.destroy();
    this.#close();
    await this.#work;
  }

  /** The socket is not read while a chunk is worked on, so that a slow disk slows this terminal and takes no memory. */
  #read(chunk: Uint8Array): void {
    this.#receivedBytes += chunk.byteLength;
    this.#heardAtMs = this.#deps.now();
    if (this.#isTooMuch()) return;
    this.#socket.pause();
    this.#work = this.#work
      .then(() => this.#takeAll(this.#splitter.push(chunk)))
      .catch((cause: unknown) => {
        this.#deps.onFault(faultOf('files of an alarm could not be taken', cause));
        this.#socket.destroy();
      })
      .then(() => {
        if (!this.#socket.destroyed) this.#socket.resume();
      });
  }

  #isTooMuch(): boolean {
    const limit = this.#announcedBytes === 0 && this.#accepted === undefined ? FIRST_BYTES_LIMIT : SURPLUS_BYTES_LIMIT;
    if (this.#receivedBytes <= limit.max + 2 * this.#announcedBytes) return false;
    this.#cut(limit);
    return true;
  }

  async #takeAll(events: readonly AttachmentEvent[]): Promise<void> {
    for (const event of events) {
      if (this.#socket.destroyed) return;
      if (event.kind === 'frame') await this.#takeFrame(event.bytes);
      else if (event.kind === 'block') await this.#takeBlock(event);
      // The sender has not identified itself, and the data belongs to no file.
      else if (this.#accepted === undefined) this.#socket.destroy();
    }
  }

  async #takeFrame(bytes: Uint8Array): Promise<void> {
    const result = decodeMessage(bytes);
    if (!result.ok) {
      if (this.#accepted === undefined) this.#socket.destroy();
      return;
    }
    const { header, body } = result.message;
    this.#outbox.answerAs(header);
    if (body.kind !== 'part') return this.#takeMessage(header, body);
    const joined = this.#parts.add(header, body.bytes);
    const whole = joined.kind === 'complete' ? decodeBody(joined.messageId, joined.edition, joined.bytes) : undefined;
    if (whole?.ok === true) return this.#takeMessage(header, whole.body);
    this.#reply(header, joined.kind === 'refused' ? GeneralResult.Failed : GeneralResult.Ok);
  }

  async #takeMessage(header: Header, body: MessageBody): Promise<void> {
    if (body.kind === 'attachmentList') return this.#takeList(header, body);
    if (this.#accepted === undefined) {
      this.#socket.destroy();
      return;
    }
    if (body.kind === 'attachmentFile') return this.#openFile(header, body, this.#accepted);
    if (body.kind === 'attachmentFileDone') return this.#fileDone(header, body);
    this.#reply(header, body.kind === 'heartbeat' ? GeneralResult.Ok : GeneralResult.NotSupported);
  }

  async #takeList(header: Header, list: BodyOf<'attachmentList'>): Promise<void> {
    // The list was sent again, because the answer was late.
    if (this.#accepted?.alarmNumber === list.alarmNumber) return this.#reply(header, GeneralResult.Ok);
    if (this.#accepted !== undefined) await this.#endUpload();
    const number = this.#deps.sink.find(list.alarmNumber);
    const leave = number === undefined || !this.#isOf(number, header) ? undefined : await this.#enter(number);
    const accepted = number === undefined || leave === undefined ? undefined : await this.#begin(number, list);
    if (accepted === undefined) {
      leave?.();
      this.#leaveConnections();
      this.#reply(header, GeneralResult.Failed);
      this.#socket.end();
      return;
    }
    this.#leave = leave;
    this.#accepted = accepted;
    if (number !== undefined) this.#own(number);
    this.#announcedBytes += accepted.totalBytes;
    // The socket may have closed meanwhile, and nothing would end what began after that.
    if (this.#socket.destroyed) this.#close();
    this.#deps.onProved();
    this.#reply(header, GeneralResult.Ok);
  }

  #own({ deviceId }: Pick<GivenNumber, 'deviceId'>): void {
    const session = this.#deps.sessionOf(deviceId);
    if (session !== undefined) this.#use.belongsTo({ incarnation: session.incarnation, kind: () => 'attachments' });
  }

  /** Whether the list is from the terminal that was given the number, at the address where it is signed in. */
  #isOf({ deviceId, archiveNumber }: GivenNumber, { terminal }: Header): boolean {
    const session = this.#deps.sessionOf(deviceId);
    if (session === undefined || session.archiveNumber !== archiveNumber) return false;
    if (session.terminal !== terminal.canonical) return false;
    return session.relaxedMediaAddress || session.remoteAddress === plainAddress(this.#socket.remoteAddress);
  }

  async #enter(number: GivenNumber): Promise<(() => void) | undefined> {
    const { connections, deviceUploads, owners, uploads, sink, now } = this.#deps;
    const { alarmNumber, deviceId } = number;
    // Before waiting for another connection: two that waited for each other would wait for ever.
    this.#leaveConnections();
    this.#alarmNumber = alarmNumber;
    await connections.enter(alarmNumber, deviceId, this);
    const leaveDevice =
      deviceUploads.enter(deviceId) ??
      ((await connections.endStale(deviceId, this, now())) ? deviceUploads.enter(deviceId) : undefined);
    const leaveAll = leaveDevice === undefined ? undefined : uploads.enter(owners.ofDevice(deviceId));
    if (leaveAll === undefined) {
      leaveDevice?.();
      sink.busy(number);
      return undefined;
    }
    return () => {
      leaveDevice?.();
      leaveAll();
    };
  }

  async #begin(number: GivenNumber, list: BodyOf<'attachmentList'>): Promise<Accepted | undefined> {
    const files = new Map(list.files.map((file) => [file.name, file]));
    if (files.has('')) return undefined;
    const totalBytes = [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const reached = limitOf([...files.values()], totalBytes);
    if (reached !== undefined) {
      this.#deps.onLimit(reached);
      return undefined;
    }
    const upload = await this.#deps.sink.begin(number, [...files.values()]);
    return upload === undefined ? undefined : { alarmNumber: number.alarmNumber, upload, files, totalBytes };
  }

  /** One file is open at a time: one that is not whole when another is opened starts again from the beginning. */
  async #openFile(header: Header, { name, sizeBytes }: AnnouncedFile, { upload, files }: Accepted): Promise<void> {
    const announced = files.get(name);
    if (announced === undefined || announced.sizeBytes !== sizeBytes) return this.#reply(header, GeneralResult.Failed);
    if (this.#file?.name !== name) {
      await this.#file?.setAside();
      this.#file = undefined;
      const opened = await upload.open(announced);
      if (opened === undefined) return this.#reply(header, GeneralResult.Failed);
      this.#file = openReception(announced, opened, this.#deps.onLimit);
      if (this.#socket.destroyed) await this.#file.setAside();
    }
    this.#reply(header, GeneralResult.Ok);
  }

  async #takeBlock(block: FileBlock): Promise<void> {
    if (this.#accepted === undefined) this.#socket.destroy();
    else if (this.#file?.isOf(block) === true && !(await this.#file.take(block))) this.#socket.end();
  }

  async #fileDone(header: Header, { name, type }: BodyOf<'attachmentFileDone'>): Promise<void> {
    const file = this.#file;
    if (file?.name !== name) return this.#reply(header, GeneralResult.Failed);
    if (!file.isComplete && !file.isAllThereIs()) {
      const missing = file.missing(MISSING_A_REPLY);
      this.#outbox.send({ kind: 'attachmentFileReply', name, type, result: AttachmentResult.SendAgain, missing });
      return;
    }
    this.#file = undefined;
    if (await file.finish()) {
      this.#outbox.send({ kind: 'attachmentFileReply', name, type, result: AttachmentResult.Complete, missing: [] });
      return;
    }
    // The file is not kept here: the terminal keeps its copy, and is asked for it later.
    this.#reply(header, GeneralResult.Failed);
    this.#socket.end();
  }

  #reply({ serial, messageId }: Header, result: number): void {
    this.#outbox.send({ kind: 'platformGeneralReply', replySerial: serial, replyId: messageId, result });
  }

  #checkProgressLater(): void {
    const cancel = this.#deps.runAfter(PROGRESS_LIMIT.max, () => {
      this.#cancels.splice(this.#cancels.indexOf(cancel), 1);
      if (this.#receivedBytes - this.#checkedBytes < PROGRESS_BYTES) {
        this.#cut(PROGRESS_LIMIT);
        return;
      }
      this.#checkedBytes = this.#receivedBytes;
      this.#checkProgressLater();
    });
    this.#cancels.push(cancel);
  }

  #cut(limit: Limit): void {
    this.#deps.onLimit(limit);
    this.#socket.destroy();
  }

  /** Ends the upload when the connection is over, or brings the files of another alarm from now on. */
  async #endUpload(): Promise<void> {
    const [accepted, file] = [this.#accepted, this.#file];
    this.#leave?.();
    this.#leaveConnections();
    [this.#accepted, this.#file, this.#leave] = [undefined, undefined, undefined];
    try {
      await file?.setAside();
    } finally {
      await accepted?.upload.end();
    }
  }

  /** Closes after the work under way, which may be writing the file. */
  #close(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
    this.#leave?.();
    this.#leaveConnections();
    this.#work = this.#work
      .then(() => this.#endUpload())
      .catch((cause: unknown) => this.#deps.onFault(faultOf('files of an alarm could not be ended', cause)));
  }

  #leaveConnections(): void {
    if (this.#alarmNumber !== undefined) this.#deps.connections.leave(this.#alarmNumber, this);
  }
}

function limitOf(files: readonly AnnouncedFile[], totalBytes: number): Limit | undefined {
  if (files.length > FILES_LIMIT.max) return FILES_LIMIT;
  if (files.some(({ sizeBytes }) => sizeBytes > FILE_BYTES_LIMIT.max)) return FILE_BYTES_LIMIT;
  return totalBytes > LIST_BYTES_LIMIT.max ? LIST_BYTES_LIMIT : undefined;
}
