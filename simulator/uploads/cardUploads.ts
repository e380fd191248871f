// The uploads of its recordings that a simulated terminal has been asked for.
import { GeneralResult } from '../../server/device/jt808/codec/codes.ts';
import { type BodyOf, type MessageBody, messageIdOf } from '../../server/device/jt808/codec/message.ts';
import { RecordedStorage, RecordedStream } from '../../server/device/jt808/codec/messages/recordings.ts';
import { UploadCommand } from '../../server/device/uploads/uploadOrder.ts';
import { inBackground } from '../../server/faults/background.ts';
import type { CardClock } from '../card/cardClock.ts';
import { type CardFile, cardFiles } from '../card/cardContents.ts';
import { wireChannel } from '../channelQuirks.ts';
import type { Clip } from '../clip/loadClip.ts';
import { reportFault } from '../reportFault.ts';
import type { VehicleProfile } from '../vehicleProfile.ts';
import { CardUpload } from './cardUpload.ts';
import { type UploadFile, uploadFiles } from './uploadFiles.ts';

export interface CardUploadsOptions {
  /** Digits of the number in media packets. */
  readonly sim: string;
  readonly profile: VehicleProfile;
  readonly clock: CardClock;
  readonly clipOf: (channel: number) => Clip | undefined;
  readonly now: () => number;
  readonly reply: (body: MessageBody) => void;
  /** Sent again until it is acknowledged. */
  readonly report: (body: MessageBody) => void;
  readonly onUploaded: ((piece: UploadedPiece) => void) | undefined;
}

/** What a server has said that it has (226). */
export interface UploadedPiece extends CardFile {
  readonly channel: number;
}

/** At once. */
const MAX_UPLOADS = 4;

/** By the serial of the order, which 0x9207 names. */
export class CardUploads {
  readonly #options: CardUploadsOptions;
  readonly #open = new Map<number, CardUpload>();

  constructor(options: CardUploadsOptions) {
    this.#options = options;
  }

  /** Serials of orders that are being obeyed. */
  get serials(): readonly number[] {
    return [...this.#open.keys()];
  }

  obey(serial: number, order: BodyOf<'fileUpload'> | BodyOf<'fileUploadControl'>): void {
    if (order.kind === 'fileUpload') this.#begin(serial, order);
    else this.#control(serial, order);
  }

  stopAll(): void {
    for (const upload of this.#open.values()) upload.cancel();
    this.#open.clear();
  }

  #begin(serial: number, order: BodyOf<'fileUpload'>): void {
    const files = this.#filesOf(order);
    const isPossible = files.length > 0 && this.#open.size < MAX_UPLOADS;
    this.#answer(serial, order, isPossible ? GeneralResult.Ok : GeneralResult.Failed);
    if (!isPossible) return;
    const upload = new CardUpload({
      target: order,
      files,
      quirks: this.#quirks,
      onAcknowledged: ({ piece }) => this.#options.onUploaded?.({ ...piece, channel: order.channel }),
    });
    this.#open.set(serial, upload);
    inBackground('an upload of the simulator', this.#run(serial, upload), reportFault);
  }

  async #run(serial: number, upload: CardUpload): Promise<void> {
    const isDone = await upload.run();
    if (this.#open.get(serial) === upload) this.#open.delete(serial);
    if (upload.isCanceled || this.#quirks.neverDone === true) return;
    this.#options.report({ kind: 'fileUploadDone', replySerial: serial, result: isDone ? 0 : 1 });
  }

  #control(serial: number, order: BodyOf<'fileUploadControl'>): void {
    const upload = this.#open.get(order.uploadSerial);
    this.#answer(serial, order, upload === undefined ? GeneralResult.Failed : GeneralResult.Ok);
    if (order.command === UploadCommand.Pause) upload?.pause();
    if (order.command === UploadCommand.Continue) upload?.goOn();
    if (order.command !== UploadCommand.Cancel) return;
    upload?.cancel();
    this.#open.delete(order.uploadSerial);
  }

  /** The card holds main streams, on the main storage. */
  #filesOf({ channel, start, end, stream, storage }: BodyOf<'fileUpload'>): readonly UploadFile[] {
    const { profile, sim, clock, clipOf, now } = this.#options;
    const clip = channel >= 1 && channel <= profile.channels ? clipOf(channel) : undefined;
    if (clip === undefined || stream === RecordedStream.Sub || storage === RecordedStorage.Backup) return [];
    const range = { startMs: clock.moment(start) ?? 0, endMs: clock.moment(end) ?? now() };
    const pieces = cardFiles(profile.card ?? {}, range, now()).map((file) => ({
      startMs: Math.max(file.startMs, range.startMs),
      endMs: Math.min(file.endMs, range.endMs),
    }));
    return uploadFiles(pieces, { clip, sim, channel: wireChannel(channel, profile.quirks), clock }, this.#quirks);
  }

  get #quirks() {
    return this.#options.profile.quirks?.uploads ?? {};
  }

  #answer(replySerial: number, to: MessageBody, result: number): void {
    this.#options.reply({ kind: 'terminalGeneralReply', replySerial, replyId: messageIdOf(to), result });
  }
}
