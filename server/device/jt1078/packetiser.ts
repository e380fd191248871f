// Converts the frames of one media session into stream packets. Everything after this is free of terminal quirks.

import { encodeStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { Codec, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { H264Normaliser, type NormalisedUnit } from '../../media/h264/normaliser.ts';
import type { ReorderWatch } from '../../media/h264/reorderWatch.ts';
import { H265Normaliser } from '../../media/h265/normaliser.ts';
import { createFormatPacket, createHubPacket, type HubPacket } from '../../media/hubPacket.ts';
import { PictureSteps } from '../../media/pictureSteps.ts';
import { PresentationTimes, type StampMemory } from '../../media/presentationTimes.ts';
import type { AvAttributes } from '../jt808/codec/messages/live.ts';
import { type AudioFormat, readAudio } from './audioFormat.ts';
import type { MediaFrame } from './codec/assembler.ts';
import { PayloadType } from './codec/payloadTypes.ts';
import { MediaClock, type StampedTime } from './mediaClock.ts';

/** What is known of a channel beyond its packets. */
export interface ChannelHints {
  /** What the terminal said of its codecs. */
  readonly av?: AvAttributes | undefined;
  /** Kept from one connection to the next. */
  readonly reorder?: ReorderWatch | undefined;
  readonly stamps?: StampMemory | undefined;
  /** Longest step between two time stamps that isn't a jump. Default: that of live streams. */
  readonly maxStepMs?: (() => number) | undefined;
}

interface VideoTrack {
  readonly payloadType: number;
  readonly codec: Codec;
  readonly normaliser: { push(accessUnit: Uint8Array): NormalisedUnit | undefined };
}

export class Packetiser {
  readonly #hints: ChannelHints;
  readonly #onGroupCut: () => void;
  readonly #onLimit: OnLimit | undefined;
  readonly #clock: MediaClock;
  readonly #presentation: PresentationTimes;
  #track: VideoTrack | undefined;
  /** Only for live streams: a recording played fast leaves out pictures on purpose. */
  readonly #steps: PictureSteps | undefined;
  /** Set at the start and after a loss, when nothing before the next key frame can be decoded. */
  #waitsForKey = true;
  /** The current group came without the one before. */
  #isAlone = true;
  /** The next key frame gets the mark that something before it is missing. */
  #isBehindHole = true;
  /** The next picture, key frame or not, gets the mark that the clock jumped. */
  #isBehindJump = false;
  #format: AudioFormat | undefined;

  /** `onGroupCut` is told of each group of pictures that loses its rest, or is left out. */
  constructor(hints: ChannelHints = {}, onGroupCut: () => void = () => undefined, onLimit?: OnLimit) {
    this.#hints = hints;
    this.#onGroupCut = onGroupCut;
    this.#onLimit = onLimit;
    this.#presentation = new PresentationTimes(hints.stamps);
    this.#clock = new MediaClock(hints.maxStepMs);
    this.#steps = hints.maxStepMs === undefined ? new PictureSteps() : undefined;
  }

  /** The packets that a frame becomes, none while a key frame is awaited or for what cannot be passed on. */
  push(frame: MediaFrame, arrivalMs: number): HubPacket[] {
    const time = this.#clock.stamp(frame.timestampMs, arrivalMs, frame.media);
    if (frame.media === 'audio') return this.#audio(frame, time);
    if (time.jumped) this.#isBehindJump = true;
    return this.#video(frame, time);
  }

  #video(frame: MediaFrame, time: StampedTime): HubPacket[] {
    const track = this.#trackFor(frame.payloadType);
    if (track === undefined) return [];
    if (frame.lost) {
      if (!this.#waitsForKey) this.#onGroupCut();
      this.#awaitKey();
    }
    const unit = track.normaliser.push(frame.bytes);
    if (unit === undefined) return [];
    if (this.#waitsForKey && !unit.isKey) return [];
    const startsOrder = unit.startsOrder || this.#waitsForKey;
    if (unit.isKey) this.#isAlone = this.#waitsForKey;
    this.#waitsForKey = false;
    const shiftUs = this.#presentation.shiftUs({ ...unit, startsOrder, stampUs: time.mediaTimeUs });
    if (unit.dependence === 'leading' && this.#isAlone) return [];
    const times = shifted(time, shiftUs);
    // Missing pictures between others don't prevent decoding, so the mark can wait for the next key frame.
    if (this.#steps?.next(times.mediaTimeUs / 1000, unit.isKey) === true) this.#isBehindHole = true;
    const discontinuity = this.#takeDiscontinuity(unit.isKey);
    const { isKey: key, dependence } = unit;
    const header = { kind: PacketKind.Video, codec: track.codec, key, discontinuity, dependence, ...times };
    return [createHubPacket(header, ...unit.parts)];
  }

  #takeDiscontinuity(isKey: boolean): boolean {
    const isFlagged = this.#isBehindJump || (isKey && this.#isBehindHole);
    this.#isBehindJump = false;
    if (isKey) this.#isBehindHole = false;
    return isFlagged;
  }

  #awaitKey(): void {
    this.#waitsForKey = true;
    this.#isBehindHole = true;
  }

  /** Starts over when a camera is switched to another codec. */
  #trackFor(payloadType: number): VideoTrack | undefined {
    if (this.#track?.payloadType === payloadType) return this.#track;
    const track = createTrack(payloadType, this.#hints, this.#onLimit);
    if (track === undefined) return undefined;
    this.#track = track;
    this.#awaitKey();
    return track;
  }

  #audio(frame: MediaFrame, time: StampedTime): HubPacket[] {
    const read = readAudio(frame.payloadType, frame.bytes, this.#hints.av);
    if (read === undefined) return [];
    const { samples, ...format } = read;
    const common = { key: false, discontinuity: frame.lost || time.jumped, ...timesOf(time) };
    const packet = createHubPacket({ kind: PacketKind.Audio, codec: format.codec, ...common }, samples);
    if (isSame(this.#format, format)) return [packet];
    this.#format = format;
    const event = encodeStreamEvent({ type: 'format', ...format });
    return [createFormatPacket({ kind: PacketKind.Event, codec: Codec.None, ...common }, event), packet];
  }
}

function createTrack(payloadType: number, hints: ChannelHints, onLimit?: OnLimit): VideoTrack | undefined {
  switch (payloadType) {
    case PayloadType.H264:
      return { payloadType, codec: Codec.H264, normaliser: new H264Normaliser(hints.reorder, onLimit) };
    case PayloadType.H265:
      return { payloadType, codec: Codec.H265, normaliser: new H265Normaliser(onLimit) };
    default:
      return undefined;
  }
}

function isSame(left: AudioFormat | undefined, right: AudioFormat): boolean {
  return left?.codec === right.codec && left.sampleRate === right.sampleRate && left.channels === right.channels;
}

/** The same moment later or earlier, on both clocks. */
function shifted({ mediaTimeUs, deviceTimeMs }: StampedTime, byUs: number): ReturnType<typeof timesOf> {
  const shiftedMs = deviceTimeMs === 0 ? 0 : deviceTimeMs + Math.round(byUs / 1_000);
  return { mediaTimeUs: mediaUs(mediaTimeUs + byUs), deviceTimeMs: wallMs(shiftedMs) };
}

function timesOf(time: StampedTime): Pick<StampedTime, 'mediaTimeUs' | 'deviceTimeMs'> {
  return { mediaTimeUs: time.mediaTimeUs, deviceTimeMs: time.deviceTimeMs };
}
