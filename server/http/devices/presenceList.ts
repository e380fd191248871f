// Lists of the devices that are connected or are not: the gateway knows that and the database does not, so those lists are cut
// here, and a cursor is how many rows come before it.
import { MAX_EXACT_TOTAL } from '../../../shared/protocol/api/lists.ts';
import type { DevicePageQuery } from '../../store/devices/deviceList.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { DeviceRecordStore } from '../../store/devices/deviceRecords.ts';
import type { FoundPage, SortValue } from '../../store/engine/listPage.ts';

export interface PresenceListDeps {
  readonly records: Pick<DeviceRecordStore, 'ids' | 'page' | 'findMany'>;
  readonly isOnline: (deviceId: string) => boolean;
}

/** One list for one request: which devices it has is settled with its first page, so that an export has each device once. */
export class PresenceList {
  readonly #deps: PresenceListDeps;
  #listed: Promise<Listed> | undefined;

  constructor(deps: PresenceListDeps) {
    this.#deps = deps;
  }

  /** Undefined when the position isn't from such a list. */
  async page(query: DevicePageQuery, wantsOnline: boolean): Promise<FoundPage<DeviceRecord> | undefined> {
    this.#listed ??= this.#list(query, wantsOnline);
    const listed = await this.#listed;
    const total = listed.ids.length;
    const range = await this.#rangeOf(query, listed);
    if (range === undefined) return undefined;
    const { from, to } = range;
    return {
      total: Math.min(total, MAX_EXACT_TOTAL),
      hasMoreThanTotal: total > MAX_EXACT_TOTAL,
      rows: await this.#deps.records.findMany(listed.ids.slice(from, to)),
      next: to < total ? [to] : undefined,
      previous: from > 0 ? [from] : undefined,
    };
  }

  async #list(query: DevicePageQuery, wantsOnline: boolean): Promise<Listed> {
    const all = await this.#deps.records.ids(query);
    return { all, ids: all.filter((id) => this.#deps.isOnline(id) === wantsOnline) };
  }

  async #rangeOf(query: DevicePageQuery, listed: Listed): Promise<Range | undefined> {
    const { position, limit } = query;
    switch (position.at) {
      case 'offset':
        return { from: position.offset, to: position.offset + limit };
      case 'after': {
        const from = placeOf(position.values);
        return from === undefined ? undefined : { from, to: from + limit };
      }
      case 'before': {
        const to = placeOf(position.values);
        return to === undefined ? undefined : { from: Math.max(0, to - limit), to };
      }
      case 'from': {
        const found = await this.#deps.records.page({ ...query, limit: 1, wantsTotal: false });
        if (found === undefined) return undefined;
        const from = placeBefore(listed, found.rows[0]?.deviceId);
        return { from, to: from + limit };
      }
    }
  }
}

interface Listed {
  /** Whether they are connected or not, in the list's order. */
  readonly all: readonly string[];
  readonly ids: readonly string[];
}

/** Half open. */
interface Range {
  readonly from: number;
  readonly to: number;
}

function placeOf(values: readonly SortValue[]): number | undefined {
  const [place] = values;
  return values.length === 1 && typeof place === 'number' && place >= 0 ? place : undefined;
}

/** How many of the list come before a device, which may be in the list or not; all of them where there is no device. */
function placeBefore({ all, ids }: Listed, deviceId: string | undefined): number {
  const at = deviceId === undefined ? -1 : all.indexOf(deviceId);
  if (at < 0) return ids.length;
  const listed = new Set(ids);
  return all.slice(0, at).filter((id) => listed.has(id)).length;
}
