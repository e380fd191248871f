// A fleet whose terminals take firmware as a test says, with tasks and stores in memory, and an engine that can be restarted.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Listener } from '../../../server/bus/topic.ts';
import type { Report } from '../../../server/device/reportFeed.ts';
import type { TerminalSession } from '../../../server/device/terminalSession.ts';
import type { DeliveryOutcome, DeliveryRequest } from '../../../server/firmware/delivery/delivery.ts';
import { FirmwareEngine, type MovedTask } from '../../../server/firmware/tasks/firmwareEngine.ts';
import { startedDevices } from '../../../server/firmware/tasks/targets.ts';
import { type ModelRecord, type TaskImage, UNKNOWN_MODEL } from '../../../server/firmware/tasks/taskImage.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { FirmwareStep, StoredFirmwareDevice } from '../../../server/store/firmware/firmwareDeviceRows.ts';
import type { ReachedDevice } from '../../../server/store/firmware/firmwareReach.ts';
import type { StoredFirmwareTask } from '../../../server/store/firmware/firmwareTaskRows.ts';
import type { FirmwareTaskContent } from '../../../shared/protocol/api/firmware/tasks.ts';
import { ManualTimers } from '../fakes/manualTimers.ts';
import { aTaskContent } from './aTask.ts';
import { IMAGE_CONTENT } from './testImages.ts';

const GROUP = 7;
const IMAGE: TaskImage = {
  ...IMAGE_CONTENT,
  id: 1,
  name: 'Image',
  sha256: 'a'.repeat(64),
  bytes: 1_000,
  firmwareVersion: 'V2.0',
};

export interface FakeTerminal {
  readonly deviceId: string;
  readonly incarnation: number;
  model: string;
  version: string;
  isOnline: boolean;
  /** What it has said to the gateway that runs now. */
  said: { readonly model: string; readonly firmwareVersion: string } | undefined;
  isOwned: boolean;
  /** How often it got the whole image. */
  flashes: number;
}

const BROKEN_TASK = 4;
const BROKEN_CONTENT: FirmwareTaskContent = {
  ...aTaskContent({ image: IMAGE.id }),
  get abortDevices(): number {
    throw new TypeError('this content cannot be worked on');
  },
};
const ATTRIBUTES = {
  kind: 'attributesReply',
  layout: '5/30/30',
  terminalType: 0,
  manufacturer: '',
  model: '',
  terminalId: '',
  iccid: '',
  hardwareVersion: '',
  firmwareVersion: '',
  gnss: 0,
  communication: 0,
} as const;

export interface OpenDelivery extends DeliveryRequest {
  readonly terminal: FakeTerminal;
  settle(outcome: DeliveryOutcome): void;
}

export class FirmwareWorld {
  readonly timers = new ManualTimers();
  readonly terminals: FakeTerminal[];
  readonly open: OpenDelivery[] = [];
  readonly steps: (FirmwareStep & { readonly device: number })[] = [];
  /** Terminals that were asked for their version once more. */
  readonly asked: number[] = [];
  readonly failures: (string | undefined)[] = [];
  readonly moved: MovedTask[] = [];
  onLimit: OnLimit = () => undefined;
  readonly faults: Error[] = [];
  told = 0;
  /** The most terminals that were sent to at the same time. */
  most = 0;
  readImage: () => Promise<string | undefined> = async () => '/image';
  hasImage = true;
  isDatabaseAway = false;
  isTaskUnreadable = false;
  /** Before its own task there is another one, which the engine trips over whenever it works on it. */
  hasBrokenTask = false;
  /** The database can be read, but not written. */
  isDiskFull = false;
  isPlanLeft = true;
  mayTransfer = true;
  model: ModelRecord | undefined = UNKNOWN_MODEL;
  task: StoredFirmwareTask;
  rows = new Map<number, StoredFirmwareDevice>();
  #listener: Listener<Report> | undefined;
  /** Which start of the engine it is: timers of an earlier one are dead. */
  #run = 0;
  #engine: FirmwareEngine;

  constructor(count: number, content: Partial<FirmwareTaskContent> = {}) {
    this.terminals = Array.from({ length: count }, (_, at) => ({
      deviceId: `BUS${at + 1}`,
      incarnation: at + 1,
      model: 'MDVR-8',
      version: 'V1.0',
      isOnline: true,
      said: undefined,
      isOwned: true,
      flashes: 0,
    }));
    const whole = aTaskContent({ ...content, image: IMAGE.id });
    this.task = {
      id: 5,
      memberGroup: GROUP,
      version: 3,
      content: whole,
      imageName: IMAGE.name,
      firmwareVersion: IMAGE.firmwareVersion,
      imageBytes: IMAGE.bytes,
      state: 'running',
      reason: '',
      stage: 0,
      nextStageAtMs: 0,
      createdAtMs: 1,
      createdBy: 'Ann',
      editedBy: [1],
      approvedAtMs: 1,
      approvedBy: 'Bob',
      startedAtMs: 1,
      endedAtMs: 0,
    };
    for (const started of startedDevices(this.#reached(), IMAGE, whole)) {
      const { incarnation: id, stage, model, versionBefore } = started;
      this.rows.set(id, {
        id,
        task: this.task.id,
        incarnation: id,
        stage,
        state: 'queued',
        wait: '',
        fault: '',
        method: '',
        model,
        attempts: 0,
        sentBytes: 0,
        versionBefore,
        versionAfter: '',
        deadlineMs: 0,
        changedAtMs: 0,
      });
    }
    this.#engine = this.#create();
  }

  async start(): Promise<void> {
    await this.#engine.start();
    await this.pass(0);
    await this.pass(300);
  }

  /** Starts again as after kill -9: what was not stored is lost. `meanwhile`: before the tasks listen, while terminals may come already. */
  async restart(awayMs = 0, meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    this.#run++;
    this.timers.advance(awayMs);
    this.open.length = 0;
    this.#listener = undefined;
    for (const terminal of this.terminals) terminal.said = undefined;
    await meanwhile();
    this.#engine = this.#create();
    await this.start();
  }

  async close(): Promise<void> {
    const closed = this.#engine.close();
    await settled();
    await closed;
  }

  /** Lets this much time pass, in steps, each with all that follows from it. */
  async pass(ms: number, stepMs = 5_000): Promise<void> {
    await settled();
    for (let left = ms; left > 0; left -= stepMs) {
      this.timers.advance(Math.min(left, stepMs));
      await settled();
    }
  }

  /** Changes the task as a call does. */
  async change(change: Partial<StoredFirmwareTask>, isAccepted = false): Promise<void> {
    this.task = { ...this.task, ...change, version: this.task.version + 1 };
    const done = this.#engine.taskChanged(this.task.id, { isAccepted });
    await Promise.all([done, settled()]);
  }

  recordsChanged(): void {
    this.#engine.recordsChanged();
  }

  row(id: number): StoredFirmwareDevice {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error(`no device ${id}`);
    return row;
  }

  get states(): readonly string[] {
    return [...this.rows.values()].map(({ state }) => state);
  }

  terminal(id: number): FakeTerminal {
    const terminal = this.terminals[id - 1];
    if (terminal === undefined) throw new Error(`no terminal ${id}`);
    return terminal;
  }

  /** Ends what is being sent to the terminal. */
  async settle(id: number, outcome: DeliveryOutcome): Promise<void> {
    const at = this.open.findIndex(({ terminal }) => terminal.incarnation === id);
    const [delivery] = at < 0 ? [] : this.open.splice(at, 1);
    if (delivery === undefined) throw new Error(`nothing is sent to ${id}`);
    if (outcome.ok) delivery.terminal.flashes++;
    delivery.settle(outcome);
    await settled();
  }

  /** The terminal gets the end of what is being sent to it, but nobody hears of that. */
  async arriveUnheard(id: number): Promise<void> {
    const delivery = this.open.find(({ terminal }) => terminal.incarnation === id);
    const asked = delivery?.beforeEnd();
    delivery?.onProgress(IMAGE.bytes - 1);
    await settled();
    if (delivery !== undefined && (await asked) === true) delivery.terminal.flashes++;
  }

  async leave(id: number): Promise<void> {
    const terminal = this.terminal(id);
    terminal.isOnline = false;
    await this.#tell({ kind: 'presence', device: deviceOf(terminal), isOnline: false, atMs: this.timers.now() });
  }

  /** Signs in and says what it is. */
  async enter(id: number, version = this.terminal(id).version): Promise<void> {
    await this.enterSilently(id, version);
    await this.sayVersion(id);
  }

  /** Signs in. */
  async enterSilently(id: number, version: string): Promise<void> {
    const terminal = this.terminal(id);
    terminal.isOnline = true;
    terminal.version = version;
    const device = deviceOf(terminal);
    await this.#tell({ kind: 'presence', device, isOnline: true, atMs: this.timers.now() });
  }

  async sayVersion(id: number): Promise<void> {
    const terminal = this.terminal(id);
    const { model, version } = terminal;
    const device = deviceOf(terminal);
    // The attributes are as the codec reads them: with the kind of their message.
    const attributes = { ...ATTRIBUTES, model, firmwareVersion: version };
    terminal.said = attributes;
    await this.#tell({ kind: 'attributes', device, attributes, receivedAtMs: this.timers.now() });
  }

  async report(id: number, result: number): Promise<void> {
    const device = deviceOf(this.terminal(id));
    const body = { kind: 'upgradeResult', type: 0, result } as const;
    await this.#tell({ kind: 'message', device, body, receivedAtMs: this.timers.now() });
  }

  /** Updates a terminal, from the sending to the new version. */
  async update(id: number): Promise<void> {
    await this.settle(id, { ok: true });
    await this.leave(id);
    await this.enter(id, IMAGE.firmwareVersion);
  }

  async #tell(report: Report): Promise<void> {
    this.#listener?.(report);
    await settled();
  }

  #reached(): ReachedDevice[] {
    return this.terminals
      .filter(({ isOwned }) => isOwned)
      .map(({ deviceId, incarnation, model, version }) => ({
        deviceId,
        incarnation,
        archiveNumber: incarnation,
        deviceGroup: 1,
        timeZone: 'UTC',
        manufacturer: '',
        model,
        hardwareVersion: '',
        firmwareVersion: version,
      }));
  }

  #openTasks(): readonly number[] {
    const own = this.task.state === 'draft' ? [] : [this.task.id];
    return this.hasBrokenTask ? [BROKEN_TASK, ...own] : own;
  }

  #taskOf(id: number): StoredFirmwareTask {
    return id === BROKEN_TASK ? { ...this.task, id, content: BROKEN_CONTENT } : this.task;
  }

  #store<Result>(work: () => Result): Promise<Result> {
    return this.isDatabaseAway ? Promise.reject(new Error('away')) : Promise.resolve(work());
  }

  #create(): FirmwareEngine {
    const run = this.#run;
    return new FirmwareEngine({
      stores: {
        firmwareTasks: {
          open: () => this.#store(() => this.#openTasks()),
          findAnywhere: (id) =>
            this.isTaskUnreadable ? Promise.reject(new Error('unreadable')) : this.#store(() => this.#taskOf(id)),
          note: (id, expectedVersion, note) =>
            this.#store(() => {
              if (id === this.task.id && this.task.version === expectedVersion) this.task = { ...this.task, ...note };
            }),
        },
        firmwareDevices: {
          ofTask: (id) => this.#store(() => (id === this.task.id ? [...this.rows.values()] : [])),
          write: (changes) => {
            if (this.isDiskFull) return Promise.reject(new Error('disk full'));
            return this.#store(() => {
              for (const { device, step } of changes) {
                this.rows.set(device.id, device);
                if (step !== undefined) this.steps.push({ ...step, device: device.id });
              }
            });
          },
        },
        firmwareReach: {
          devices: () => this.#store(() => this.#reached()),
          device: (incarnation) => this.#store(() => this.#reached().find((each) => each.incarnation === incarnation)),
        },
      },
      images: {
        find: async () => undefined,
        findForTask: async () => (this.hasImage ? IMAGE : undefined),
        verifiedFile: () => this.readImage(),
      },
      modelOf: async () => this.model,
      delivery: { deliver: (request) => this.#deliver(request) },
      feed: {
        subscribe: (_, listener) => {
          this.#listener = listener;
          return () => undefined;
        },
      },
      session: (deviceId) => {
        const terminal = this.terminals.find((each) => each.deviceId === deviceId && each.isOnline);
        return terminal && ({ deviceId, incarnation: terminal.incarnation } as TerminalSession);
      },
      situationOf: ({ incarnation }) => ({
        isOnline: this.terminal(incarnation).isOnline,
        parkedSinceMs: undefined,
        ignitionOn: undefined,
        isWatched: false,
        signal: undefined,
        mayTransfer: this.mayTransfer,
        hasPlanLeft: this.isPlanLeft,
        reported: this.terminal(incarnation).said,
      }),
      askVersion: ({ incarnation }) => void this.asked.push(incarnation),
      now: this.timers.now,
      runAfter: (delayMs, work) => this.timers.runAfter(delayMs, () => run === this.#run && work()),
      onFault: (error) => void this.faults.push(error),
      onDeviceFailed: (device) => void this.failures.push(device?.deviceId),
      onTaskMoved: (task) => void this.moved.push(task),
      onChanged: () => void this.told++,
      onLimit: (limit) => this.onLimit(limit),
    });
  }

  #deliver(request: DeliveryRequest): Promise<DeliveryOutcome> {
    const terminal = this.terminals.find(({ incarnation }) => incarnation === request.session.incarnation);
    if (terminal === undefined) throw new Error('an unknown terminal');
    return new Promise((resolve) => {
      const delivery = { ...request, terminal, settle: resolve };
      this.open.push(delivery);
      this.most = Math.max(this.most, this.open.length);
      request.signal.addEventListener('abort', () => {
        const at = this.open.indexOf(delivery);
        if (at >= 0) this.open.splice(at, 1);
        resolve({ ok: false, fault: 'aborted', isPassing: true, detail: '' });
      });
    });
  }
}

function deviceOf({ deviceId, incarnation }: FakeTerminal) {
  return { deviceId, incarnation, archiveNumber: incarnation };
}

/** Waits for all promises that follow from one another. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await nextTurn();
}
