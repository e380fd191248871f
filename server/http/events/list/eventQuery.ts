// Filters of events as a query has them. Pure.
import type { EventFilterQuery } from '../../../../shared/protocol/api/events.ts';
import type { EventStatus, Severity } from '../../../../shared/protocol/events/eventWords.ts';
import type { EventFilter } from '../../../store/events/list/eventFilter.ts';

/** How a query says that nobody is the assignee. */
const NOBODY = '-';

const MEDIA_OF = { '0': 'none', '1': 'any', video: 'video' } as const;

/** Undefined for a text that no page writes. */
export function readEventFilter(query: EventFilterQuery): EventFilter | undefined {
  const devices = query.devices === undefined ? [] : query.devices.split(',').map(decoded);
  if (devices.includes(undefined)) return undefined;
  const { deviceid, assignee } = query;
  const named = [...(deviceid === undefined ? [] : [deviceid]), ...devices.filter((id) => id !== undefined)];
  return {
    search: (query.search ?? '').trim(),
    deviceIds: deviceid === undefined && query.devices === undefined ? undefined : named,
    groups: listOf(query.groups)?.map(Number),
    types: listOf(query.types),
    // The schema lets no other words in.
    severities: listOf(query.severities) as readonly Severity[] | undefined,
    statuses: listOf(query.statuses) as readonly EventStatus[] | undefined,
    assignee: assignee === NOBODY ? '' : assignee,
    isLate: flagOf(query.late),
    media: query.media && MEDIA_OF[query.media],
    isLasting: flagOf(query.lasting),
    fromMs: momentOf(query.from),
    toMs: momentOf(query.to),
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Each value once. */
function listOf(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [...new Set(text.split(','))];
}

function flagOf(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === '1';
}

function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
