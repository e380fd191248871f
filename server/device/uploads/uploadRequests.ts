// The uploads that terminals have been asked for and that have not ended.
import { inBackground } from '../../faults/background.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { ReportFeed } from '../reportFeed.ts';
import type { CommandResult, TerminalSession } from '../terminalSession.ts';
import { PendingUpload } from './pendingUpload.ts';
import { type UploadOrder, type UploadRequest, uploadMessage } from './uploadOrder.ts';

/** Uploads that terminals have been asked for and that are not over. No further one is requested. */
export const UPLOADS_LIMIT: Limit = { name: 'uploads.requests.all', max: 1_000 };
/** Uploads that one device has been asked for and that are not over. No further one is requested. */
export const DEVICE_UPLOADS_LIMIT: Limit = { name: 'uploads.requests.device', max: 8 };

export type UploadingSession = Pick<TerminalSession, 'deviceId' | 'incarnation' | 'channelsFromZero' | 'command'>;

export interface UploadRequestsDeps {
  readonly feed: Pick<ReportFeed, 'subscribe'>;
  /** The device's session now: the one that was asked may have ended. */
  readonly sessionOf: (deviceId: string) => UploadingSession | undefined;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

/** 0x1206. */
const DONE = 0;

export class UploadRequests {
  readonly #deps: UploadRequestsDeps;
  readonly #pending = new Set<PendingUpload>();
  readonly #unsubscribe: () => void;

  constructor(deps: UploadRequestsDeps) {
    this.#deps = deps;
    this.#unsubscribe = deps.feed.subscribe('uploads of devices', (report) => {
      if (report.kind !== 'message' || report.body.kind !== 'fileUploadDone') return;
      const { replySerial, result } = report.body;
      this.#find(report.device.incarnation, replySerial)?.reported(result === DONE);
    });
  }

  /** Undefined while as many as may be are open. Throws a RangeError for what does not fit the message. */
  request(session: UploadingSession, order: UploadOrder): UploadRequest | undefined {
    const { runAfter, onFault } = this.#deps;
    if (!this.#hasRoom(session)) return undefined;
    const message = uploadMessage(session, order);
    const { incarnation, deviceId } = session;
    const pending = new PendingUpload({
      incarnation,
      runAfter,
      control: (serial, command) => this.#control({ deviceId, incarnation }, serial, command),
      onOver: () => this.#pending.delete(pending),
    });
    this.#pending.add(pending);
    const answered = session
      .command(message, (serial) => pending.sent(serial))
      .then(
        (result) => pending.answered(result),
        (cause: unknown) => {
          pending.answered({ ok: false, reason: 'closed', isUnsent: true });
          throw faultOf('an upload could not be requested', cause);
        },
      );
    inBackground('the answer to a request for an upload', answered, onFault);
    return pending;
  }

  /** Nobody waits any more; terminals hear nothing of it. */
  close(): void {
    this.#unsubscribe();
    for (const pending of [...this.#pending]) pending.drop();
  }

  #hasRoom({ incarnation }: UploadingSession): boolean {
    const ofDevice = [...this.#pending].filter((pending) => pending.incarnation === incarnation).length;
    const limit =
      this.#pending.size >= UPLOADS_LIMIT.max
        ? UPLOADS_LIMIT
        : ofDevice >= DEVICE_UPLOADS_LIMIT.max
          ? DEVICE_UPLOADS_LIMIT
          : undefined;
    if (limit !== undefined) this.#deps.onLimit(limit);
    return limit === undefined;
  }

  /** The latest one: serials begin anew with each connection, and a terminal uploads on over the next one. */
  #find(incarnation: number, serial: number): PendingUpload | undefined {
    return [...this.#pending].findLast((each) => each.incarnation === incarnation && each.serial === serial);
  }

  async #control(
    { deviceId, incarnation }: Pick<UploadingSession, 'deviceId' | 'incarnation'>,
    uploadSerial: number,
    command: number,
  ): Promise<CommandResult> {
    const session = this.#deps.sessionOf(deviceId);
    if (session?.incarnation !== incarnation) return { ok: false, reason: 'closed', isUnsent: true };
    return session.command({ kind: 'fileUploadControl', uploadSerial, command });
  }
}
