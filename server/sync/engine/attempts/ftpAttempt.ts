// One attempt to have a device upload an item's recording by FTP. Only complete files are used.
import type { SyncFault } from '../../../../shared/protocol/sync/syncWords.ts';
import { inBackground } from '../../../faults/background.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import type { FtpFile, FtpLogins } from '../../../ftp/ftpLogin.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { AttemptEnd } from '../afterAttempt.ts';
import { type Attempt, askedUntil, ingestTargetOf, whenAborted } from './attempt.ts';
import { placeFiles } from './placeFiles.ts';
import { Silence } from './silence.ts';
import type { UploadPort, UploadRequested } from './uploadPort.ts';
import type { FileNote } from './wholeFiles.ts';

export interface FtpAttemptDeps {
  readonly logins: FtpLogins;
  readonly uploads: UploadPort;
  readonly ingest: Pick<Ingest, 'file' | 'length'>;
  /** Addresses of the device's session; undefined while it is away. */
  readonly addressesOf: (
    deviceId: string,
  ) => { readonly remoteAddress: string | undefined; readonly localAddress: string } | undefined;
  /** Makes an empty folder for each attempt, and returns its absolute path. */
  readonly makeFolder: () => Promise<string>;
  readonly removeFolder: (path: string) => Promise<void>;
  /** Notes that a file is complete, or, without a note, that it is not. */
  readonly noteFile: (path: string, note: FileNote | undefined) => Promise<void>;
  /** Keeps a file that is no video for its item, where there is room for it. */
  readonly keep: (path: string, bytes: number, item: number) => Promise<boolean>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** Size of one upload; ten minutes in the best quality take a quarter of this. The rest is refused, and the item fails with `too-large`. */
export const UPLOAD_BYTES_LIMIT: Limit = { name: 'sync.upload.bytes', max: 4 * 1024 ** 3 };
/** Files of one upload: a device that writes a file per second sends 600. Further ones are refused. */
export const UPLOAD_FILES_LIMIT: Limit = { name: 'sync.upload.files', max: 1_000 };

const LOGIN_MS = 2 * 60 * 60_000;
const SILENCE_MS = 3 * 60_000;
/** Time for the last file: some devices report the end before they have closed it. */
const LAST_FILE_MS = 10_000;
/** How much shorter files may be than listed, where the device doesn't report the end. */
const SHORT_MS = 30_000;

export async function fetchByFtp(attempt: Attempt, deps: FtpAttemptDeps): Promise<AttemptEnd> {
  const addresses = deps.addressesOf(attempt.device.deviceId);
  if (addresses === undefined) return failed('disconnected');
  const folder = await deps.makeFolder();
  const upload = new Upload(attempt, deps);
  try {
    const login = deps.logins.open({
      kind: 'upload',
      deviceId: attempt.device.deviceId,
      incarnation: attempt.device.incarnation,
      ...addresses,
      untilMs: deps.now() + LOGIN_MS,
      folder,
      maxBytes: UPLOAD_BYTES_LIMIT.max,
      maxFiles: UPLOAD_FILES_LIMIT.max,
      isPaused: () => attempt.hold.isHeld,
      onBytes: (bytes) => upload.bytes(bytes),
      onFile: (file) => upload.file(file),
    });
    if (login === undefined) return { kind: 'busy' };
    try {
      const ended = await upload.run(login.address);
      // No more data may come into files that are being read.
      login.close();
      return await upload.use(ended);
    } finally {
      login.close();
    }
  } finally {
    upload.close();
    if (!upload.isLeft) await deps.removeFolder(folder);
  }
}

type Ended =
  | Exclude<UploadRequested, { ok: true }>['reason']
  | 'done'
  | 'failed'
  | 'silent'
  | 'aborted'
  /** The login has expired, or the terminal has forgotten the upload, while it was paused. */
  | 'expired';

/** Time after a pause by which data have arrived that the terminal sent before it received the command. */
const PAUSED_WITHIN_MS = 5_000;
/** Wait before another pause of an upload that goes on nevertheless, as some do after they have signed in again. */
const PAUSE_AGAIN_MS = 30_000;

class Upload {
  readonly #attempt: Attempt;
  readonly #deps: FtpAttemptDeps;
  readonly #silence: Silence;
  /** Files by path: a file that was continued is reported again. */
  readonly #files = new Map<string, FtpFile>();
  #noting: Promise<unknown> = Promise.resolve();
  #receivedBytes = 0;
  #hasBegun = false;
  #isOver = false;
  #isLeft = false;
  #onFile: () => void = () => undefined;
  #cancelExpiry: () => void = () => undefined;
  #stopHolding: () => void = () => undefined;
  #pauseAgain: () => void = () => undefined;

  constructor(attempt: Attempt, deps: FtpAttemptDeps) {
    this.#attempt = attempt;
    this.#deps = deps;
    this.#silence = new Silence({ ...deps, silenceMs: SILENCE_MS, hold: attempt.hold });
  }

  /** Whether complete files are left to be read at the next start. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  get #askedMs(): number {
    return this.#attempt.deviceToMs - this.#attempt.deviceFromMs;
  }

  bytes(bytes: number): void {
    this.#receivedBytes += bytes;
    this.#silence.noise();
    this.#pauseAgain();
    if (!this.#hasBegun) this.#attempt.onState('running');
    this.#hasBegun = true;
    this.#attempt.onBytes(bytes);
  }

  /** Resolves once a kill of the gateway can't lose the file any more. */
  async file(file: FtpFile): Promise<void> {
    this.#silence.noise();
    this.#files.set(file.path, file);
    const noted = this.#note(file);
    this.#noting = Promise.allSettled([this.#noting, noted]);
    this.#onFile();
    await noted;
  }

  #note({ path, bytes, isWhole }: FtpFile): Promise<void> {
    const { item, deviceFromMs, deviceToMs } = this.#attempt;
    const place = [...this.#files.keys()].indexOf(path);
    return this.#deps.noteFile(path, isWhole ? { item: item.id, deviceFromMs, deviceToMs, bytes, place } : undefined);
  }

  async run(to: Parameters<typeof this.order>[0]): Promise<Ended> {
    const requested = await this.#deps.uploads.request(this.order(to));
    if (!requested.ok) return requested.reason;
    const { aborted, off } = whenAborted(this.#attempt.signal);
    const lost = this.#steer(requested);
    const ended = await Promise.race([requested.done, this.#silence.silent, aborted, lost, this.#loginOver()]);
    off();
    this.#stopHolding();
    if (ended === 'aborted' || ended === 'silent' || ended === 'expired' || this.#isOver) {
      inBackground('a terminal could not be told to stop an upload', requested.control('cancel'), this.#deps.onFault);
    }
    if (ended === 'done' && !this.#hasWhole()) await this.#lastFile();
    return ended;
  }

  order(to: Parameters<FtpAttemptDeps['uploads']['request']>[0]['to']) {
    const { device, item, deviceFromMs, networks } = this.#attempt;
    return {
      deviceId: device.deviceId,
      to,
      channel: item.channel,
      stream: item.stream,
      from: deviceFromMs,
      until: askedUntil(this.#attempt),
      networks,
    };
  }

  /**
   * Complete files are used, however the upload ended, and whoever stops the attempt waits for this: the terminal was told that they have
   * arrived, and may have overwritten its own. Only the gateway's end doesn't wait: a file may take minutes.
   */
  async use(ended: Ended): Promise<AttemptEnd> {
    // After this nothing more is written into the folder, which may be removed.
    await this.#noting;
    if (ended === 'refused') return { kind: 'unusable', fault: 'refused' };
    if (ended === 'no-answer') return failed('no-answer');
    if (ended === 'offline') return failed('disconnected');
    const whole = [...this.#files.values()].filter(({ isWhole, bytes }) => isWhole && bytes > 0);
    const isPartial = whole.length < this.#files.size;
    if (whole.length === 0) return this.#endOfNothing(ended);
    this.#attempt.onState('checking');
    let addedMs = 0;
    let isKept = false;
    let unusable = 0;
    const cameWhole = ended !== 'failed' && !isPartial;
    const { closing } = this.#attempt;
    const placed = await placeFiles(whole, {
      target: ingestTargetOf(this.#attempt),
      isPartial,
      length: this.#deps.ingest.length,
      signal: closing,
    });
    for (const { path, bytes, target } of placed) {
      if (closing.aborted) return this.#leave();
      const outcome = target && (await this.#deps.ingest.file(path, target, closing));
      if (outcome?.kind === 'failed' && closing.aborted) return this.#leave();
      if (outcome?.kind === 'failed') return failed(outcome.fault, addedMs);
      if (outcome?.kind === 'stored') addedMs += outcome.addedMs;
      else {
        unusable++;
        if (target === undefined && !cameWhole) continue;
        if (!isKept) isKept = await this.#deps.keep(path, bytes, this.#attempt.item.id);
      }
    }
    const isUnplaced = placed.some(({ target }) => target === undefined);
    if (ended === 'aborted' || ended === 'expired') return { kind: 'stopped' };
    if (isUnplaced ? cameWhole : unusable === whole.length) return { kind: 'unusable', fault: 'unreadable' };
    // Not every device reports the end. One that has disconnected halfway reports nothing either: then the rest is requested.
    const isShort = ended === 'silent' && addedMs < this.#askedMs - SHORT_MS;
    if (!cameWhole || isShort) return failed('incomplete', addedMs);
    return { kind: 'stored' };
  }

  close(): void {
    this.#silence.close();
    this.#cancelExpiry();
    this.#stopHolding();
    if (this.#receivedBytes >= UPLOAD_BYTES_LIMIT.max) this.#deps.onLimit(UPLOAD_BYTES_LIMIT);
    if (this.#files.size >= UPLOAD_FILES_LIMIT.max) this.#deps.onLimit(UPLOAD_FILES_LIMIT);
  }

  #leave(): AttemptEnd {
    this.#isLeft = true;
    return { kind: 'stopped' };
  }

  #endOfNothing(ended: Ended): AttemptEnd {
    if (ended === 'aborted' || ended === 'expired') return { kind: 'stopped' };
    if (this.#receivedBytes >= UPLOAD_BYTES_LIMIT.max) return failed('too-large');
    if (this.#receivedBytes > 0) return failed('incomplete');
    const mayUseAny = (this.#attempt.networks & MOBILE) !== 0;
    if (ended === 'silent') return mayUseAny ? { kind: 'unusable', fault: 'nothing-sent' } : { kind: 'no-network' };
    return { kind: 'unusable', fault: 'nothing-sent' };
  }

  /** No more data can come: a paused upload is planned again, a running one has not ended in time. */
  #loginOver(): Promise<'expired' | 'failed'> {
    return new Promise((resolve) => {
      this.#cancelExpiry = this.#deps.runAfter(LOGIN_MS, () => {
        this.#isOver = true;
        resolve(this.#attempt.hold.isHeld ? 'expired' : 'failed');
      });
    });
  }

  #hasWhole(): boolean {
    return [...this.#files.values()].some(({ isWhole }) => isWhole);
  }

  #lastFile(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.runAfter(LAST_FILE_MS, resolve);
      this.#onFile = () => {
        if (!this.#hasWhole()) return;
        cancel();
        resolve();
      };
    });
  }

  /**
   * Pauses and continues the upload. A terminal that doesn't support this goes on, and is not asked again; an upload that a member has
   * paused is ended then, since it must not go on, or can't be continued. Resolves in that case only.
   */
  #steer(requested: Extract<UploadRequested, { ok: true }>): Promise<'expired'> {
    const { hold } = this.#attempt;
    const { now, onFault } = this.#deps;
    let [turn, isPaused, isDeaf, toldAtMs]: [Promise<unknown>, boolean, boolean, number] = [
      Promise.resolve(),
      false,
      false,
      now(),
    ];
    let giveUp: () => void = () => undefined;
    const lost = new Promise<'expired'>((resolve) => {
      giveUp = () => resolve('expired');
    });
    const tell = async (act: 'pause' | 'resume', isOfMember: boolean): Promise<void> => {
      isPaused = act === 'pause';
      isDeaf = !(await requested.control(act));
      toldAtMs = now();
      if (isDeaf && isOfMember) giveUp();
    };
    let wasOfMember = false;
    const apply = (): void => {
      turn = turn.then(async () => {
        if (isDeaf || hold.isHeld === isPaused) return;
        const isOfMember = hold.has('member') || wasOfMember;
        wasOfMember = hold.has('member');
        await tell(hold.isHeld ? 'pause' : 'resume', isOfMember);
      });
      inBackground('a terminal could not be told to pause an upload', turn, onFault);
    };
    this.#pauseAgain = () => {
      const isEarly = now() - toldAtMs < PAUSED_WITHIN_MS;
      if (!isPaused || isDeaf || isEarly || !hold.has('member')) return;
      toldAtMs = now() + PAUSE_AGAIN_MS - PAUSED_WITHIN_MS;
      turn = turn.then(() => (hold.has('member') ? tell('pause', true) : undefined));
      inBackground('a terminal could not be told to pause an upload', turn, onFault);
    };
    this.#stopHolding = hold.subscribe(apply);
    if (hold.isHeld) apply();
    return lost;
  }
}

const MOBILE = 4;

function failed(fault: SyncFault, addedMs = 0): AttemptEnd {
  return { kind: 'failed', fault, addedMs };
}
