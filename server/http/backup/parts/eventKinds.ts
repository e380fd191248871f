// Event types, reasons and rules of a backup.
import { ChangedEventRule } from '../../../../shared/protocol/api/eventConfig.ts';
import { EventReasonContent, EventTypeContent } from '../../../../shared/protocol/api/eventTypes.ts';
import type { EventRuleSettings } from '../../../../shared/protocol/events/eventRules.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { setsDriverText } from '../../../events/config/ruleChecks.ts';
import { englishNameOfReason, englishNameOfType } from '../../../events/types/definedNames.ts';
import type { StoredEventType } from '../../../store/events/eventTypes.ts';
import type { EventRuleScope } from '../../../store/events/rules/eventRules.ts';
import type { Outcome } from '../../../store/outcome.ts';
import { refusalOfRule } from '../../events/config/eventConfigRefusals.ts';
import { ruleContentOf } from '../../events/config/ruleScope.ts';
import { refusalOfReason, refusalOfType } from '../../events/eventDefineRefusals.ts';
import { groupPaths, groupReference } from './deviceKinds.ts';
import { faultOf, type JudgeRecord, nameKey, type PartKind } from './partRecords.ts';
import { savedRecord } from './savedRecord.ts';

/** A built-in type has its code everywhere; that of an administrator's own is made up when it is added. */
function typeKey(type: StoredEventType): string {
  return type.isBuiltIn ? builtInKey(type.code) : nameKey(englishNameOfType(type));
}

/** No name of somebody's own: those have no blanks at their ends. */
function builtInKey(code: string): string {
  return ` ${code}`;
}

/** None can be added: another version of the product has it. */
const judgeBuiltIn: JudgeRecord = ({ record, present }) =>
  record.fields.isBuiltIn === true && present === undefined ? [faultOf('', 'not-allowed')] : [];

export const eventTypeKind: PartKind = {
  record: 'event-type',
  part: 'events',
  read: async ({ eventTypes }) =>
    (await eventTypes.all()).map((type) => {
      const { code, version, ...fields } = type;
      const name = englishNameOfType(type);
      return { ...{ key: typeKey(type), name, id: code, version, isReached: true }, fields };
    }),
  references: () => [],
  judge: () => judgeBuiltIn,
  save: ({ fields: { isBuiltIn: _, ...fields }, present }, { actor, acts: { eventTypes } }) =>
    savedRecord(
      EventTypeContent,
      fields,
      async (content) => {
        if (present === undefined) return identified(await eventTypes.add(actor, content));
        const named = { code: String(present.id), version: present.version };
        return identified(await eventTypes.change(actor, named, content));
      },
      refusalOfType,
    ),
};

function identified<Refused>(done: Outcome<StoredEventType, Refused>): Outcome<{ readonly id: string }, Refused> {
  return done.ok ? { ok: true, value: { id: done.value.code } } : done;
}

export const eventReasonKind: PartKind = {
  record: 'event-reason',
  part: 'events',
  read: async ({ eventReasons }) =>
    (await eventReasons.all()).map((reason) => {
      const { id, code, version, ...fields } = reason;
      const name = englishNameOfReason(reason);
      const key = reason.isBuiltIn ? builtInKey(code) : nameKey(name);
      return { ...{ key, name, id, version, isReached: true }, fields };
    }),
  references: () => [],
  judge: () => judgeBuiltIn,
  save: ({ fields: { isBuiltIn: _, ...fields }, present }, { actor, acts: { eventReasons } }) =>
    savedRecord(
      EventReasonContent,
      fields,
      (content) =>
        present === undefined
          ? eventReasons.add(actor, content)
          : eventReasons.change(actor, { id: Number(present.id), version: present.version }, content),
      refusalOfReason,
    ),
};

/** What a rule is about, beside its settings. */
interface RulePlaceFields {
  readonly type: string;
  readonly typeName: string;
  readonly scope: EventRuleScope['kind'];
  /** Path; '' for none. */
  readonly group: string;
  readonly deviceid: string;
}

export const eventRuleKind: PartKind = {
  record: 'event-rule',
  part: 'events',
  read: async (stores, memberGroup) => {
    const [rules, types, paths, visible, devices] = await Promise.all([
      stores.eventRules.all(),
      stores.eventTypes.all(),
      groupPaths(stores),
      stores.deviceTree.visible(memberGroup),
      stores.deviceRecords.all(),
    ]);
    const typesByCode = new Map(types.map((type) => [type.code, type]));
    const reached = new Set<number | undefined>([undefined, ...visible.map(({ serialno }) => serialno)]);
    const groupOf = new Map(devices.map(({ deviceId, deviceGroup }) => [deviceId, deviceGroup]));
    return rules.flatMap(({ id, type: code, scope, settings, version }) => {
      const type = typesByCode.get(code);
      if (type === undefined) return [];
      const place = { type: typeKey(type), typeName: englishNameOfType(type), ...placeOf(scope, paths) };
      return [
        {
          ...{ key: ruleKey(place), name: ruleName(place), id, version },
          isReached: reached.has(ownGroupOf(scope, groupOf)),
          fields: { ...place, ...settings },
        },
      ];
    });
  },
  references: (fields) => {
    const { type, typeName, group, deviceid } = fields as unknown as RulePlaceFields;
    const device = { field: 'deviceid', record: 'device', key: deviceid, name: deviceid } as const;
    return [
      { field: 'type', record: 'event-type', key: type, name: typeName },
      ...groupReference('group', group),
      ...(deviceid === '' ? [] : [device]),
    ];
  },
  judge: ({ actor }) => {
    const mayText = actor.permissions.includes(Permission.DeviceText);
    return ({ fields, present }) => {
      const own: EventRuleSettings = present?.fields ?? {};
      return !mayText && setsDriverText(fields, own) ? [faultOf('driverText', 'not-allowed')] : [];
    };
  },
  save: ({ fields, present }, { actor, acts: { eventRules }, ids }) => {
    const { type, typeName: _, scope, group, deviceid, ...settings } = fields as unknown as RulePlaceFields;
    const place = {
      ...(group === '' ? {} : { group: String(ids('device-group', group)) }),
      ...(deviceid === '' ? {} : { deviceid }),
    };
    const body = { scope, ...place, type: ids('event-type', type), version: present?.version ?? 0, settings };
    return savedRecord(
      ChangedEventRule,
      body,
      async (content) => {
        const done = await eventRules.put(actor, content.version, ruleContentOf(content));
        if (!done.ok) return done;
        const { type: saved, at, rules } = done.value;
        // 0 for a type that has no settings there any more.
        return { ok: true, value: { id: rules.find(saved.code, at.scope)?.id ?? 0 } };
      },
      refusalOfRule,
    );
  },
};

function placeOf(scope: EventRuleScope, paths: ReadonlyMap<number, string>) {
  return {
    scope: scope.kind,
    group: scope.kind === 'group' ? (paths.get(scope.deviceGroup) ?? '') : '',
    deviceid: scope.kind === 'device' ? scope.deviceId : '',
  };
}

/** The group that a caller must reach to change it; undefined: none. */
function ownGroupOf(scope: EventRuleScope, groupOf: ReadonlyMap<string, number | undefined>): number | undefined {
  switch (scope.kind) {
    case 'installation':
      return undefined;
    case 'group':
      return scope.deviceGroup;
    case 'device':
      return groupOf.get(scope.deviceId);
  }
}

function ruleKey({ type, scope, group, deviceid }: RulePlaceFields): string {
  return JSON.stringify([type, scope, group, deviceid]);
}

function ruleName({ typeName, group, deviceid }: RulePlaceFields): string {
  const place = group + deviceid;
  return place === '' ? typeName : `${typeName} (${place})`;
}
