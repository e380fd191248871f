// What members do with the settings of events: for the installation, a device group or a device.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { EventRuleSettings } from '../../../shared/protocol/events/eventRules.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { groupPath } from '../../devices/reach.ts';
import { type Actor, auditNote, type RecordActsDeps, refusalOfFields } from '../../records/recordActs.ts';
import type { EventTypeStore, StoredEventType } from '../../store/events/eventTypes.ts';
import type { EventRuleScope, EventRuleStore } from '../../store/events/rules/eventRules.ts';
import type { Outcome } from '../../store/outcome.ts';
import { faultsOfSettings, setsDriverText, tidySettings } from '../config/ruleChecks.ts';
import { RuleIndex, valuesAt, withSettings } from '../config/ruleLayers.ts';
import {
  belongsTo,
  type RuleScope,
  type RuleTarget,
  ruleScopeOf,
  type ScopeRefusal,
  type ScopeStores,
} from '../config/ruleScope.ts';
import { englishNameOfType } from '../types/definedNames.ts';

export interface EventRuleContent {
  readonly target: RuleTarget;
  /** Code of the event type. */
  readonly type: string;
  /** All settings: those that are left out are inherited. */
  readonly settings: EventRuleSettings;
}

/** The settings of a type in a scope as they are now, with those of all other scopes. */
export interface RuleState {
  readonly type: StoredEventType;
  readonly at: RuleScope;
  readonly rules: RuleIndex;
}

export type EventRuleRefusal =
  | ScopeRefusal
  | { readonly kind: 'no-type' }
  | { readonly kind: 'conflict'; readonly current: RuleState }
  | { readonly kind: 'too-many' };

export interface EventRuleActs {
  /** `version`: the one that the member saw; 0 for none. */
  put(actor: Actor, version: number, content: EventRuleContent): Promise<Outcome<RuleState, EventRuleRefusal>>;
}

export interface EventRuleStores extends ScopeStores {
  readonly eventRules: Pick<EventRuleStore, 'all' | 'put'>;
  readonly eventTypes: Pick<EventTypeStore, 'find'>;
}

export interface EventRuleActsDeps extends Pick<RecordActsDeps<never, never>, 'now' | 'bus'> {
  readonly stores: EventRuleStores;
}

export function createEventRuleActs({ stores, now, bus }: EventRuleActsDeps): EventRuleActs {
  const { eventRules } = stores;
  return {
    put: async (actor, version, content) => {
      const found = await ruleScopeOf(stores, actor.memberGroup, content.target);
      if (!found.ok) return found;
      const at = found.value;
      const settings = tidySettings(content.settings);
      const type = await configuredType(stores, at, content.type);
      if (type === undefined) return { ok: false, reason: { kind: 'no-type' } };
      const wanted = { type, at, settings };
      const refusal = (await refusalOfText(stores, actor, wanted)) ?? (await refusalOfSettings(stores, wanted));
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const change = { type: type.code, scope: at.scope, settings, version };
      const done = await eventRules.put(change, ({ before, after }) => {
        if (before === undefined && after === undefined) return undefined;
        const sides = { before: before?.settings, after: after?.settings };
        const entry = { action: 'eventrule.change', target: englishNameOfType(type), detail: auditPlace(at) } as const;
        return auditNote(actor, now(), { ...entry, ...sides });
      });
      const stateNow = async () => ({ type, at, rules: new RuleIndex(await eventRules.all()) });
      if (done.ok) {
        await bus.recordsChanged.publish({ kinds: ['eventrule'], memberGroup: actor.memberGroup });
        return { ok: true, value: await stateNow() };
      }
      if (done.reason === 'conflict') return { ok: false, reason: { kind: 'conflict', current: await stateNow() } };
      return { ok: false, reason: { kind: done.reason === 'gone' ? goneIn(at.scope) : done.reason } };
    },
  };
}

/** Undefined for a type that is not there, or that has nothing to configure in the scope. */
export async function configuredType(
  { eventTypes }: Pick<EventRuleStores, 'eventTypes'>,
  { scope }: RuleScope,
  code: string,
): Promise<StoredEventType | undefined> {
  return belongsTo(scope, code) ? eventTypes.find(code) : undefined;
}

export interface WantedSettings {
  readonly type: StoredEventType;
  readonly at: RuleScope;
  readonly settings: EventRuleSettings;
}

type FieldsRefusal = ReturnType<typeof refusalOfFields>;

export async function refusalOfSettings(
  { eventRules }: { readonly eventRules: Pick<EventRuleStore, 'all'> },
  { type, at, settings }: WantedSettings,
): Promise<FieldsRefusal> {
  // Nothing that is set can't be wrong, and must always be possible.
  if (Object.keys(settings).length === 0) return undefined;
  const rules = withSettings(await eventRules.all(), { type: type.code, scope: at.scope, settings });
  return refusalOfFields({ ...faultsOfSettings(type.code, settings, valuesAt(rules, type, at.place).values) });
}

/** Nobody has events send what they could not send themselves. */
async function refusalOfText(
  { eventRules }: Pick<EventRuleStores, 'eventRules'>,
  { permissions }: Actor,
  { type, at, settings }: WantedSettings,
): Promise<FieldsRefusal> {
  if (permissions.includes(Permission.DeviceText)) return undefined;
  const own = new RuleIndex(await eventRules.all()).find(type.code, at.scope)?.settings ?? {};
  return setsDriverText(settings, own) ? refusalOfFields({ driverText: 'not-allowed' }) : undefined;
}

/** It was there when the act began. */
function goneIn({ kind }: EventRuleScope): 'no-type' | 'no-group' | 'no-device' {
  switch (kind) {
    case 'installation':
      return 'no-type';
    case 'group':
      return 'no-group';
    case 'device':
      return 'no-device';
  }
}

/** The place of the settings for the audit log: nothing for the installation. */
function auditPlace({ scope, reach }: RuleScope): AuditFields {
  switch (scope.kind) {
    case 'installation':
      return {};
    case 'group':
      return { group: groupPath(reach.groups, scope.deviceGroup) };
    case 'device':
      return { deviceid: scope.deviceId };
  }
}
