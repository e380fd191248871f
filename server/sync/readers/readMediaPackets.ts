// JT/T 1078 packets in a file, the form in which some terminals store their recordings.
import type { FileHandle } from 'node:fs/promises';
import { splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { FrameAssembler, type MediaFrame } from '../../device/jt1078/codec/assembler.ts';
import { DataType, type MediaPacket } from '../../device/jt1078/codec/packet.ts';
import { type MediaEvent, MediaSplitter } from '../../device/jt1078/codec/splitter.ts';
import { Packetiser } from '../../device/jt1078/packetiser.ts';
import { ReorderWatch } from '../../media/h264/reorderWatch.ts';
import { isBSlice } from '../../media/h264/slice.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import { fileChunks } from './fileChunks.ts';
import type { ReadHints } from './readRecording.ts';

/** Frames looked at before the first is passed on, to find B pictures among them. */
const FRAMES_AHEAD = 128;
const BYTES_AHEAD = 4 * 1024 * 1024;
/** Replaces the time of arrival, where stamps never change. */
const FRAME_MS = 40;
/** Length of an interruption that is allowed for: a recording may go on hours later. */
const INTERRUPTION_MS = 60 * 60_000;

export async function* readMediaPackets(
  file: FileHandle,
  offset: number,
  hints: ReadHints,
): AsyncGenerator<readonly WrittenPacket[]> {
  const splitter = new MediaSplitter();
  const frames = new FileFrames(hints);
  for await (const chunk of fileChunks(file, offset)) yield frames.take(splitter.push(chunk));
  yield frames.take(splitter.end());
  yield frames.end();
}

class FileFrames {
  readonly #assembler = new FrameAssembler();
  readonly #wanted: number;
  readonly #reorder = new ReorderWatch();
  readonly #packetiser: Packetiser;
  #channel: number | undefined;
  #ahead: MediaFrame[] | undefined = [];
  #aheadBytes = 0;
  #frames = 0;

  constructor({ channel, spanMs }: ReadHints) {
    this.#wanted = channel;
    const maxStepMs = (): number => spanMs + INTERRUPTION_MS;
    this.#packetiser = new Packetiser({ reorder: this.#reorder, maxStepMs });
  }

  take(events: readonly MediaEvent[]): WrittenPacket[] {
    const packets: WrittenPacket[] = [];
    for (const event of events) {
      if (event.kind !== 'packet') continue;
      for (const each of this.#assembler.push(event.packet, this.#isWanted(event.packet))) {
        if (each.kind === 'frame') packets.push(...this.#frame(each));
      }
    }
    return packets;
  }

  end(): WrittenPacket[] {
    const ahead = this.#ahead ?? [];
    this.#ahead = undefined;
    if (ahead.some(isB)) this.#reorder.observe(false, true);
    return ahead.flatMap((frame) => this.#packets(frame));
  }

  /** Whether the packet is of the requested channel; of the first one where the file numbers its channels differently. */
  #isWanted({ channel, dataType }: MediaPacket): boolean {
    const isPicture = dataType <= DataType.B;
    if (isPicture && channel === this.#wanted) this.#channel = channel;
    if (isPicture) this.#channel ??= channel;
    return channel === this.#channel;
  }

  #frame(frame: MediaFrame): WrittenPacket[] {
    if (this.#ahead === undefined) return this.#packets(frame);
    this.#ahead.push(frame);
    this.#aheadBytes += frame.bytes.byteLength;
    return this.#ahead.length >= FRAMES_AHEAD || this.#aheadBytes >= BYTES_AHEAD ? this.end() : [];
  }

  #packets(frame: MediaFrame): WrittenPacket[] {
    if (frame.channel !== this.#channel) return [];
    return this.#packetiser.push(frame, this.#frames++ * FRAME_MS);
  }
}

function isB(frame: MediaFrame): boolean {
  if (frame.media !== 'video') return false;
  return frame.dataType === DataType.B || splitNalUnits(frame.bytes).some(({ bytes }) => isBSlice(bytes));
}
