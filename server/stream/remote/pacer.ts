// Releases the packets of a recording at their time. Terminals send as fast as the network allows, or in bursts, and
// viewers play what arrives when it arrives. The queue is bounded: when it is full, the terminal has to wait.
import { PacketFlag, setFlag } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, type WallMs } from '../../../shared/protocol/time.ts';
import type { Limit } from '../../limits/limit.ts';
import { type HubPacket, restamp } from '../../media/hubPacket.ts';

export interface PacedPacket {
  readonly packet: HubPacket;
  /** Time in the recording, microseconds, for the distance between packets. */
  readonly mediaTimeUs: number;
  readonly position: WallMs;
}

export interface PacerDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Called with a packet whose times are those of its display. */
  readonly release: (packet: PacedPacket) => void;
  /** Whether the viewer's connection takes more now. */
  readonly isBlocked: () => boolean;
  /** Makes the sender wait, or lets it continue. */
  readonly hold: (isHeld: boolean) => void;
  /** Called when the queue has become empty. */
  readonly drained: () => void;
}

/**
 * Data of a device recording that waits for its time, or for a viewer that has not taken 512 KiB: half a minute of a 500 kbit/s recording,
 * or a whole group of pictures of a good camera. The terminal waits.
 */
export const WAITING_BYTES_LIMIT: Limit = { name: 'remote-playback.waiting-bytes.session', max: 2 * 1024 * 1024 };
const RESUME_BYTES = WAITING_BYTES_LIMIT.max / 2;
/** A packet later than this shifts the schedule, so that the packets after it keep their distance. */
const LATE_MS = 250;
/** Time between the last picture before a cut and the first after it. */
const CUT_US = 40_000;
/** Interval at which a congested viewer is checked again. */
const BLOCKED_RETRY_MS = 20;
/**
 * After this time, playback before the requested position becomes visible. It applies to terminals that send at recorded
 * speed from the key frame on.
 */
const MOST_UNSEEN_MS = 2_000;
/** Packets come in decoding order; a reference picture is shown up to this many pictures later. */
const REORDER_WINDOW = 4;

/** From this point, media time maps to the time of display and to the time of release at the current speed. */
interface Anchor {
  readonly mediaTimeUs: number;
  readonly shownUs: number;
  /** Undefined while packets are released at once, before the first picture of the requested position. */
  readonly wallMs: number | undefined;
}

export class Pacer {
  readonly #deps: PacerDeps;
  #queue: PacedPacket[] = [];
  #bytes = 0;
  #isHeld = false;
  #isRunning = false;
  #speed = 1;
  #anchor: Anchor | undefined;
  /** Time of the last released packet, from which the time after a cut continues. */
  #lastShownUs = 0;
  #lastMediaUs = 0;
  /** Arrival time of the first picture before the target. */
  #leadsSinceMs: number | undefined;
  /** Pictures before this position are released at once and not shown: they are only needed for decoding. */
  #target: number;
  #stopsAtTarget = false;
  #cancelTimer: (() => void) | undefined;

  constructor(target: WallMs, deps: PacerDeps) {
    this.#target = target;
    this.#deps = deps;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  push(packet: PacedPacket): void {
    this.#queue.push(packet);
    this.#bytes += packet.packet.bytes.byteLength;
    this.#run();
    this.#weigh();
  }

  /** Begins or continues, counting from now. */
  run(): void {
    this.#isRunning = true;
    this.#stopsAtTarget = false;
    this.#run();
    this.#weigh();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelTimer?.();
  }

  /** Sets the speed as a multiple of the recorded speed; below 1 the sender is slowed down by making it wait. */
  setSpeed(speed: number): void {
    if (this.#anchor !== undefined) {
      const wallMs = this.#anchor.wallMs === undefined ? undefined : this.#deps.now();
      this.#anchor = {
        mediaTimeUs: this.#lastMediaUs,
        shownUs: this.#shownUs(this.#anchor, this.#lastMediaUs),
        wallMs,
      };
    }
    this.#speed = speed;
    if (this.#isRunning) this.#run();
  }

  /** Clears the queue; the next packets are from another position. `showsOne`: stops again after the first picture there. */
  jumpTo(target: WallMs, showsOne: boolean): void {
    this.#queue = [];
    this.#bytes = 0;
    this.#anchor = undefined;
    this.#target = target;
    this.#leadsSinceMs = undefined;
    this.#isRunning = true;
    this.#stopsAtTarget = showsOne;
    this.#cancelTimer?.();
    this.#weigh();
  }

  close(): void {
    this.stop();
    this.#queue = [];
    this.#bytes = 0;
  }

  #run(): void {
    this.#cancelTimer?.();
    for (let head = this.#queue[0]; head !== undefined && this.#isRunning; head = this.#queue[0]) {
      const waitMs = this.#deps.isBlocked() ? BLOCKED_RETRY_MS : this.#waitMs(head);
      if (waitMs > 0) {
        this.#cancelTimer = this.#deps.runAfter(waitMs, () => {
          this.#run();
          this.#weigh();
        });
        return;
      }
      this.#queue.shift();
      this.#bytes -= head.packet.bytes.byteLength;
      this.#letOut(head);
    }
    if (this.#isRunning && this.#queue.length === 0) this.#deps.drained();
  }

  #waitMs(head: PacedPacket): number {
    const now = this.#deps.now();
    const anchor = this.#anchor ?? {
      mediaTimeUs: head.mediaTimeUs,
      shownUs: this.#lastShownUs + CUT_US,
      wallMs: undefined,
    };
    this.#anchor = anchor;
    const dueUs = this.#earliest(head);
    if (anchor.wallMs === undefined) {
      if (head.position < this.#target) return 0;
      this.#anchor = { mediaTimeUs: dueUs, shownUs: this.#shownUs(anchor, dueUs), wallMs: now };
      return 0;
    }
    const waitMs = anchor.wallMs + (dueUs - anchor.mediaTimeUs) / 1_000 / this.#speed - now;
    if (waitMs < -LATE_MS) {
      // The display times move too, or the viewer would take a pause for network delay.
      const shownUs = this.#shownUs(anchor, dueUs) - waitMs * 1_000;
      this.#anchor = { mediaTimeUs: dueUs, shownUs, wallMs: now };
    }
    return waitMs;
  }

  /** Keeps decoding order: a picture is released at the earliest time of those waiting behind it. */
  #earliest({ mediaTimeUs }: PacedPacket): number {
    let earliest = mediaTimeUs;
    for (const { mediaTimeUs: other } of this.#queue.slice(1, 1 + REORDER_WINDOW)) earliest = Math.min(earliest, other);
    return earliest;
  }

  #shownUs({ mediaTimeUs, shownUs }: Anchor, recordedUs: number): number {
    return Math.max(0, shownUs + (recordedUs - mediaTimeUs) / this.#speed);
  }

  #letOut(paced: PacedPacket): void {
    const shownUs = this.#anchor === undefined ? this.#lastShownUs : this.#shownUs(this.#anchor, paced.mediaTimeUs);
    this.#lastShownUs = Math.max(this.#lastShownUs, shownUs);
    this.#lastMediaUs = paced.mediaTimeUs;
    restamp(paced.packet, { mediaTimeUs: mediaUs(shownUs), deviceTimeMs: paced.position });
    if (this.#isUnseen(paced)) setFlag(paced.packet.bytes, PacketFlag.Unseen);
    this.#deps.release(paced);
    if (this.#stopsAtTarget && paced.packet.isVideo && paced.position >= this.#target) this.stop();
  }

  #isUnseen({ packet, position }: PacedPacket): boolean {
    if (!packet.isVideo || position >= this.#target) return false;
    const now = this.#deps.now();
    this.#leadsSinceMs ??= now;
    return now - this.#leadsSinceMs < MOST_UNSEEN_MS;
  }

  #weigh(): void {
    const isHeld = this.#isHeld ? this.#bytes > RESUME_BYTES : this.#bytes > WAITING_BYTES_LIMIT.max;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#deps.hold(isHeld);
  }
}
