// Turns requests of members and events into items that precede those of rules.

import type { SyncRequestOutcome, SyncStream } from '../../../shared/protocol/sync/syncWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { NewSyncItem } from '../../store/sync/syncItemRows.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import { hasEndedState } from '../plan/endedStates.ts';
import { planRequest } from '../plan/planRequest.ts';
import { eventPosition, requestPosition } from '../plan/positions.ts';
import type { DeviceSources } from '../sources/deviceSources.ts';
import { requestOutcome } from './requestOutcome.ts';

interface RequestedDevice {
  readonly incarnation: number;
  readonly archiveId: string;
}

export interface MemberRequest extends TimeRange {
  readonly device: RequestedDevice;
  readonly channels: readonly number[];
  readonly stream: SyncStream;
  readonly memberGroup: number;
  /** Username. */
  readonly by: string;
}

export interface EventRequest extends TimeRange {
  readonly device: RequestedDevice;
  readonly channels: readonly number[];
  readonly eventId: number;
}

export interface Requested {
  /** Ids of the items that were added. */
  readonly items: readonly number[];
  readonly outcome: SyncRequestOutcome;
}

interface Plan {
  readonly items: readonly NewSyncItem[];
  /** Some of it was in the queue before. */
  readonly isQueued: boolean;
}

export interface SyncRequestsDeps {
  readonly items: Pick<SyncItemStore, 'add' | 'taken' | 'bringForward'>;
  readonly sources: Pick<DeviceSources, 'here' | 'files' | 'clockOf'>;
  readonly onAdded: (incarnation: number) => void;
  readonly now: () => number;
}

export class SyncRequests {
  readonly #deps: SyncRequestsDeps;

  constructor(deps: SyncRequestsDeps) {
    this.#deps = deps;
  }

  /** Parts of it that rules or events have in the queue move forward with it. */
  async forMember(request: MemberRequest): Promise<Requested> {
    const { device, channels, fromMs, toMs, memberGroup, by: requestedBy, stream } = request;
    const nowMs = wallMs(this.#deps.now());
    const asker = { memberGroup, requestedBy, position: requestPosition(nowMs) };
    const { items, isQueued } = await this.#plan(request, { ...asker, stream, eventId: 0 });
    const { incarnation } = device;
    const moved = await this.#deps.items.bringForward({ incarnation, channels, fromMs, toMs }, asker, nowMs);
    const ids = await this.#deps.items.add(items, nowMs);
    if (ids.length > 0 || moved > 0) this.#deps.onAdded(incarnation);
    return { items: ids, outcome: requestOutcome(items, isQueued) };
  }

  /** Requests only what the server lacks: an event has no interest in what is here already. */
  async forEvent(request: EventRequest): Promise<number[]> {
    const { eventId } = request;
    const position = eventPosition(this.#deps.now());
    const { items } = await this.#plan(request, { memberGroup: 0, requestedBy: '', stream: 'any', eventId, position });
    const lacking = items.filter(({ state }) => state === 'planned');
    const ids = await this.#deps.items.add(lacking, wallMs(this.#deps.now()));
    if (ids.length > 0) this.#deps.onAdded(request.device.incarnation);
    return ids;
  }

  async #plan(
    { device, channels, fromMs, toMs }: Pick<EventRequest, 'device' | 'channels' | 'fromMs' | 'toMs'>,
    who: Pick<Parameters<typeof planRequest>[0], 'memberGroup' | 'requestedBy' | 'stream' | 'eventId' | 'position'>,
  ): Promise<Plan> {
    const { incarnation } = device;
    const span = { fromMs, toMs };
    const [files, here, taken, clock] = await Promise.all([
      this.#deps.sources.files(device, span),
      this.#deps.sources.here(device, span),
      this.#deps.items.taken(incarnation, span),
      this.#deps.sources.clockOf(incarnation),
    ]);
    const open = taken.filter(({ channel, state }) => channels.includes(channel) && !hasEndedState(state));
    const items = channels.flatMap((channel) =>
      planRequest({
        ...who,
        ...span,
        incarnation,
        channel,
        files,
        clock,
        here: here.get(channel) ?? [],
        open: open.filter((item) => item.channel === channel),
      }),
    );
    return { items, isQueued: open.length > 0 };
  }
}
