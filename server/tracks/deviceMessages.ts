// Driver cards that are inserted and removed (0x0702), and passenger counts (0x1005).
import type { MessageReport, ReportingDevice } from '../device/reportFeed.ts';
import { storableText } from '../limits/storableText.ts';
import type { DriverSessionStore } from '../store/tracks/driverSessions.ts';
import type { PassengerCountStore } from '../store/tracks/passengerCounts.ts';
import { isReportTime } from './trips/trackPoint.ts';

export interface DeviceMessagesDeps {
  readonly driverSessions: DriverSessionStore;
  readonly passengerCounts: PassengerCountStore;
  readonly gatewayTime: (device: ReportingDevice, deviceMs: number) => Promise<number>;
  /** Limits the messages: a terminal may send any number of them. */
  readonly mayReport: (device: ReportingDevice) => boolean;
}

const CARD_IN = 1;
const CARD_OUT = 2;
/** Names are up to 255 bytes on the wire. */
const MAX_TEXT = 255;

export class DeviceMessages {
  readonly #deps: DeviceMessagesDeps;
  /** The last write of each device, since they follow one another: a card must be inserted before it is removed. */
  readonly #last = new Map<number, Promise<void>>();

  constructor(deps: DeviceMessagesDeps) {
    this.#deps = deps;
  }

  /** Settles when the message is stored; undefined where nothing is. */
  handle(report: MessageReport): Promise<void> | undefined {
    const { body, device } = report;
    if (body.kind !== 'driverIdentity' && body.kind !== 'passengerFlow') return undefined;
    if (!this.#deps.mayReport(device)) return undefined;
    const { incarnation } = device;
    const before = this.#last.get(incarnation) ?? Promise.resolve();
    const kept = before.catch(() => undefined).then(() => this.#keep(report));
    this.#last.set(incarnation, kept);
    const forget = (): void => {
      if (this.#last.get(incarnation) === kept) this.#last.delete(incarnation);
    };
    kept.then(forget, forget);
    return kept;
  }

  async #keep({ device, body, receivedAtMs }: MessageReport): Promise<void> {
    const { driverSessions, passengerCounts } = this.#deps;
    const { incarnation } = device;
    const timeOf = (deviceMs: number | undefined) => this.#timeOf(device, deviceMs, receivedAtMs);
    if (body.kind === 'passengerFlow') {
      const [fromMs, toMs] = [await timeOf(body.start), await timeOf(body.end)];
      const { boarded, alighted } = body;
      if (fromMs <= toMs) await passengerCounts.add({ incarnation, fromMs, toMs, boarded, alighted });
    } else if (body.kind === 'driverIdentity') {
      const atMs = await timeOf(body.time);
      if (body.status === CARD_OUT) return await driverSessions.cardOut(incarnation, atMs);
      if (body.status !== CARD_IN) return;
      const { card, readResult = 0 } = body;
      const { name = '', licence = '', issuer = '', validUntil = '' } = card ?? {};
      const texts = { name: kept(name), licence: kept(licence), issuer: kept(issuer), validUntil: kept(validUntil) };
      await driverSessions.cardIn({ incarnation, atMs, ...texts, readResult });
    }
  }

  /** A late report has its own time, if the device's clock can be trusted. */
  async #timeOf(device: ReportingDevice, deviceMs: number | undefined, receivedAtMs: number): Promise<number> {
    if (deviceMs === undefined) return receivedAtMs;
    const atMs = await this.#deps.gatewayTime(device, deviceMs);
    return isReportTime(atMs, receivedAtMs) ? Math.min(atMs, receivedAtMs) : receivedAtMs;
  }
}

function kept(text: string): string {
  return storableText(text).slice(0, MAX_TEXT);
}
