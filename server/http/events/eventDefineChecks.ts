// Checks an event type that an administrator sends. Pure.
import type { EventTypeContent } from '../../../shared/protocol/api/eventTypes.ts';
import { type CustomSource, faultsOfMatch } from '../../../shared/protocol/events/customSource.ts';
import type { FieldCode } from '../../../shared/protocol/fieldCodes.ts';
import { tidyNames } from '../../events/types/definedNames.ts';

type Faults = Readonly<Record<string, FieldCode>>;

/** The type as it is stored: without spaces around names, and with channels in their order. */
export function tidyType(content: EventTypeContent): EventTypeContent {
  const snapshotChannels = [...content.snapshotChannels].sort((left, right) => left - right);
  return { ...content, ...tidyNames(content), snapshotChannels };
}

export function faultsOfCustomType({ nameEn, source }: EventTypeContent): Faults {
  return {
    ...(nameEn === '' ? { nameEn: 'required' as const } : {}),
    ...(source === null ? { source: 'required' as const } : faultsOfSource(source)),
  };
}

/** A built-in type has no source, since the gateway knows how to find it, and keeps its category, where reports expect it. */
export function faultsOfBuiltInType(
  { category, source }: EventTypeContent,
  known: Pick<EventTypeContent, 'category'>,
): Faults {
  return {
    ...(category === known.category ? {} : { category: 'not-allowed' as const }),
    ...(source === null ? {} : { source: 'not-allowed' as const }),
  };
}

function faultsOfSource(source: CustomSource): Faults {
  return source.match === null ? {} : faultsOfMatch(source.match);
}
