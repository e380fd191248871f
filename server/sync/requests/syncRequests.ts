// What members and events ask for, as items that go before those of rules.

import type { SyncStream } from '../../../shared/protocol/sync/syncWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { SyncItemStore } from '../../store/sync/syncItems.ts';
import { hasEndedState } from '../plan/endedStates.ts';
import { planRequest } from '../plan/planRequest.ts';
import { eventPosition, requestPosition } from '../plan/positions.ts';
import type { DeviceSources } from '../sources/deviceSources.ts';

export interface RequestedDevice {
  readonly incarnation: number;
  readonly archiveId: string;
}

export interface MemberRequest extends TimeRange {
  readonly device: RequestedDevice;
  readonly channels: readonly number[];
  readonly stream: SyncStream;
  readonly memberGroup: number;
  /** User name. */
  readonly by: string;
}

export interface EventRequest extends TimeRange {
  readonly device: RequestedDevice;
  readonly channels: readonly number[];
  readonly eventId: number;
}

export interface SyncRequestsDeps {
  readonly items: Pick<SyncItemStore, 'add' | 'taken'>;
  readonly sources: Pick<DeviceSources, 'here' | 'files' | 'clockOf'>;
  readonly onAdded: (incarnation: number) => void;
  readonly now: () => number;
}

export class SyncRequests {
  readonly #deps: SyncRequestsDeps;

  constructor(deps: SyncRequestsDeps) {
    this.#deps = deps;
  }

  /** Gives the ids of the items: none where all of it is on its way already. */
  forMember(request: MemberRequest): Promise<number[]> {
    const { memberGroup, by: requestedBy, stream } = request;
    const position = requestPosition(this.#deps.now());
    return this.#request(request, { memberGroup, requestedBy, stream, eventId: 0, position });
  }

  /** Only what the server lacks: an event says nothing of what is here already. */
  async forEvent(request: EventRequest): Promise<number[]> {
    const { eventId } = request;
    const position = eventPosition(this.#deps.now());
    return this.#request(request, { memberGroup: 0, requestedBy: '', stream: 'any', eventId, position });
  }

  async #request(
    { device, channels, fromMs, toMs }: Pick<EventRequest, 'device' | 'channels' | 'fromMs' | 'toMs'>,
    who: Pick<Parameters<typeof planRequest>[0], 'memberGroup' | 'requestedBy' | 'stream' | 'eventId' | 'position'>,
  ): Promise<number[]> {
    const { incarnation } = device;
    const span = { fromMs, toMs };
    const [files, here, taken, clock] = await Promise.all([
      this.#deps.sources.files(device, span),
      this.#deps.sources.here(device, span),
      this.#deps.items.taken(incarnation, span),
      this.#deps.sources.clockOf(incarnation),
    ]);
    const planned = channels.flatMap((channel) =>
      planRequest({
        ...who,
        ...span,
        incarnation,
        channel,
        files,
        clock,
        here: here.get(channel) ?? [],
        open: taken.filter((item) => item.channel === channel && !hasEndedState(item.state)),
      }),
    );
    const wanted = who.eventId > 0 ? planned.filter(({ state }) => state === 'planned') : planned;
    const ids = await this.#deps.items.add(wanted, wallMs(this.#deps.now()));
    if (ids.length > 0) this.#deps.onAdded(incarnation);
    return ids;
  }
}
