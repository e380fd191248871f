// What administrators do with the types of events.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import { type CustomSource, faultsOfMatch } from '../../../shared/protocol/events/customSource.ts';
import type { FieldCode } from '../../../shared/protocol/fieldCodes.ts';
import type { RecordActsDeps } from '../../records/recordActs.ts';
import type {
  EventTypeFields,
  EventTypeStore,
  EventTypeVersion,
  StoredEventType,
} from '../../store/events/eventTypes.ts';
import { builtInRow } from '../types/builtInRows.ts';
import { englishNameOfType, tidyNames } from '../types/definedNames.ts';
import { createDefinedActs, type DefinedActs, type DefinedRules } from './definedActs.ts';

export type EventTypeActs = DefinedActs<EventTypeFields, StoredEventType, EventTypeVersion>;

export interface EventTypeActsDeps extends Pick<RecordActsDeps<never, never>, 'now' | 'bus'> {
  readonly store: Pick<EventTypeStore, 'all' | 'find' | 'add' | 'update' | 'remove'>;
}

const RULES: DefinedRules<EventTypeFields, StoredEventType> = {
  subject: 'eventtype',
  nameOf: englishNameOfType,
  tidy,
  faultsOf: (content, known) =>
    known?.isBuiltIn === true ? faultsOfBuiltInType(content, known) : faultsOfCustomType(content),
  auditFields,
  builtIn: builtInRow,
};

export function createEventTypeActs(deps: EventTypeActsDeps): EventTypeActs {
  return createDefinedActs(RULES, { ...deps, find: ({ code }) => deps.store.find(code) });
}

/** Without blanks around names, and with channels in their order. */
function tidy(content: EventTypeFields): EventTypeFields {
  const snapshotChannels = content.snapshotChannels.toSorted((left, right) => left - right);
  return { ...content, ...tidyNames(content), snapshotChannels };
}

type Faults = Readonly<Record<string, FieldCode>>;

function faultsOfCustomType({ nameEn, source }: EventTypeFields): Faults {
  return {
    ...(nameEn === '' ? { nameEn: 'required' as const } : {}),
    ...(source === null ? { source: 'required' as const } : faultsOfSource(source)),
  };
}

/** A built-in type has no source, since the gateway knows how to find it, and keeps its category, where reports expect it. */
function faultsOfBuiltInType({ category, source }: EventTypeFields, known: Pick<EventTypeFields, 'category'>): Faults {
  return {
    ...(category === known.category ? {} : { category: 'not-allowed' as const }),
    ...(source === null ? {} : { source: 'not-allowed' as const }),
  };
}

function faultsOfSource(source: CustomSource): Faults {
  return source.match === null ? {} : faultsOfMatch(source.match);
}

function auditFields(type: EventTypeFields): AuditFields {
  const { nameEn, nameZh, nameJp, category, severity, color, icon, sound, source, enabled } = type;
  const { needsAcknowledgment, clipBeforeS, clipAfterS, snapshotChannels } = type;
  const names = { nameEn, nameZh, nameJp };
  const evidence = { clipBeforeS, clipAfterS, snapshotChannels };
  return { ...names, category, severity, color, icon, sound, needsAcknowledgment, ...evidence, enabled, source };
}
