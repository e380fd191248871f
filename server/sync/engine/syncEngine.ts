// Fetches items: selects those that may run, has them fetched with one of the methods, and records the outcome. The decisions are in the
// functions beside it.
import type { SyncItemState } from '../../../shared/protocol/sync/syncWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { inBackground } from '../../faults/background.ts';
import { faultOf } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit } from '../../limits/limit.ts';
import type { StoredSyncItem, SyncItemChange } from '../../store/sync/syncItemRows.ts';
import type { StoredSyncRule } from '../../store/sync/syncRules.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import { type Review, reviewItem } from '../plan/review.ts';
import { type AttemptEnd, afterAttempt, type SettledEnd } from './afterAttempt.ts';
import type { Attempt } from './attempts/attempt.ts';
import type { SyncEngineDeps } from './engineDeps.ts';
import { GroupRuns } from './groupRuns.ts';
import {
  MAX_RUNS,
  mayStart,
  networkBits,
  nextOfWait,
  placesFor,
  reasonToStop,
  type StartFacts,
  wantsPlace,
} from './mayStart.ts';
import { NetworkHolds } from './networkHolds.ts';
import { allowsPlayback, endOfHere, methodFor, nextOfRun, withFault } from './outcomes.ts';
import { PausedRuns } from './pausedRuns.ts';
import { RuleAllowances } from './ruleAllowances.ts';
import { Run, type StoppedAs } from './run.ts';
import { DeviceTurns } from './turns.ts';

/**
 * Recordings that are fetched at a time, 100 of them for rules. Shared by member groups. The others wait for a turn, and the member group
 * with the fewest is next.
 */
export const RUNS_LIMIT: Limit = { name: 'sync.running.process', max: MAX_RUNS };
const ROUND_MS = 5_000;
const SOON_MS = 100;
/** Devices in one round, so that a large fleet takes the database's time in parts. */
const DEVICES_A_ROUND = 50;
/** Items of a device that are read at a time. */
const ITEMS_A_LOOK = 20;
/** Reads for one device in one round. */
const LOOKS_AT_A_DEVICE = 10;

export class SyncEngine {
  readonly #deps: SyncEngineDeps;
  readonly #rounds: Rounds;
  readonly #turns = new DeviceTurns((incarnation) => this.#groupOfDevice(incarnation));
  /** Runs by incarnation: a device sends one item at a time. */
  readonly #runs = new Map<number, Run>();
  /** Uploads that a member has paused, by item. Their terminals still have them, and others have the device's turn. */
  readonly #paused = new PausedRuns();
  readonly #working = new Set<Promise<void>>();
  readonly #allowances: RuleAllowances;
  readonly #groupRuns = new GroupRuns({
    running: () => [...this.#runs.values()].map(({ item, device }) => this.#groupOf(item, device)),
    groups: () => this.#deps.directory.ownerCount,
  });
  #leftoversRead: Promise<void> | undefined;
  readonly #networkHolds = new NetworkHolds();
  #isClosing = false;

  constructor(deps: SyncEngineDeps) {
    this.#deps = deps;
    this.#allowances = new RuleAllowances(deps);
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'data sync could not go on',
      intervalMs: ROUND_MS,
      delayMs: SOON_MS,
    });
  }

  get runningCount(): number {
    return this.#runs.size;
  }

  get waitingDevices(): number {
    return this.#turns.size;
  }

  /** Items that were under way in an earlier run are planned again. */
  async start(): Promise<void> {
    await this.#deps.items.restart(this.#now());
    for (const incarnation of await this.#deps.items.devicesWithOpen()) this.#turns.add(incarnation);
    this.#rounds.workSoon();
  }

  /** Called when the device has connected, has new items, or may no longer have to wait. */
  kick(incarnation: number): void {
    this.#turns.kick(incarnation);
    if (!this.#isClosing) this.#rounds.workSoon();
  }

  /** Called when somebody begins or ends to watch the device's card. */
  cardWatched(deviceId: string, isWatched: boolean): void {
    const device = this.#deps.directory.deviceOf(deviceId);
    if (device === undefined) return;
    const run = this.#runs.get(device.incarnation);
    if (!isWatched) {
      run?.hold.set('viewers', false);
      if (run !== undefined) this.#tellState(run, '');
      this.kick(device.incarnation);
    } else if (run?.method === 'playback') {
      // A device plays its card for one request at a time.
      run.stop({ state: 'waiting', wait: 'viewers' });
    } else if (run !== undefined) {
      run.hold.set('viewers', true);
      this.#tellState(run, 'viewers');
    }
  }

  /** Called when the allowance of a device's data plan may have changed. */
  planChanged(deviceId: string): void {
    const device = this.#deps.directory.deviceOf(deviceId);
    if (device === undefined) return;
    const run = this.#runs.get(device.incarnation);
    if (run !== undefined && !this.#deps.planGate.mayTransfer(deviceId, 0).ok)
      run.stop({ state: 'waiting', wait: 'plan' });
    this.kick(device.incarnation);
  }

  /** Called when devices and rules were read again, or time has passed: stops items that may no longer be fetched. */
  reviewRuns(): void {
    for (const run of this.#runs.values()) {
      const { item, method, device: before } = run;
      const device = this.#deps.directory.device(before.incarnation);
      const rule = this.#ruleOf(item)?.content;
      const isCovered = device !== undefined && this.#isCovered(item, device);
      const { timeZone } = device ?? before;
      const as = reasonToStop({ nowMs: this.#deps.now(), isCovered, rule, timeZone, method });
      if (as !== undefined) run.stop(as);
    }
    for (const run of this.#paused.all) if (!this.#mayHave(run)) run.stop(PAUSED);
  }

  #mayHave({ item, device: { incarnation } }: Run): boolean {
    const device = this.#deps.directory.device(incarnation);
    return device !== undefined && this.#isCovered(item, device);
  }

  /** Called for a member: ends a running item; pausing an upload makes its terminal wait. Returns whether it applied. */
  async stopItem({ id, incarnation }: Pick<StoredSyncItem, 'id' | 'incarnation'>, as: StoppedAs): Promise<boolean> {
    const isDone = await this.#deps.items.change(id, as, this.#now());
    if (!isDone) return false;
    const run = this.#runs.get(incarnation);
    if (run?.item.id === id) this.#stopRun(run, as);
    else if (as.state !== 'paused') this.#paused.of(id)?.stop(as);
    this.kick(incarnation);
    return true;
  }

  #stopRun(run: Run, as: StoppedAs): void {
    const isPaused = as.state === 'paused' && this.#paused.add(run);
    if (!isPaused) run.stop(as);
    else this.#runs.delete(run.device.incarnation);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#deps.leftovers.close();
    await this.#rounds.close();
    for (const run of [...this.#runs.values(), ...this.#paused.all]) run.leave();
    await Promise.all([this.#leftoversRead, ...this.#working]);
  }

  async #round(): Promise<void> {
    this.#leftoversRead ??= this.#readLeftovers();
    await this.#tellProgress();
    this.reviewRuns();
    for (const incarnation of this.#turns.take(DEVICES_A_ROUND)) {
      if (this.#isClosing) return;
      if (!this.#runs.has(incarnation)) await this.#look(incarnation);
    }
    // A place may have become free, or the one whose turn it was no longer wants it.
    for (const incarnation of this.#groupRuns.due()) this.kick(incarnation);
  }

  /** Runs beside the rounds: a busy machine may need a minute per file, and other items don't wait for it. */
  #readLeftovers(): Promise<void> {
    const reading = this.#deps.leftovers.readAll();
    inBackground('what had come before the last start could not be read', reading, this.#deps.onFault);
    // Items that waited for this may begin.
    return reading.then(
      () => this.#rounds.workSoon(),
      () => undefined,
    );
  }

  async #tellProgress(): Promise<void> {
    for (const run of [...this.#runs.values()]) {
      const { receivedBytes } = run;
      const bytesPerSecond = run.rate();
      await this.#change(run.item, run.device, { receivedBytes, bytesPerSecond }, UNDER_WAY);
      await this.#allowances.countReceived(this.#ruleOf(run.item), run.device, () => run.takeUncounted());
    }
  }

  /** Starts the first item of the device that may be fetched, and notes the reason for waiting of those before it. */
  async #look(incarnation: number): Promise<void> {
    this.#groupRuns.forget(incarnation);
    const closedRules = new Set<number>();
    for (let look = 0; look < LOOKS_AT_A_DEVICE; look++) {
      // Many items of a rule that may not begin, or that wait for another attempt, must not hold up the items after them.
      const only = look === 0 ? undefined : { notOf: [...closedRules], dueMs: this.#now() };
      const items = await this.#deps.items.next(incarnation, ITEMS_A_LOOK, only);
      if (items.length === 0 && look === 0) this.#turns.remove(incarnation);
      const closedBefore = closedRules.size;
      for (const item of items) {
        const next = await this.#lookAt(item);
        if (next === 'stop') return;
        if (next === 'next-rule' && item.rule !== undefined) closedRules.add(item.rule);
      }
      const isSameAgain = look > 0 && closedRules.size === closedBefore;
      if (isSameAgain || items.length < ITEMS_A_LOOK) return;
    }
  }

  /** Whether items of the device after this one are checked. */
  async #lookAt(item: StoredSyncItem): Promise<'stop' | 'next-rule' | 'next-item'> {
    if (this.#isClosing || this.#runs.has(item.incarnation)) return 'stop';
    // Files that are here already aren't requested again.
    if (this.#deps.leftovers.isAwaited(item.id)) return 'next-item';
    const device = this.#deps.directory.device(item.incarnation);
    if (device !== undefined) return this.#tryStart(item, device);
    await this.#change(item, undefined, { state: 'failed', wait: '', fault: 'device-removed' }, TO_BEGIN);
    return 'next-item';
  }

  async #tryStart(item: StoredSyncItem, device: SyncDevice) {
    const rule = this.#ruleOf(item);
    const wish = { memberGroup: this.#groupOf(item, device), places: placesFor(rule) };
    const facts: StartFacts = {
      nowMs: this.#deps.now(),
      wait: item.wait,
      nextAtMs: item.nextAtMs,
      isCovered: this.#isCovered(item, device),
      rule: rule?.content,
      timeZone: device.timeZone,
      isOnline: this.#deps.isOnline(device),
      isDiskReady: this.#deps.isDiskReady(),
      isWatched: this.#deps.watchesCard(device.deviceId),
      mayTransfer: this.#deps.planGate.mayTransfer(device.deviceId, item.totalBytes).ok,
      isOffNetwork: rule !== undefined && this.#networkHolds.has(device.incarnation, rule.id, this.#deps.now()),
      receivedTodayBytes: await this.#allowances.receivedToday(rule, device),
      runningOfRule: [...this.#runs.values()].filter((run) => rule !== undefined && run.item.rule === rule.id).length,
      runningInAll: this.#runs.size,
      isOthersTurn: !this.#groupRuns.mayBegin(wish),
    };
    const decision = mayStart(facts);
    switch (decision.kind) {
      case 'cancel':
        await this.#change(item, device, { state: 'canceled', wait: '', fault: 'not-allowed' }, TO_BEGIN);
        return 'next-item';
      case 'wait': {
        const { wait } = decision;
        const next = nextOfWait(wait);
        if (wait === 'turn' && wantsPlace(facts)) this.#groupRuns.wait(device.incarnation, wish);
        if (item.wait === wait && item.state === 'waiting') return next;
        if (wait === 'turn' && this.#runs.size >= RUNS_LIMIT.max) this.#deps.onLimit(RUNS_LIMIT);
        await this.#change(item, device, { state: 'waiting', wait }, TO_BEGIN);
        return next;
      }
      case 'start':
        return (await this.#begin(item, device, rule)) ? 'stop' : 'next-item';
    }
  }

  /** False where nothing of the item is left to be fetched. */
  async #begin(item: StoredSyncItem, device: SyncDevice, rule: StoredSyncRule | undefined): Promise<boolean> {
    const paused = this.#paused.of(item.id);
    if (paused !== undefined) return this.#goOn(paused);
    await this.#deps.leftovers.retry(item.id);
    const review = await this.#review(item, device);
    if (review.kind === 'gone') {
      await this.#change(item, device, { state: 'lost', wait: '' }, TO_BEGIN);
      return false;
    }
    if (review.kind === 'here') {
      const isHeld = await this.#holdClip(item, device);
      const here = { state: endOfHere(item), wait: '' } as const;
      const next = isHeld ? here : afterAttempt(NOT_HELD, item.attempts, this.#deps.now());
      await this.#change(item, device, next, TO_BEGIN);
      return false;
    }
    const networks = networkBits(rule?.content);
    const method = methodFor(networks, item.method ?? this.#deps.methods.of(device));
    const run = new Run({ item, device, method, bandwidth: this.#allowances.bandwidthOf(rule) }, this.#deps);
    const { incarnation } = device;
    this.#runs.set(incarnation, run);
    this.#groupRuns.begun(this.#groupOf(item, device));
    this.#groupRuns.forget(incarnation);
    const work = this.#run(run, review, networks).finally(() => {
      run.close();
      if (this.#runs.get(incarnation) === run) this.#runs.delete(incarnation);
      this.#paused.remove(run);
      this.#working.delete(ended);
      this.kick(incarnation);
    });
    const ended = work.catch(() => undefined);
    this.#working.add(ended);
    inBackground(`a recording of ${device.deviceId} could not be fetched`, work, this.#deps.onFault);
    return true;
  }

  /** Continues an upload that a member has paused and resumed. One that is about to end is begun again after it has ended. */
  async #goOn(run: Run): Promise<boolean> {
    const { item, device } = run;
    if (!run.canPause) return false;
    this.#paused.remove(run);
    this.#runs.set(device.incarnation, run);
    this.#groupRuns.forget(device.incarnation);
    const change = { state: run.state, wait: '', fault: '' } as const;
    const isResumed = await this.#change(item, device, change, TO_BEGIN);
    // A member may have changed the state meanwhile.
    if (this.#runs.get(device.incarnation) !== run) return false;
    if (isResumed) run.resume();
    else this.#stopRun(run, PAUSED);
    return isResumed;
  }

  async #run(run: Run, review: Extract<Review, { kind: 'missing' }>, networks: number): Promise<void> {
    const { item, device } = run;
    let end: AttemptEnd;
    try {
      // If it was stopped meanwhile, that counts.
      const begun = { state: 'requested', wait: '', fault: '', method: run.method } as const;
      if (!(await this.#change(item, device, begun, TO_BEGIN))) return;
      if (this.#deps.watchesCard(device.deviceId)) run.stop({ state: 'waiting', wait: 'viewers' });
      end = run.signal.aborted ? { kind: 'stopped' } : await this.#attempt(run, review, networks);
    } catch (cause) {
      this.#deps.onFault(faultOf(`a recording of ${device.deviceId} could not be fetched`, cause));
      end = { kind: 'failed', fault: 'internal', addedMs: 0 };
    }
    await this.#finish(run, end);
  }

  /** Uses the other method where the first one is unusable. */
  async #attempt(run: Run, { ranges }: Extract<Review, { kind: 'missing' }>, networks: number): Promise<AttemptEnd> {
    const { item, device } = run;
    const offsetMs = item.fromMs - item.deviceFromMs;
    const attempt: Attempt = {
      device,
      item,
      deviceFromMs: wallMs((ranges[0]?.fromMs ?? item.fromMs) - offsetMs),
      deviceToMs: wallMs((ranges.at(-1)?.toMs ?? item.toMs) - offsetMs),
      networks,
      hold: run.hold,
      signal: run.signal,
      closing: run.closing,
      onBytes: (bytes) => {
        const isFirst = run.receivedBytes === 0;
        run.received(bytes);
        if (isFirst) this.#tellReceived(run);
      },
      onState: (state) => {
        run.state = state;
        this.#tellState(run, '');
      },
    };
    if (run.method === 'ftp') {
      const end = await this.#deps.fetchByFtp(attempt);
      if (end.kind === 'stored') this.#deps.methods.note(device, 'ftp');
      if (end.kind !== 'unusable' || !allowsPlayback(networks)) return end;
      run.method = 'playback';
      if (this.#deps.watchesCard(device.deviceId)) run.stop({ state: 'waiting', wait: 'viewers' });
      if (run.signal.aborted) return { kind: 'stopped' };
      const change = { method: 'playback', state: 'requested', wait: '' } as const;
      if (!(await this.#change(item, device, change, UNDER_WAY))) return { kind: 'stopped' };
      const played = await this.#play(attempt);
      // A recording that is no longer on the card isn't uploaded either, which says nothing about the model.
      if (played.kind === 'stored') this.#deps.methods.note(device, 'playback');
      return withFault(played, end.fault);
    }
    return this.#play(attempt);
  }

  async #play(attempt: Attempt): Promise<AttemptEnd> {
    const { device, signal } = attempt;
    const end = await this.#deps.fetchByPlayback(attempt, this.#deps.methods.isSlow(device));
    if (end.kind !== 'too-fast') return end;
    this.#deps.methods.noteSlow(device);
    return signal.aborted ? { kind: 'stopped' } : this.#deps.fetchByPlayback(attempt, true);
  }

  async #finish(run: Run, end: AttemptEnd): Promise<void> {
    const { item, device, receivedBytes, transferMs, method } = run;
    const progress = { receivedBytes, bytesPerSecond: 0, transferMs };
    run.isFinished = true;
    await run.writing.catch(() => undefined);
    const isHeld = end.kind !== 'stored' || (await this.#holdClip(item, device));
    const next = nextOfRun(isHeld ? end : NOT_HELD, run, this.#deps.now());
    if (end.kind === 'no-network' && item.rule !== undefined)
      this.#networkHolds.note(device.incarnation, item.rule, this.#deps.now());
    // The state that a member has set meanwhile stays, unless all of the item is here.
    const from = next.state === 'done' ? undefined : UNDER_WAY;
    const isChanged = await this.#change(item, device, { ...progress, method, ...next }, from);
    if (!isChanged) await this.#change(item, device, progress);
    await this.#allowances.countReceived(this.#ruleOf(run.item), run.device, () => run.takeUncounted());
    if (next.state !== 'done') return;
    // The video is here after all.
    const { file = '' } = (await this.#deps.items.find(item.id)) ?? {};
    if (file === '') return;
    await this.#deps.removeFile(file);
    await this.#deps.items.clearFile(item.id);
  }

  /** To be called before the item's end is stored: ended items are not looked at again, and repeated holds count once. */
  async #holdClip({ eventId, fromMs, deviceFromMs }: StoredSyncItem, { deviceId }: SyncDevice): Promise<boolean> {
    if (eventId === 0) return true;
    try {
      await this.#deps.onEventFetched({ eventId, offsetMs: fromMs - deviceFromMs });
      return true;
    } catch (cause) {
      this.#deps.onFault(faultOf(`the clip of an event of ${deviceId} could not be held`, cause));
      return false;
    }
  }

  async #review(item: StoredSyncItem, device: SyncDevice): Promise<Review> {
    const span = { fromMs: item.fromMs, toMs: item.toMs };
    const [here, files] = await Promise.all([
      this.#deps.sources.here(device, span),
      this.#deps.sources.files(device, span),
    ]);
    return reviewItem(item, here.get(item.channel) ?? [], files);
  }

  /** The member group that the item counts for: the requester's, or the device's. */
  #groupOf({ memberGroup }: Pick<StoredSyncItem, 'memberGroup'>, device: SyncDevice): number {
    return memberGroup === 0 ? this.#deps.directory.ownerOf(device) : memberGroup;
  }

  #groupOfDevice(incarnation: number): number {
    const device = this.#deps.directory.device(incarnation);
    return device === undefined ? 0 : this.#deps.directory.ownerOf(device);
  }

  #ruleOf({ rule }: StoredSyncItem): StoredSyncRule | undefined {
    return rule === undefined ? undefined : this.#deps.directory.rule(rule);
  }

  #isCovered({ rule: id, memberGroup, requestedBy, eventId }: StoredSyncItem, device: SyncDevice): boolean {
    if (device.disabled) return false;
    if (id !== undefined) {
      const rule = this.#deps.directory.rule(id);
      return rule !== undefined && this.#deps.directory.covers(rule, device);
    }
    if (eventId > 0) return true;
    // Items of a deleted rule are no longer wanted.
    return requestedBy !== '' && this.#deps.directory.owns(memberGroup, device);
  }

  /** Written at once: after a kill this shows that the stored part of the item was fetched for it. */
  #tellReceived(run: Run): void {
    const { item, device, receivedBytes } = run;
    run.writing = run.writing.then(async () => {
      if (!run.isFinished) await this.#change(item, device, { receivedBytes }, UNDER_WAY);
    });
    inBackground('what was received of an item could not be written', run.writing, this.#deps.onFault);
  }

  #tellState(run: Run, wait: StoppedAs['wait']): void {
    // The writes follow one another: on several connections an earlier state could be written last.
    run.writing = run.writing.then(async () => {
      if (run.stoppedAs === undefined && !run.isFinished)
        await this.#change(run.item, run.device, { state: run.state, wait }, UNDER_WAY);
    });
    inBackground('the state of an item could not be written', run.writing, this.#deps.onFault);
  }

  /** False when the item has ended meanwhile, or is in none of the states in `from`. */
  async #change(
    item: StoredSyncItem,
    device: SyncDevice | undefined,
    change: SyncItemChange,
    from?: readonly SyncItemState[],
  ): Promise<boolean> {
    const isDone = await this.#deps.items.change(item.id, change, this.#now(), from);
    if (isDone && device !== undefined)
      for (const group of this.#deps.directory.ownersOf(device)) this.#deps.onChanged(group);
    return isDone;
  }

  #now() {
    return wallMs(this.#deps.now());
  }
}

const PAUSED: StoppedAs = { state: 'paused', wait: '' };
/** Members pause, resume, cancel and retry items at any time: the engine doesn't change a state that they have set. */
const TO_BEGIN = ['planned', 'waiting'] as const;
const UNDER_WAY = ['requested', 'running', 'checking'] as const;
/** The item is tried again like one that could not be fetched. */
const NOT_HELD: SettledEnd = { kind: 'failed', fault: 'internal', addedMs: 0 };
