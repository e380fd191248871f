// Asks terminals which areas they have, and notes how these compare with what they were sent.
import { FENCE_KINDS, type FenceKind } from '../../../shared/protocol/fences/fenceWords.ts';
import type { FenceStore } from '../../store/fences/fences.ts';
import type { StoredArea, TerminalAreaStore } from '../../store/fences/terminalAreas.ts';
import type { StoredArea as ReportedArea } from '../jt808/codec/messages/areasReply.ts';
import type { DeviceRegistry } from '../registry.ts';
import type { TerminalSession } from '../terminalSession.ts';
import { areaBody, areaKindOf } from './areaBodies.ts';
import { areasOfReply, holdsArea } from './areaComparison.ts';

export interface AreaReaderDeps {
  readonly store: TerminalAreaStore;
  readonly fences: Pick<FenceStore, 'findAnywhere'>;
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly now: () => number;
}

export class AreaReader {
  readonly #deps: AreaReaderDeps;
  /** Devices that have not been able to say. */
  readonly #open = new Set<string>();
  readonly #reading = new Map<TerminalSession, Promise<void>>();

  constructor(deps: AreaReaderDeps) {
    this.#deps = deps;
  }

  /** Whether the terminal has to be asked when it is here again. */
  isOpen(deviceId: string): boolean {
    return this.#open.has(deviceId);
  }

  /** One reading after the other: what is asked already was asked before. */
  async read(deviceId: string): Promise<void> {
    const session = this.#deps.registry.session(deviceId);
    if (session === undefined) {
      this.#open.add(deviceId);
      return;
    }
    const reading = (this.#reading.get(session) ?? Promise.resolve()).then(() => this.#read(session));
    const kept = reading.finally(() => {
      if (this.#reading.get(session) === kept) this.#reading.delete(session);
    });
    // A fault is the caller's own; those that wait behind it go on.
    this.#reading.set(
      session,
      kept.catch(() => undefined),
    );
    await kept;
  }

  async #read(session: TerminalSession): Promise<void> {
    const { deviceId, incarnation } = session;
    const areas = await this.#deps.store.ofDevice({ deviceId, incarnation });
    const known = areas.filter(({ state }) => state !== 'waiting' && state !== 'refused' && state !== 'full');
    this.#open.delete(deviceId);
    for (const kind of FENCE_KINDS) {
      const ofKind = known.filter((area) => area.kind === kind);
      if (ofKind.length > 0) await this.#readKind(session, kind, ofKind);
    }
  }

  async #readKind(session: TerminalSession, kind: FenceKind, areas: readonly StoredArea[]): Promise<void> {
    if (session.edition === '2013') {
      for (const area of areas) await this.#noteUnread(area);
      return;
    }
    const question = { kind: 'queryAreas', type: areaKindOf(kind), ids: areas.map(({ fence }) => fence) } as const;
    const answer = await session.query(question, 'areasReply');
    if (!answer.ok && answer.reason !== 'refused') {
      this.#open.add(session.deviceId);
      return;
    }
    const reported = answer.ok ? areasOfReply(answer.answer, session.edition) : undefined;
    for (const area of areas) {
      if (reported === undefined) await this.#noteUnread(area);
      else await this.#compare(area, reported);
    }
  }

  /** It can't say, so that its answer of success is all there is. */
  async #noteUnread(area: StoredArea): Promise<void> {
    if (area.state !== 'sent' || area.note === 'no-answer') return;
    const note = area.note === '' ? 'not-read-back' : area.note;
    await this.#deps.store.setState(area, { state: 'confirmed', note, atMs: this.#deps.now() });
  }

  async #compare(area: StoredArea, reported: readonly ReportedArea[]): Promise<void> {
    const { store, fences, now } = this.#deps;
    if (!area.isWanted) {
      // The order to remove it ended without an answer.
      const isGone = !reported.some((each) => each.area.id === area.fence);
      if (isGone && area.note !== '') await store.remove(area);
      return;
    }
    const fence = await fences.findAnywhere(area.fence);
    // What it was sent is not known any more.
    if (fence === undefined || fence.version !== area.fenceVersion) return;
    const sent = areaBody(fence);
    if (!sent.ok) return;
    const isThere = holdsArea(reported, sent.body);
    const change = { state: isThere ? 'confirmed' : 'differs', note: sent.note, atMs: now() } as const;
    if (change.state !== area.state || change.note !== area.note) await store.setState(area, change);
  }
}
