// Takes pictures when it is told to, keeps them, and uploads them.
import { GeneralResult } from '../../server/device/jt808/codec/codes.ts';
import { type BodyOf, type MessageBody, messageIdOf } from '../../server/device/jt808/codec/message.ts';
import type { BasicPosition } from '../../server/device/jt808/codec/messages/position.ts';
import type { After } from '../../server/faults/timers.ts';
import { wireChannel } from '../channelQuirks.ts';
import type { OutgoingMessage } from '../outgoingMessages.ts';
import type { VehicleProfile } from '../vehicleProfile.ts';
import { PictureUploads } from './pictureUploads.ts';
import { storedSnapshot } from './snapshot.ts';
import { type StoredPicture, StoredPictures } from './storedPictures.ts';

export interface TerminalCameraDeps {
  readonly profile: VehicleProfile;
  readonly now: () => number;
  readonly runAfter: After;
  readonly positionAt: (atMs: number) => BasicPosition;
  readonly send: (body: MessageBody) => OutgoingMessage;
  readonly sendAgain: (frames: readonly Uint8Array[]) => void;
}

export type CameraOrder =
  | BodyOf<'takePicture'>
  | BodyOf<'searchMedia'>
  | BodyOf<'uploadStoredMedia'>
  | BodyOf<'uploadOneMedia'>;

/** Results in 0x0805. */
const TakenResult = { Done: 0, Failed: 1, NoSuchChannel: 2 } as const;
/** Commands in 0x8801. */
const PictureCommand = { Stop: 0, Video: 0xffff } as const;
const UPLOAD = 0;
const DELETE_AFTERWARDS = 1;
const COMMANDED = 0;
const MAX_PICTURES_AN_ORDER = 10;
/** The resolutions 320x240, QCIF and CIF. */
const SMALL_RESOLUTIONS: ReadonlySet<number> = new Set([1, 5, 6]);
const PICTURE = 0;
const JPEG = 0;
const DEFAULT_QUALITY = 75;
const BEST_QUALITY = 95;

/** Owns its timers until `close`. */
export class TerminalCamera {
  readonly #deps: TerminalCameraDeps;
  readonly #pictures = new StoredPictures();
  readonly #uploads: PictureUploads;
  readonly #removedAfterwards = new Set<number>();
  /** Pictures of a series that are still to be taken, with what cancels them. */
  readonly #due = new Map<number, () => void>();

  constructor(deps: TerminalCameraDeps) {
    this.#deps = deps;
    this.#uploads = new PictureUploads({
      ...deps,
      messageOf: (mediaId) => this.#uploadOf(mediaId),
      onUploaded: (mediaId) => {
        if (this.#removedAfterwards.delete(mediaId)) this.#pictures.remove(mediaId);
      },
    });
  }

  obey(serial: number, order: CameraOrder): void {
    if (order.kind === 'takePicture') this.#takeOrdered(serial, order);
    else if (order.kind === 'searchMedia') this.#list(serial, order);
    else if (order.kind === 'uploadStoredMedia') this.#upload(serial, order, this.#pictures.find(order));
    else this.#upload(serial, order, this.#one(order.mediaId));
  }

  /** Gives the media id. The picture stays on the storage until it is requested. */
  take(channel: number, event: number, atMs: number): number {
    const position = this.#deps.positionAt(atMs);
    return this.#pictures.add({ channel, event, atMs, position, isSmall: false, quality: jpegQuality(0) }).mediaId;
  }

  uploadReply({ mediaId, missing }: BodyOf<'mediaUploadReply'>): void {
    this.#uploads.answered(mediaId, missing);
  }

  refused(serial: number): void {
    this.#uploads.refused(serial);
  }

  signedIn(): void {
    this.#uploads.signedIn();
  }

  disconnected(): void {
    this.#uploads.disconnected();
  }

  close(): void {
    for (const cancel of this.#due.values()) cancel();
    this.#due.clear();
    this.#uploads.disconnected();
  }

  #takeOrdered(serial: number, order: BodyOf<'takePicture'>): void {
    const { channel, command } = order;
    if (command === PictureCommand.Video) {
      this.#answer(serial, order, GeneralResult.NotSupported);
      return;
    }
    this.#stopSeries(channel);
    if (command === PictureCommand.Stop) {
      this.#answer(serial, order, GeneralResult.Ok);
      return;
    }
    const isThere = channel >= 1 && channel <= this.#deps.profile.channels;
    const mediaIds = isThere ? this.#takeSeries(order) : [];
    const result = isThere ? TakenResult.Done : TakenResult.NoSuchChannel;
    this.#deps.send({ kind: 'takePictureReply', replySerial: serial, result, mediaIds });
    if (order.save === UPLOAD) for (const mediaId of mediaIds) this.#uploadWhenTaken(mediaId);
  }

  /** Takes all pictures at once, since what a camera will see is known. */
  #takeSeries({ channel, command, seconds, resolution, quality }: BodyOf<'takePicture'>): number[] {
    const { now, positionAt } = this.#deps;
    const count = Math.min(command, MAX_PICTURES_AN_ORDER);
    return Array.from({ length: count }, (_, index) => {
      const atMs = now() + index * Math.max(1, seconds) * 1000;
      const settings = { isSmall: SMALL_RESOLUTIONS.has(resolution), quality: jpegQuality(quality) };
      return this.#pictures.add({ channel, event: COMMANDED, atMs, position: positionAt(atMs), ...settings }).mediaId;
    });
  }

  #uploadWhenTaken(mediaId: number): void {
    const waitMs = (this.#pictures.get(mediaId)?.atMs ?? 0) - this.#deps.now();
    if (waitMs <= 0) {
      this.#uploads.add([mediaId]);
      return;
    }
    const upload = (): void => {
      this.#due.delete(mediaId);
      this.#uploads.add([mediaId]);
    };
    this.#due.set(mediaId, this.#deps.runAfter(waitMs, upload));
  }

  /** A new order for a camera ends the one before. */
  #stopSeries(channel: number): void {
    for (const [mediaId, cancel] of this.#due) {
      if (this.#pictures.get(mediaId)?.channel !== channel) continue;
      cancel();
      this.#due.delete(mediaId);
      this.#pictures.remove(mediaId);
    }
  }

  #list(replySerial: number, search: BodyOf<'searchMedia'>): void {
    const items = this.#pictures.find(search).map((picture) => this.#described(picture));
    this.#deps.send({ kind: 'searchMediaReply', replySerial, items });
  }

  #upload(serial: number, order: CameraOrder & { readonly remove: number }, pictures: readonly StoredPicture[]): void {
    this.#answer(serial, order, pictures.length === 0 ? GeneralResult.Failed : GeneralResult.Ok);
    const mediaIds = pictures.map(({ mediaId }) => mediaId);
    if (order.remove === DELETE_AFTERWARDS) for (const mediaId of mediaIds) this.#removedAfterwards.add(mediaId);
    this.#uploads.add(mediaIds);
  }

  #one(mediaId: number): readonly StoredPicture[] {
    const picture = this.#pictures.get(mediaId);
    return picture === undefined ? [] : [picture];
  }

  #uploadOf(mediaId: number): BodyOf<'mediaUpload'> | undefined {
    const picture = this.#pictures.get(mediaId);
    if (picture === undefined) return undefined;
    const data = storedSnapshot(picture, this.#deps.profile.quirks);
    return { kind: 'mediaUpload', ...this.#described(picture), format: JPEG, data };
  }

  #described({ mediaId, event, channel, position }: StoredPicture) {
    return { mediaId, type: PICTURE, event, channel: wireChannel(channel, this.#deps.profile.quirks), position };
  }

  #answer(replySerial: number, to: MessageBody, result: number): void {
    this.#deps.send({ kind: 'terminalGeneralReply', replySerial, replyId: messageIdOf(to), result });
  }
}

/** The JPEG quality for 1 to 10, where 1 is the best; 0 leaves it to the terminal. */
function jpegQuality(quality: number): number {
  return quality === 0 ? DEFAULT_QUALITY : BEST_QUALITY - (Math.min(quality, 10) - 1) * 7;
}
