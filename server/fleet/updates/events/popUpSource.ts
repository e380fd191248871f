// The topic `popups`: events that are shown over whatever page is open, to those who see them.
import { type EventPopUp, POP_UPS_AT_ONCE } from '../../../../shared/protocol/api/liveUpdates.ts';
import { Pace, type PaceDeps } from '../pace.ts';
import {
  encode,
  type GroupScope,
  type MessageBytes,
  type TopicFeed,
  type TopicSource,
  type Topics,
} from '../topicSource.ts';

/** With whom sees it. */
export interface PlacedPopUp {
  readonly isOfGateway: boolean;
  readonly deviceGroup: number | undefined;
  readonly popUp: EventPopUp;
}

export class PopUpSource implements TopicSource {
  readonly #pace: Pace;
  readonly #feeds = new Set<PopUpFeed>();
  #deliver: () => void = () => undefined;

  constructor(deps: Omit<PaceDeps, 'tell'>) {
    this.#pace = new Pace({ ...deps, tell: () => this.#deliver() });
  }

  onDue(deliver: () => void): void {
    this.#deliver = deliver;
  }

  add(popUps: readonly PlacedPopUp[]): void {
    if (popUps.length === 0 || this.#feeds.size === 0) return;
    for (const feed of this.#feeds) feed.take(popUps);
    this.#pace.soon();
  }

  open(scope: GroupScope): TopicFeed {
    const feed = new PopUpFeed(scope);
    this.#feeds.add(feed);
    return {
      takeChanges: () => feed.takeChanges(),
      reset: (changed) => feed.reset(changed),
      close: () => this.#feeds.delete(feed),
    };
  }

  close(): void {
    this.#pace.close();
  }
}

class PopUpFeed {
  #scope: GroupScope;
  /** Both at most POP_UPS_AT_ONCE. */
  #ofDevices: EventPopUp[] = [];
  #all: EventPopUp[] = [];

  constructor(scope: GroupScope) {
    this.#scope = scope;
  }

  take(popUps: readonly PlacedPopUp[]): void {
    for (const { isOfGateway, deviceGroup, popUp } of popUps) {
      const isSeen = deviceGroup !== undefined && this.#scope.deviceGroups.has(deviceGroup);
      if (isSeen) this.#ofDevices = latest(this.#ofDevices, popUp);
      if (isSeen || isOfGateway) this.#all = latest(this.#all, popUp);
    }
  }

  takeChanges(): (topics: Topics) => MessageBytes | undefined {
    const [ofDevices, all] = [messageOf(this.#ofDevices), messageOf(this.#all)];
    this.#ofDevices = [];
    this.#all = [];
    return (topics) => (topics.has('popups') ? (topics.has('gateway') ? all : ofDevices) : undefined);
  }

  reset(scope: GroupScope): void {
    this.#scope = scope;
    this.#ofDevices = [];
    this.#all = [];
  }
}

function latest(popUps: readonly EventPopUp[], added: EventPopUp): EventPopUp[] {
  return [...popUps, added].slice(-POP_UPS_AT_ONCE);
}

function messageOf(popUps: readonly EventPopUp[]): MessageBytes | undefined {
  return popUps.length === 0 ? undefined : encode({ type: 'popups', popUps });
}
