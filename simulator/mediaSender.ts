// One media connection of a simulated terminal: pictures and sound of the present moment, for as long as it is open.
import type { Socket } from 'node:net';
import { canonicalTerminal } from '../server/device/jt808/codec/header.ts';
import { DataType, type MediaPacket } from '../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../server/device/jt1078/codec/payloadTypes.ts';
import { MediaSplitter } from '../server/device/jt1078/codec/splitter.ts';
import { addHiSiliconHeader } from '../server/device/jt1078/hiSilicon.ts';
import { openSocket } from '../server/faults/sockets.ts';
import { runAfter } from '../server/faults/timers.ts';
import { joinNalUnits } from '../server/media/h264/annexB.ts';
import { HevcNalType, hevcTypeOf } from '../server/media/h265/nalTypes.ts';
import { NalType, splitNalUnits } from '../shared/protocol/codec/video/nalUnits.ts';
import { FRAME_MS, frameAt } from './clip/clipFormat.ts';
import type { Clip, ClipFrame } from './clip/loadClip.ts';
import { toneChunk } from './clip/tone.ts';
import { MediaFraming, type OutgoingFrame } from './mediaFraming.ts';
import { PacketDamage } from './packetDamage.ts';
import type { TerminalQuirks } from './quirks.ts';
import { reportFault } from './reportFault.ts';

interface MediaTarget {
  readonly host: string;
  readonly port: number;
}

export interface MediaSenderOptions {
  readonly target: MediaTarget;
  readonly sim: string;
  readonly channel: number;
  /** Undefined in talk-back, which has sound alone. */
  readonly clip: Clip | undefined;
  readonly withAudio: boolean;
  readonly quirks: TerminalQuirks;
  /** What the gateway sends back, in talk-back. */
  readonly onDownlink?: (packet: MediaPacket) => void;
  readonly onClose: () => void;
}

/** A terminal behind a dead link would otherwise fill its memory with pictures nobody takes. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;

/** Owns its socket and its timer until `close`. */
export class MediaSender {
  readonly #options: MediaSenderOptions;
  readonly #socket: Socket;
  readonly #framing: MediaFraming;
  readonly #damage: PacketDamage | undefined;
  readonly #startedMs = Date.now();
  #cancelNext: (() => void) | undefined;
  #nextFrame = 0;
  #packets = 0;
  #sentSets = false;

  constructor(options: MediaSenderOptions) {
    this.#options = options;
    this.#framing = new MediaFraming(options.sim, options.channel);
    const damage = options.quirks.damage?.[options.channel];
    if (damage !== undefined) this.#damage = new PacketDamage(damage.kind, damage.everyPacket, options.channel);
    this.#socket = openSocket({ host: options.target.host, port: options.target.port, noDelay: true }, reportFault);
    this.#socket.on('connect', () => this.#begin());
    const splitter = new MediaSplitter({ knownTerminal: canonicalTerminal(options.sim) });
    this.#socket.on('data', (chunk) => {
      for (const event of splitter.push(chunk)) if (event.kind === 'packet') options.onDownlink?.(event.packet);
    });
    this.#socket.on('close', () => {
      this.#cancelNext?.();
      options.onClose();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Starts with the group under way, as an encoder with a ring of recent frames does: a viewer need not wait for a key frame. */
  #begin(): void {
    const now = this.#nowFrame();
    this.#nextFrame = now - (now % (this.#options.clip?.keyFrameInterval ?? 1));
    this.#sendDue();
  }

  /** An encoder with B pictures is behind by as many: it must have seen the picture that they refer to. */
  #nowFrame(): number {
    return Math.floor(Date.now() / FRAME_MS) - (this.#options.clip?.reorderFrames ?? 0);
  }

  #sendDue(): void {
    const { silentAfterMs } = this.#options.quirks;
    if (silentAfterMs !== undefined && Date.now() - this.#startedMs > silentAfterMs) return;
    for (; this.#nextFrame <= this.#nowFrame(); this.#nextFrame++) this.#sendMoment(this.#nextFrame);
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) {
      this.close();
      return;
    }
    // Each wait is counted from the clock, not from the last wait, so delays do not add up.
    const dueMs = (this.#nextFrame + (this.#options.clip?.reorderFrames ?? 0)) * FRAME_MS;
    this.#cancelNext = runAfter(dueMs - Date.now(), () => this.#sendDue(), reportFault);
  }

  #sendMoment(frame: number): void {
    const { clip, withAudio, quirks } = this.#options;
    const momentMs = frame * FRAME_MS;
    const picture = clip?.frames[frameAt(momentMs)];
    if (clip !== undefined && picture !== undefined) {
      const shownMs = momentMs + (picture.shownAt - frameAt(momentMs)) * FRAME_MS;
      this.#send({
        dataType: dataTypeOf(picture),
        payloadType: PayloadType[clip.codec],
        timestampMs: this.#stampOf(quirks.decodingTimes === true ? momentMs : shownMs),
        bytes: this.#withQuirks(picture, clip),
      });
    }
    if (!withAudio || quirks.audio === 'none') return;
    const chunk = toneChunk(momentMs, quirks.audio);
    this.#send({
      dataType: DataType.Audio,
      payloadType: quirks.audio === 'µ-law' ? PayloadType.G711U : PayloadType.G711A,
      timestampMs: this.#stampOf(momentMs),
      bytes: quirks.hiSiliconHeader === true ? addHiSiliconHeader(chunk) : chunk,
    });
  }

  #stampOf(momentMs: number): number {
    const { timestamps = 'date', clockJumps } = this.#options.quirks;
    if (timestamps === 'frozen') return 0;
    const sinceMs = Math.max(momentMs - this.#startedMs, 0);
    const jumps = clockJumps === undefined ? 0 : Math.floor(sinceMs / clockJumps.everyMs);
    // From the start of the group that was under way, which lies before the connection.
    const base = timestamps === 'date' ? momentMs : momentMs - this.#startedMs + 60_000;
    return Math.max(base + jumps * (clockJumps?.byMs ?? 0), 0);
  }

  #withQuirks(picture: ClipFrame, clip: Clip): Uint8Array {
    if (this.#options.quirks.setsOnce !== true || !picture.isKey) return picture.bytes;
    const isFirst = !this.#sentSets;
    this.#sentSets = true;
    return isFirst ? picture.bytes : withoutSets(picture.bytes, clip.codec);
  }

  #send(frame: OutgoingFrame): void {
    const { loseEveryPacket, chunkBytes } = this.#options.quirks;
    const kept = this.#framing.packets(frame).filter(() => {
      this.#packets++;
      return loseEveryPacket === undefined || this.#packets % loseEveryPacket !== 0;
    });
    const packets = kept.flatMap((packet) => this.#damage?.apply(packet) ?? [packet]);
    if (chunkBytes === undefined) {
      this.#socket.cork();
      for (const packet of packets) this.#socket.write(packet);
      this.#socket.uncork();
      return;
    }
    const bytes = Buffer.concat(packets);
    for (let at = 0; at < bytes.length; at += chunkBytes) this.#socket.write(bytes.subarray(at, at + chunkBytes));
  }
}

export function dataTypeOf({ isKey, isB }: ClipFrame): DataType {
  if (isKey) return DataType.I;
  return isB ? DataType.B : DataType.P;
}

function withoutSets(bytes: Uint8Array, codec: Clip['codec']): Uint8Array {
  const isSet = (unit: { type: number; bytes: Uint8Array }): boolean => {
    if (codec === 'H264') return unit.type === NalType.Sps || unit.type === NalType.Pps;
    const type = hevcTypeOf(unit);
    return type >= HevcNalType.Vps && type <= HevcNalType.Pps;
  };
  return joinNalUnits(splitNalUnits(bytes).filter((unit) => !isSet(unit)));
}
