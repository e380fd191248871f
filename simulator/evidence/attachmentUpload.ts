// The connection on which a terminal uploads the files of one alarm (T/JSATL 12): it lists them, and sends one after another until
// the platform has each of them completely.
import type { Socket } from 'node:net';
import { type AlarmMark, createAlarmMark } from '../../server/device/jt808/codec/alarmMark.ts';
import { encodeBlock, type FileBlock } from '../../server/device/jt808/codec/attachmentStream.ts';
import { GeneralResult, MessageId } from '../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../server/device/jt808/codec/frame.ts';
import { type BodyOf, decodeMessage, type MessageBody } from '../../server/device/jt808/codec/message.ts';
import {
  AttachmentResult,
  AttachmentUploadType,
  type FileRange,
} from '../../server/device/jt808/codec/messages/attachments.ts';
import { openSocket } from '../../server/faults/sockets.ts';
import { runAfter } from '../../server/faults/timers.ts';
import { OutgoingMessages } from '../outgoingMessages.ts';
import { reportFault } from '../reportFault.ts';
import { terminalIdOf, type VehicleProfile } from '../vehicleProfile.ts';
import type { AlarmFile } from './alarmFiles.ts';
import { blocksIn, blocksOf } from './attachmentBlocks.ts';

export interface AttachmentUploadOptions {
  readonly profile: VehicleProfile;
  readonly request: BodyOf<'attachmentRequest'>;
  readonly files: readonly AlarmFile[];
  readonly onMessage?: ((body: MessageBody) => void) | undefined;
  readonly onClose: () => void;
}

const ANSWER_TIMEOUT_MS = 15_000;

/** Owns its socket until `close`, or until all files have arrived. */
export class AttachmentUpload {
  readonly #options: AttachmentUploadOptions;
  readonly #socket: Socket;
  readonly #messages: OutgoingMessages;
  /** Files that the platform doesn't have yet; the first is being sent. */
  readonly #waiting: AlarmFile[];
  #cancelTimeout: (() => void) | undefined;

  constructor(options: AttachmentUploadOptions) {
    const { profile, request } = options;
    this.#options = options;
    this.#waiting = [...options.files];
    this.#messages = new OutgoingMessages(profile);
    const splitter = new FrameSplitter();
    this.#socket = openSocket({ host: request.host, port: request.tcpPort, noDelay: true }, reportFault);
    this.#socket.on('connect', () => this.#list());
    this.#socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) {
        const result = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        if (result?.ok !== true) continue;
        options.onMessage?.(result.message.body);
        this.#handle(result.message.body);
      }
    });
    this.#socket.on('close', () => {
      this.#cancelTimeout?.();
      options.onClose();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  get #quirks() {
    return this.#options.profile.quirks?.attachments ?? {};
  }

  #list(): void {
    const { profile, request, files } = this.#options;
    this.#say({
      kind: 'attachmentList',
      terminalId: terminalIdOf(profile),
      mark: this.#quirks.hasForeignMark === true ? foreignMark(request.mark) : request.mark,
      alarmNumber: request.alarmNumber,
      uploadType: AttachmentUploadType.Normal,
      files: files.map((file) => ({ name: file.name, sizeBytes: this.#sizeOf(file) })),
    });
  }

  #handle(body: MessageBody): void {
    if (body.kind === 'attachmentFileReply') this.#judged(body);
    else if (body.kind === 'platformGeneralReply') this.#answered(body);
  }

  #answered({ replyId, result }: BodyOf<'platformGeneralReply'>): void {
    const [file] = this.#waiting;
    if (result !== GeneralResult.Ok) this.close();
    else if (replyId === MessageId.attachmentList) this.#announce();
    else if (replyId === MessageId.attachmentFile && file !== undefined) this.#send(blocksOf(file, this.#quirks), file);
  }

  /** Handles the platform's answer about a file that was reported as sent. */
  #judged({ name, result, missing }: BodyOf<'attachmentFileReply'>): void {
    const [file] = this.#waiting;
    if (file?.name !== name) return;
    if (result === AttachmentResult.SendAgain) {
      this.#send(missingBlocks(file, missing), file);
      return;
    }
    this.#waiting.shift();
    this.#announce();
  }

  /** Announces the next file, or ends the connection when there is none. */
  #announce(): void {
    const [file] = this.#waiting;
    if (file === undefined) this.#socket.end();
    else this.#say({ kind: 'attachmentFile', ...this.#described(file) });
  }

  /** Sends the blocks no faster than the network takes them. */
  #send(blocks: Iterator<FileBlock>, file: AlarmFile): void {
    this.#cancelTimeout?.();
    for (let next = blocks.next(); next.done !== true; next = blocks.next()) {
      if (this.#socket.destroyed) return;
      if (!this.#socket.write(encodeBlock(next.value))) {
        this.#socket.once('drain', () => this.#send(blocks, file));
        return;
      }
    }
    if (this.#quirks.neverDone !== true) this.#say({ kind: 'attachmentFileDone', ...this.#described(file) });
  }

  #described(file: AlarmFile): Pick<BodyOf<'attachmentFile'>, 'name' | 'type' | 'sizeBytes'> {
    return { name: file.name, type: file.type, sizeBytes: this.#sizeOf(file) };
  }

  #sizeOf({ bytes }: AlarmFile): number {
    return Math.max(0, bytes.length + (this.#quirks.sizeErrorBytes ?? 0));
  }

  #say(body: MessageBody): void {
    for (const frame of this.#messages.next(body).frames) this.#socket.write(frame);
    this.#cancelTimeout?.();
    this.#cancelTimeout = runAfter(ANSWER_TIMEOUT_MS, () => this.close(), reportFault);
  }
}

function* missingBlocks(file: AlarmFile, missing: readonly FileRange[]): Generator<FileBlock> {
  for (const range of missing) yield* blocksIn(file, range);
}

function foreignMark({ time, serial, fileCount }: AlarmMark): AlarmMark {
  return createAlarmMark({ terminalId: '0000000', time, serial, fileCount });
}
